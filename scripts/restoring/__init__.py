"""Items of a restored table, back into the one that serves."""

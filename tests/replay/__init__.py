"""Sessions on file: recorded from the demo's scenes, replayed, damaged, compared."""

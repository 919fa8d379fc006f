"""Small faults put into src on purpose, to see whether a test notices (make mutants)."""

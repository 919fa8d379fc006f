"""What scripts/evaluate.py is made of: its command line, and the live model within its budget."""

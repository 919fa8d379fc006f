"""What every command that prints for people needs."""

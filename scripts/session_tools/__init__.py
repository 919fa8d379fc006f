"""What the commands about logged sessions share."""

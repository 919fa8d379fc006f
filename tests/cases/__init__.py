"""Data that tests share."""

"""What operators do by hand with a running deployment: look a conversation up, redrive, pause (docs/operations.md)."""

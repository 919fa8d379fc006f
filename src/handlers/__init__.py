"""The doors: an event comes in, a use case is called, a result goes out."""

"""Sessions on file, replayed and compared (docs/replay.md). Knows the core, which does not know it."""

"""Cases played through the real desk and scored (docs/evaluation.md). Knows the core, which does not know it."""

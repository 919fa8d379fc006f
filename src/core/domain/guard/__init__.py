"""The three detectors of the conversation guard, and the Portuguese they read (docs/guard.md, "ConversationGuard")."""

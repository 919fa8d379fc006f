"""The three detectors of the conversation guard, and the Portuguese they read (40-people.md, "ConversationGuard")."""

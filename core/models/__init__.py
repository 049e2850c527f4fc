"""The user's own models and their prompts, over one client."""

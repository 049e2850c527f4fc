"""The settings: `limits` and `settings` declare them, `settings` reads their files."""

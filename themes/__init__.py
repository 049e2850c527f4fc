"""The colours of the app, and their meanings.

loader     reads theme files, and returns a sentence on the problem of one
*.toml     the built-in themes; a user's own have the same form
"""

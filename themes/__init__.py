"""What colours the app has, and what each of them means.

loader     reads theme files, and says in a sentence what is wrong with one
*.toml     the built-in themes; a user's own have the same form
"""

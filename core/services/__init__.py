"""What a door may ask for: one subject a file, each a class that `core/memdeck.py` makes when it is
first used."""

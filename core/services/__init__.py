"""The services: one subject a file, each a class that `core/memdeck.py` makes on first use."""

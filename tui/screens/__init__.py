"""The five screens."""

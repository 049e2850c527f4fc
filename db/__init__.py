"""The store, and the only package that contains SQL."""

"""The five screens of the app, one module each."""

"""The query language, one for the app and the command line."""

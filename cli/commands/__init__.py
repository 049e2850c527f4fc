"""The commands, one module a subject. `import` and `list` are `import_` and `list_`."""

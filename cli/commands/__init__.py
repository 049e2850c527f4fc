"""The commands, a module each, named as the command; a group stands with its subcommands.

A reverse command is beside its counterpart: unpin in `pin`, restore in `forget`, redo in `undo`,
uninstall in `install`. `import` and `list` are `import_` and `list_`.
"""

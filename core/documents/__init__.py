"""One layout for each thing that memdeck shows: a function returns its `Document`.

The terminal prints it (`cli/output.py`), the app draws it (`tui/widgets.py`). `--json` encodes the
core's value itself.
"""

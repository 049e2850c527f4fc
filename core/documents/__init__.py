"""One layout for each thing that memdeck shows: a function returns its `Document`.

The terminal prints it (`cli/output.py`), the app draws it (`tui/document.py`), and `--json` encodes
`Document.value`.
"""

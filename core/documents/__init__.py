"""One layout for each thing that memdeck shows.

`document` holds the values. Each other module lays one thing out: a function takes what core knows
of the thing and returns a `Document`. The terminal prints it (`cli/output.py`), the app draws it
(`tui/document.py`), and `--json` encodes `Document.value`. A label, an order or a wording that is
decided here is the same everywhere.
"""

"""The hooks that agents call, and the background process of queued events.

`main`, `spool` and `recall` are on a hook's path and import the least they can.
"""

"""What agents' hooks call, and the background process that works off what hooks note.

`main`, `spool` and `recall` are on the path of an event and import the least they can.
"""

"""The agents: one folder each with `wire`, which a hook loads, and `host`, which holds all.

registry   the hosts by name; `memdeck/__init__.py` hands it to core
wire       what payloads have in common: the event, and fields that may hold anything
install    what there is to know about a host; connecting and leaving it
settings   settings files that belong to somebody else
commands   the slash commands of each host, in its form
"""

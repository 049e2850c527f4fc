"""One folder a host: `wire`, `files`, `transcript`, `headless`; `host` installs, and holds all.

host           what there is to know about a host, in one value; `core/hosts.py` finds it by name
json_install   installing into a JSON file of hooks that others write too
registry       whose payload is it?
"""

"""One folder a host: `wire`, `files`, `install`, `transcript`, `headless`; `host` holds them all.

host           what there is to know about a host, in one value; `core/hosts.py` finds it by name
hook_files     where a host looks for its hooks
json_install   installing into a JSON file of hooks that others write too
registry       whose payload is it?
"""

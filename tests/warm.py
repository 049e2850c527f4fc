"""Imports the package without its screens: what the processes of `forked.py` are forked from."""

import gc
import pkgutil
from importlib import import_module

for room in ("agents", "cli", "core", "db"):
    package = import_module(f"memdeck.{room}")
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        import_module(module.name)
gc.freeze()

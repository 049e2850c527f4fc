"""The agents: one folder each with `wire`, which a hook loads, and `host`, which holds all."""

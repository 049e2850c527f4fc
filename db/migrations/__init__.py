"""How the schema came about, run by `playhouse.migrations`.

One numbered script a step, in plain SQL, so that no later model can change what an applied
step did. Applied scripts are frozen: the next change is a new one, and `LATEST` is the last one's.
"""

LATEST = 27
"""The schema's version, kept in `PRAGMA user_version`; a store with a higher one is refused."""

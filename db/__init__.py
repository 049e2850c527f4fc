"""What memdeck remembers, and the only place that speaks SQL.

home           where the store lives, and who may read it
errors         what can go wrong, each with what to do next
tables         one class per table that the journal brings back
derived        one class per table that it does not: counters, records, views
rows           what leaves of each table, as typed mappings
schema         the tables as the models make them, and how an older store comes to that
connection     opening, locking, and the one mapping of Peewee's errors
queries        how a Peewee query gets a name, and its text is kept
memories, neighbours, reviews, conflicts, sessions, extractions, recordings, receipts, projects,
audit          one module a table group, with its named queries
lists          lists, facets and counts by what a person asks for
index          the full-text index, and the one function that quotes what a person typed
journal        the source of truth: one line per change
images         rows as plain dictionaries and back
fields         what a column takes, asked before it is tried
keepers        applying a change to the tables
store          journal and tables as one: change, catch up, undo
rebuild        the tables made anew from the journal
verify         is everything still what the journal says?
fast_reader    what recall reads, with the standard library alone
fast_receipts  what it reads of receipts
activity       which files a session works on, asked by hooks
"""

"""What memdeck remembers, and the only place that speaks SQL.

home          where the store lives, and who may read it
errors        what can go wrong, each with what to do next
tables        one class per table that the journal brings back
derived       one class per table that it does not: counters, records, views
migrations    how the schema came about; applied ones are frozen
connection    opening, locking, and the one mapping of Peewee's errors
journal       the source of truth: one line per change
images        rows as plain dictionaries and back
fields        what a column takes, asked before it is tried
keepers       applying a change to the tables
store         journal and tables as one: change, catch up, undo
rebuild       the tables made anew from the journal
verify        is everything still what the journal says?
index         the full-text index, and the one function that quotes what a person typed
fast_reader   what recall reads, with the standard library alone
lists         lists, pages, facets and counts
audit         the audit view of the journal
extractions   which sessions a model is to read, and what its calls cost
opinions      which pairs a model may be asked about, and which it was
ledger        receipts, latencies, use counters, refused captures: derived, not journaled
recordings    what agents recorded themselves
"""

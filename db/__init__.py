"""What memdeck stores, and the only place that speaks SQL.

home         where the store lives, who may read it, the schema's version
errors       what can go wrong, each with what to do next
tables       the schema: one class per table
connection   opening, converting an older store, locking, and the one mapping of Peewee's errors
sql          running SQL text: a function for each kind of answer
memories, reviews, sessions, receipts, ageing, audit
             one module a table group, with its named queries; `trust` is derived from several
index        the full-text index, and the one function that quotes what a user typed
journal      the source of truth: one line per change
images       rows as plain dictionaries and back
keepers      applying a change to the tables, and what a column takes
store        journal and tables as one: change, catch up, undo
past         the tables as they stood after an earlier entry
rebuild      verify, rebuild from the journal, and the journal written again without a text
fast_reader  what recall reads, with the standard library alone
activity     which files a session works on, asked by hooks
"""

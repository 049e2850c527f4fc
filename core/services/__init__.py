"""One service a file: what a door may ask for. `core/memdeck.py` makes each when it is first used.

accounts             accounts: what was injected where, what it cost, what gates refused
amendments           what acts on memories have in common: one entry for many; an image edited
audit                what was done, by whom, and is it all still whole?
conflicts            conflicts: two memories that cannot both hold, until a person has decided
corrections          corrections: what a person corrects, or an agent takes back, no longer holds
curation             curation: edit, pin, forget, restore, link, undo. Each act is one entry
deposits             what a judged capture writes, and what a repetition adds
extractor            A model that the person has reads each session once
inbox                the Inbox: what was captured waits here until a person has looked at it
ingest               the way in: what people say, and what sessions offer
instruction_files    what an agent is told in its instruction files, as memories
lessons              A person's verdicts move the bar of this project, and no other's
merges               merging: several memories that say the same become one
milestones           of a session: checkpoints, findings summed up, trials ended
opinions             second opinions
preferences          what a person switches for one project: aliases, the budget's ceiling
profile              The profile: looked at, added to, divided, cleared
project_book         What a project holds to, by kind: decisions, conventions, failures
proposals            from a model's answer to memories: what holds passes the gates
recall               recall: what an agent would be told, and 001's `retrieve`
receipts             the book of injections: each kept, with its prompt redacted, and judged
recordings           what agents record as they go, and what their sessions say to it
search               finding: lists for the app, hits for a question, counts for both
secrets              what in a whole store today's redaction rules would not let in
sessions             conversations: who spoke where, how far each was read, forks
suggestions          help while a query is typed, and when it finds nothing
switchboard          whether sessions are taken down; one session, a project, everywhere
transfer             memories taken over from elsewhere, without review (000-33)
wordings             summaries worded by a model that the person has
working_memory       working memory: what the task at hand needs, for as long as it is at hand
"""

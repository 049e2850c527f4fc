"""What memdeck decides. No SQL, no widgets.

coordinator   the one object that doors talk to; context: what every service behind it is handed
memdeck       the services, each made when it is first asked for
capture/      from an agent's session file to captures
extracting    a model of the person's own that reads sessions; off unless they choose one
opinions      the same model asked about pairs in Conflicts
storage/      from a capture to a memory, or not
retrieval/    from a prompt to the text handed to the agent
values        what recall gives; answers: what else the core takes and gives
policy        everything that can be configured; limits: the numbers of recall
query         the query language; asking: from a query to what the store is asked
projects      which project a folder belongs to
clean         text from outside, made safe
"""

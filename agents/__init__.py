"""What agents' hooks call, and what works off what they note.

main          one hook call: standard input in, reply out, exit code 0 whatever happens
spool         durable notes of events, one append each; the hooks' log; starting the drain
recall        the answer to a prompt, a session's start, a file about to be touched
drain         the detached process that turns notes into memories
transcripts   from a session's words to the store
extraction    sessions read by a model that the user has, after the drain gave back its lock
caller        which session a command is run in
doctor        what is wrong with the store and the agents, and what fixes it
desk          the agents of this machine, as the app and the command line ask for them

`main`, `spool` and `recall` are on the path of an event and import the least they can.
"""

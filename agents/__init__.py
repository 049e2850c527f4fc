"""The door for agents: what their hosts tell us, and what they hear back.

main             one hook call: standard input in, reply out, exit code 0 whatever happens
stdin            what arrives on standard input: bounded in size and time, tolerant of its form
hosts/           one folder a host; its `host` holds all of it
fields           what the dialects share in reading a payload
events           what happened, in our own words
router           which events are handled, written down, answered, and which start the drain
heartbeats       when each event last came
spool            durable notes of events, one append each
detach           starting the drain as a process of its own, one per home
recall           the answer to a prompt, a session's start, a file about to be touched
learn_request    whether a session is asked to record what it learns

claims           how the drain takes notes from the spool, and what becomes of bad ones
drain            the detached process that turns notes into memories
drain_run        one drain at work: what each note asks for
transcripts      from a session's words to the store; `exports` asks OpenCode for its own
evidence         what an agent recorded, looked for in its transcript
extraction       sessions read by a model that the person has, after the drain gave back its lock
log              the last errors, for `memdeck doctor`; never a word of what was remembered

standing         how we stand in each host's files of hooks
installers       connecting a host and leaving it, as its `host` says; `changes` does it
slash_commands   the slash commands of each host, in its form
doctor           what is wrong with the store; `doctor_agents` with the agents, `repairs` mends it
desk             the agents of this machine, as the app and the command line ask for them
caller           which session a command is run in

The rooms down to `learn_request` are on the path of an event and import the least they can.
"""

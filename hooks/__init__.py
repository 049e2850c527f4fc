"""The door for agents: what their hosts tell us, and what they hear back.

main            one hook call: standard input in, reply out, exit code 0 whatever happens
wire            what arrives on standard input: bounded in size and time, tolerant of its form
hosts           whose payload is it? Hosts read each other's settings
claude, codex, gemini, opencode   a host's dialect: wire to event, recall to reply
fields          what the dialects share in reading a payload
events          what happened, in our own words
wanted          which events the person's settings want
router          which events are written down, which are answered, which start the drain
fired           when each event last came
spool           durable notes of events, one append each
detach          starting the drain as a process of its own, one per home
recall_hook     the answer to a prompt, a session's start, a file about to be touched
requesting      whether a session is asked to record what it learns

claims          how the drain takes notes from the spool, and what becomes of bad ones
drain           the detached process that turns notes into memories
transcribing    from a session's words to the store; `exports` asks OpenCode for its own
bearing_out     what an agent recorded, looked for in its transcript
extracting      sessions read by a model that the person has, after the drain gave back its lock
log             the last errors, for `memdeck doctor`; never a word of what was remembered

installers      connecting a host and leaving it, in its `install_…` room; `standing`, `changes`
commands        the slash commands of each host
doctor          what is wrong with the store; `doctor_agents` with the agents, `mending` mends it
desk            the agents of this machine, as the app and the command line ask for them
calling         which session a command is run in

The rooms down to `requesting` are on the path of an event and import the least they can.
"""

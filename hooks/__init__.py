"""The door for agents: what their hosts tell us, and what they hear back.

main            one hook call: standard input in, reply out, exit code 0 whatever happens
wire            what arrives on standard input: bounded in size and time, tolerant of its form
hosts           whose payload is it? Hosts read each other's settings
claude          Claude Code's dialect: wire to event, recall to reply
events          what happened, in our own words
router          which events are written down, which are answered, which start the drain
spool           durable notes of events, one append each
detach          starting the drain as a process of its own, one per home
recall_hook     the answer to a prompt or a session start
claims          how the drain takes notes from the spool, and what becomes of bad ones
drain           the detached process that turns notes into memories
log             the last errors, for `memdeck doctor`; never a word of what was remembered
settings_file   reading and writing a settings file of somebody else without harm
json_edit       small textual changes to a JSON text
install_claude  our entries in Claude Code's settings
doctor          what is wrong with the installation, and what mends it

The rooms down to `detach` are on the path of every event and import the least they can.
"""

"""From an agent's session file to captures: what a careful colleague would have written down.

turns          one thing that was said or done, and calls joined with their results
lines          the JSON objects of a file that somebody else is still writing
transcript_*   each agent's file as turns; reading and tools are what they share
redacted       the same without secrets
echo           what in a prompt is not the person's: injected, hidden, private, off the record
conversation   sessions that a program started, prompts that were sent again
utterances     the sentences of a session where they were said: what judgement reads
evidence       was it said in the session, and by whom? A claim against the turns

admission      what is kept: the fitted score decides, explicit words pass
labels         what kind of thing a kept sentence is, by a handful of signs
rules          the ways of finding something, and their priorities
wording        does a sentence stand alone, and how it is written down
subjects       the files, programs and technologies that a text names
concepts       what a statement is about, as a noun phrase
feelings       how a person took it: -2 to +2, and whether they refused

phrases        the explicit words of a person, in core/language one data file each
explicit       what is to be remembered, held to from now on, put off
intentions     what a person puts off, until when and how urgent

corrections    what a person corrects or an agent takes back, and what holds instead
correction_cues  how one begins, and how one says that something holds no longer
findings       placed facts that subagents brought back
fixes          commands that worked only in another way, or after something else was run
workflows      long lists of tasks that were worked off
todos          what the agent's own list still holds

runs           runs of commands, how each of them ended, and changed files
shell          commands as people read them
stretches      the session cut into pieces of work
envelopes      what surrounded a memory: the work, how it went, what it cost
shape          title, files, tags and the type's own fields of a capture
steps          the order of all that

condensed      a session as a model is shown it
extraction     what a model proposed of it, held against the session
"""

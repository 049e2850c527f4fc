"""From an agent's session file to captures: what a careful colleague would have written down.

turns              one thing that was said or done, and calls joined with their results
lines              the JSON objects of a file that somebody else is still writing
transcript_*       each agent's file as turns; reading and tools are what they share
redacted           the same without secrets
echo               what in a prompt is not the person's: injected, hidden, private, off the record
prose              the sentences of a text that are its author's own
standalone         does a sentence say what it is about, on its own?
subjects           the files, programs and technologies that a text names
concepts           what a statement is about, as a noun phrase
times              days that words name: by when, and until when
feelings           how a person felt about it, -2 to +2

rules              what a rule is; the rows are in the next three
rules_person       how a person lays something down
rules_facts        what a person states or corrects
rules_stated       labels, impersonal rules, terse tastes, addresses, what is set aside
rules_agent        how an agent reports
rules_german       the same in German; what an agent reports is in rules_german_agent
rules_spanish      the same in Spanish; what an agent reports is in rules_spanish_agent
vocabulary         turns of phrase that the rules share
refusals           what makes a sentence not worth keeping; refusals_german, refusals_spanish
languages          all of that for one language, as one value
stop_words         the small words by which a language is known
weights            the priorities of 003-02 as importance

prompts            what a person said that should outlast the session
intentions         what a person puts off, until when and how urgent
answers            what an agent found out and left behind
verdicts           claims that the person denied, proposals that they approved
findings           placed facts that subagents brought back
fixes              commands that failed and later worked, and what made the difference
workflows          jobs that were asked for and done, step by step
changes            modules that are new, moved or rewritten, and what for
todos              what the agent's own list still holds

runs               runs of commands, and how each of them ended
failures           did a command fail, and which line says why?
shell              commands as people read them
edits              which files were changed, how, and where a name is defined
stretches          the session cut into pieces of work
envelopes          what surrounded a memory: the work, how it went, what it cost
shape              title, files, tags and the type's own fields of a capture
extract            the order of all that
"""

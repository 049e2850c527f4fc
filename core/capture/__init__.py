"""From an agent's session file to captures: what a careful colleague would have written down.

turns              one thing that was said or done, and calls joined with their results
lines              the JSON objects of a file that somebody else is still writing
transcript_claude  Claude Code's transcript as turns
redacted           the same without secrets
echo               what in a prompt is not the person's: injected, hidden or private text
prose              the sentences of a text that are its author's own
standalone         does a sentence say what it is about, on its own?
subjects           the files, programs and technologies that a text names

rules              what a rule is; the rows are in the next three
rules_person       how a person lays something down
rules_facts        what a person states or corrects
rules_agent        how an agent reports
vocabulary         turns of phrase that the rules share
refusals           what makes a sentence not worth keeping

prompts            what a person said that should outlast the session
intentions         what a person puts off, until when and how urgent
answers            what an agent found out and left behind
findings           placed facts that subagents brought back
fixes              commands that failed and later worked, and what made the difference
failures           did a command fail, and which line says why?
shell              commands as people read them
edits              which files were changed, how, and where a name is defined
todos              what the agent's own list still holds
shape              title, files, tags and the type's own fields of a capture
extract            the order of all that
"""

"""The door for eyes: a Textual app over the core.

app        the App: holds the lanes, the stage, and those who do its work
view       what every view is, and what it may ask of the app
navigation from view to view, and back along the way one came
news       what the store tells, and who hears of it
changes    acts that write, how far a large one is, and how they are taken back
notices    what is said beside the work; the one place where a core error becomes a notice
setup      agents connected, instruction files brought along, the first run, the two switches
settings   what a person set for the app
remembered what is carried over from one run to the next
switches   auto-memory and incognito in words and as a table
lanes      threads that talk to the core, so that no query runs on the event loop
stage      header, the views, footer
footer     the keys that work now, and what is marked
messages   what views tell each other
acts       the registry of acts: key, name, help, and the core call behind each
typeahead  keys, each heard when the one before has had its effect
palette    what ctrl+p offers, from the same registry
text       the only way from memory text to something a screen shows
glyphs     status by sign, never by colour alone
matches    where the words of a query stand in a text
editor     a memory as a text file for $EDITOR, and back
clipboard  copying, and saying by which way it went
views/     one folder per view
widgets/   lists, boxes and panes; they take values and post messages
dialogs/   questions that return an answer
styles/    one sheet per view, and one they share
"""

"""The door for eyes: a Textual app over the core.

app        the App: theme, keys, lanes, and the one place where a core error becomes a notice
lanes      threads that talk to the core, so that no query runs on the event loop
stage      header, the views, footer, and the way back
footer     the keys that work now, and what is marked
messages   what views tell each other
acts       the registry of acts: key, name, help, and the core call behind each
text       the only way from memory text to something a screen shows
editor     a memory as a text file for $EDITOR, and back
views/     one room per view
widgets/   lists, boxes and panes; they take values and post messages
dialogs/   questions that return an answer
styles/    one sheet per view, and one they share
"""

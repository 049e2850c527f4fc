"""The app: a Textual app over the core.

app        the app: its lanes, its keys, its screens, and who does the work
stage      the strip of screens, the screen that is shown, the last line
view       what every screen shares
screens/   the five screens, one module each
acts       what can be done: key, name, help, and the core call behind each
changes    acts that write, with preview, progress, undo and redo
news       looks for changes in the store, and passes them to the screens
notices    notices and errors
setup      connects agents, imports instructions, changes settings
settings   settings of the app, themes, and what is carried over to the next run
lanes      threads that talk to the core: no query runs on the event loop
typeahead  keys, each handled after the one before has had its effect
palette    what the command palette finds
document   draws the documents of the core
text       makes memory text safe for the screen
glyphs     signs for states; inks, their styles in lists
machine    the clipboard and the user's editor
widgets/   lists, boxes and panes
dialogs/   questions that return an answer
styles/    one style sheet that all share, and one a screen
"""

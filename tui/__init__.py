"""The app: a Textual app over the core.

app        the app: its lanes, its keys, its screens, and who does the work
view       acts and their keys, what every screen shares, the stage that shows one, copy and export
screens/   the five screens, one module each
changes    acts that write, with preview, progress and undo; notices; news of the store
setup      connects agents, imports instructions, changes settings
settings   settings of the app, and what is carried over to the next run
lanes      threads that talk to the core, and keys: each is handled after the one before
palette    what the command palette finds
document   draws the documents of the core: Markdown, word differences, panes to read
lists      lists of any length, and the line that narrows them
text       makes text safe for the screen; signs for states, and the styles of lists
dialogs    questions that return an answer
forms      the form for one memory, and for two made one
machine    the clipboard and the user's editor
styles/    one style sheet that all share, and those of dialogs and screens
"""

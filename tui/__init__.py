"""The app: a Textual app over the core.

app        the app: its lanes, its keys, its screens, and who does the work
view       what every screen shares, the stage that shows one, copy and export
screens/   the five screens, one module each
acts       what can be done: key, name, help, and the core call behind each
changes    acts that write, with preview, progress and undo; notices; news of the store
setup      connects agents, imports instructions, changes settings
settings   settings of the app, themes, and what is carried over to the next run
lanes      threads that talk to the core: no query runs on the event loop
typeahead  keys, each handled after the one before has had its effect
palette    what the command palette finds
document   draws the documents of the core: Markdown, word differences, panes to read
text       makes memory text safe for the screen
glyphs     signs for states, and the styles that lists paint with
machine    the clipboard and the user's editor
widgets/   lists and boxes
dialogs/   questions that return an answer
styles/    one style sheet that all share, and one a screen
"""

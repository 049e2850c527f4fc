"""The app: a Textual app over the core.

app        the app: its lanes, its keys, its palette, its screens, and the work behind them
view       acts and their keys, the base of every screen, the stage that shows one, copy and export,
           the clipboard, the user's editor, settings, state that is kept for the next run
screens/   the five screens, one module each
changes    acts that write, with preview, progress and undo; notices; news of the store
setup      connects agents, changes settings
lanes      threads that talk to the core, and keys: each is handled after the one before
widgets    lists of any length and the line that narrows them; panes that draw documents
text       makes text safe for the screen; signs for states, and the styles of lists
dialogs    questions that return an answer
forms      the form for one memory, and for two made one
styles/    one style sheet that all share, and those of dialogs and screens
"""

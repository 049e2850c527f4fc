"""A store to look at: an invented project's ninety days, made by the real pipeline.

history     the story's files as values
transcript  a Claude Code transcript, as the client writes it
doors       a conversation through the hooks and the drain
build       the story in order: `build_demo_store`
template    the same, built once and copied
desk        the agents of this machine, to look at and not to write
tour        the same for those without a terminal: `print_tour`
"""

"""What becomes of memories in time.

worth      what a memory is worth now and later, factor by factor; hot, warm or cold
summaries  what a session comes to, in a few lines: its goal, what was decided and learned
"""

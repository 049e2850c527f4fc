"""What becomes of memories in time.

importance   what makes a memory important: six factors, each by itself
decay        what time and use leave of it
worth        what it is worth now, was, and will be, part by part
tiers        hot, warm or cold, and what is due to it
profile      what of the memories is the profile: who the person is to agents
summaries    what a session comes to, in a few lines: its goal, what was decided and learned
"""

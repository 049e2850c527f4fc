"""What becomes of memories in time.

importance   what makes a memory important: six factors, each by itself
worth        what it is worth now, was, and will be, part by part; hot, warm or cold
profile      what of the memories is the profile: who the person is to agents
summaries    what a session comes to, in a few lines: its goal, what was decided and learned
"""

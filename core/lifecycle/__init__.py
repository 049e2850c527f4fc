"""What becomes of memories in time.

importance   what makes a memory important: six factors, each by itself
summaries    what a session comes to, in a few lines: its goal, what was decided and learned
"""

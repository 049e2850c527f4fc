"""How good is it? Reviewers vote on a capture, and a rule counts their votes.

reviewer       what a reviewer is shown, what it answers, and what all reviewers have in common
panel          all reviewers at once, each within its time
decision       what their votes come to

built_in       those that ask nobody: the fitted score, how much is new, does it touch security

engines            names of engines become reviewers: built-in scorers, or models
extractor          one call about a whole session: request, answer, cost
opinions           one call about pairs of memories: request, answers
prompts            what a model is asked
answers_of_models  the judgement in a model's words
replies            what comes back, before anybody looks for a judgement in it
cost               what asking costs, and whether it may still be asked today
command_call       asking a program; command_dialect what a host's is, command_run its bounds
http_call          asking a server, in its dialect
"""

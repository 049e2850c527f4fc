"""The score of a sentence: a small fitted model and its thresholds.

`training/` fits the weights. `fitted/manifest.json` has the data and the figures on left-out
projects. Standard library only, no network, never in a hook that an agent waits for.
"""

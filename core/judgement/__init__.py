"""Is a sentence worth keeping? A small fitted model and its thresholds.

`training/` fits the weights. `fitted/manifest.json` says on what, and how well that held on what
was left out. Standard library only, no network, never in a hook that an agent waits for.
"""

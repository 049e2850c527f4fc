"""Is a sentence worth keeping? A small model, fitted on labels, and its thresholds.

weights    the fitted numbers, read once and checked; `thresholds.toml`
signs      the facts about a sentence that its words tell (`signs.toml`)
salience   the score

Standard library only, no network, never in a hook that an agent waits for. `training/` fits the
weights; `fitted/manifest.json` says on what, and how well that held on what was left out.
"""

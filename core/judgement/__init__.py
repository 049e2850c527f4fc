"""What cannot be looked up must be judged: by small models, fitted on labels.

weights             the fitted numbers, read once and checked
salience            is a sentence worth keeping? signs: those of its words
salience_words      the same in words that a person reads
pairs               do two notes say the same, contradict each other, or both hold?
pairs_glance        what a glance shows of two: most that meet share a word by chance
pairs_beside        two notes laid beside each other, word by word
pairs_features      what is seen of two notes before it is weighed
pairs_order         how far two notes run alike
pairs_slots         where they put something else in the same place
pairs_note          a note as what a pair of notes is compared by
pairs_words         the closed classes that reading needs; pairs_amounts: numbers, units, days
replacement         does a correction take the place of an earlier claim?

Standard library only, no network, never in a hook that an agent waits for. `training/` fits the
weights; `manifest.json` beside them says on what, and how well that held on what was left out.
"""

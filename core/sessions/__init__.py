"""From a transcript to captures. `capture` has the order of the steps."""

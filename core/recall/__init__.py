"""From a prompt to the injected text, in the order of `pipeline`. Standard library only."""

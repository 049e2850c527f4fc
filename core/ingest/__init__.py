"""From a capture, a draft or an instruction file to a memory; `pipeline` has the checks."""

"""`memdeck open`: the file that a memory names, in the person's editor at its line."""

from typing import Any


def test_a_lost_file_and_none_at_all_are_refused(cli: Any, remembered: Any):
    lost = remembered("Cranes are steered from the quay", "--file", "lost.py")
    none = remembered("The harbour office opens at seven")
    refused = cli("open", lost)
    assert (refused.code, "not there any more" in refused.err) == (1, True)
    refused = cli("open", none)
    assert (refused.code, "names no file" in refused.err) == (1, True)

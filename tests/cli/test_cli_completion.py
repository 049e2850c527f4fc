"""Completion scripts, and what they complete."""

import pytest


def test_each_shell_has_its_script(cli, subtests):
    for shell in ["bash", "zsh", "fish"]:
        with subtests.test(shell=shell):
            answer = cli("completion", shell)
            assert answer.code == 0
            assert "_MEMDECK_COMPLETE" in answer.out
            assert cli("completion", shell, "--json").json == {"shell": shell, "script": answer.out}


def completed(process, line: str) -> list[str]:
    words = line.split(" ")
    answer = process(
        _MEMDECK_COMPLETE="bash_complete", COMP_WORDS=line, COMP_CWORD=str(len(words) - 1)
    )
    assert (answer.code, answer.err) == (0, "")
    return [each.split(",", 1)[1] for each in answer.out.splitlines() if each]


@pytest.mark.slow
def test_ids_are_completed(process, remembered):
    identifier = remembered("Staging lives on host db-7")
    [word] = completed(process, f"memdeck show {identifier[:3]}")
    assert identifier.startswith(word)
    assert completed(process, "memdeck show zzzz") == []
    assert completed(process, "memdeck restore ") == []


def test_filters_are_completed(process, remembered):
    remembered("Staging lives on host db-7", "--type", "semantic")
    assert "type:semantic" in completed(process, "memdeck list type:sem")

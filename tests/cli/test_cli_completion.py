"""Completion scripts, and what they complete."""

import shlex
import shutil
import subprocess

import pytest

from memdeck.benchmarks.gallery.programs import put_program


def test_each_shell_has_its_script(cli, subtests):
    for shell in ["bash", "zsh", "fish"]:
        with subtests.test(shell=shell):
            answer = cli("completion", shell)
            assert answer.code == 0
            assert "_MEMDECK_COMPLETE" in answer.out
            assert cli("completion", shell, "--json").json == {"shell": shell, "script": answer.out}


def test_an_unknown_shell_is_a_usage_error(cli):
    assert cli("completion", "tcsh").code == 2
    assert cli("completion").code == 2


def completed(process, line: str) -> list[str]:
    words = line.split(" ")
    answer = process(
        _MEMDECK_COMPLETE="bash_complete", COMP_WORDS=line, COMP_CWORD=str(len(words) - 1)
    )
    assert (answer.code, answer.err) == (0, "")
    return [each.split(",", 1)[1] for each in answer.out.splitlines() if each]


@pytest.mark.slow
def test_commands_and_options_are_completed(process):
    assert set(completed(process, "memdeck re")) >= {"recall", "receipts", "remember", "restore"}
    assert completed(process, "memdeck list --lim") == ["--limit"]
    assert completed(process, "memdeck export --format c") == ["csv"]
    assert completed(process, "memdeck serach --lim") == []  # a slip says nothing on the prompt


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


def test_completion_in_a_store_that_cannot_be_used_is_silent(process, no_home):
    no_home.write_text("a file where a folder must be")
    assert completed(process, "memdeck show a") == []


def test_bash_completes_the_value_of_a_filter(cli, tmp_path):
    """Bash parts words at colons; what stands before one already is not written again."""
    bash = shutil.which("bash")
    assert bash is not None
    asked = tmp_path / "asked"
    put_program(
        tmp_path / "memdeck",
        f'#!/bin/sh\necho "$COMP_WORDS,$COMP_CWORD" >> "{asked}"\necho plain,type:semantic\n',
    )
    script = cli("completion", "bash").out
    for words, line in (
        (["memdeck", "list", "'a b'", "type", ":", "se"], "memdeck list  'a b' type:se"),
        (["memdeck", "list", "--project", "=", "x", "type", ":"], "memdeck list --project=x type:"),
        (["memdeck", "list", "type", ""], "memdeck list type "),
    ):
        script += (
            f"\nCOMP_WORDS=({shlex.join(words)}) COMP_CWORD={len(words) - 1} COMPREPLY=()\n"
            f"COMP_LINE={shlex.quote(line)} COMP_POINT={len(line)}\n"
            'COMP_WORDBREAKS=":="; _memdeck_completion memdeck; echo "${COMPREPLY[*]}"\n'
        )
    done = subprocess.run(
        [bash], input=script, text=True, check=True, capture_output=True,
        env={"PATH": f"{tmp_path}:/usr/bin:/bin"},
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("semantic\nsemantic\ntype:semantic\n", "")
    assert asked.read_text() == (
        "memdeck\nlist\n'a b'\ntype:se,3\n"
        "memdeck\nlist\n--project=x\ntype:,3\n"
        "memdeck\nlist\ntype\n,3\n"
    )

"""Slash commands: files that each host can read, and words that no shell ever runs."""

import json
import os
import re
import shlex
import subprocess
import tomllib

import pytest

from memdeck.benchmarks.gallery.programs import put_program
from memdeck.hosts.commands import COMMANDS, files
from memdeck.hosts.install import host_of
from memdeck.hosts.wire import WORDS_END

NAMES = tuple(one.name for one in COMMANDS)

PLAIN = "/opt/memdeck/bin/memdeck"
MARKDOWN = ("claude", "codex", "opencode")
HOSTILE = (
    '"; touch pwned; "',
    "'; touch pwned; '",
    "$(touch pwned)",
    "`touch pwned`",
    "one line\ntouch pwned\n$(touch pwned)",
    'it\'s "quoted" & more | touch pwned',
    f"MEMDECK_WORD\n{WORDS_END};touch pwned\n {WORDS_END}\n",
    "--pin -h --stdin",
    "naïve “quotes” — 日本 👩‍💻",
    "\\",
    "a\\'; touch pwned #",
    "<<EOF > pwned",
)


def head(text):
    """The frontmatter of a page, whose values are all JSON."""
    fence, lines, _ = text.split("---\n", 2)
    assert fence == ""
    fields = (line.partition(": ") for line in lines.splitlines() if not line.startswith("#"))
    return {name: json.loads(value) for name, _, value in fields}


def script(page):
    """What the agent is asked to run."""
    [found] = re.findall(r"^```sh\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    return found


def pages(host, program=PLAIN):
    """The text of each command of a host, without Codex's policy files."""
    made = files(host_of(host).commands, "project", "/src/acme", program, "")
    texts = [text.decode() for path, text in made if not path.endswith(".yaml")]
    return dict(zip(NAMES, texts, strict=True))


PLACES = ('it\'s a "bin"; touch pwned \\ & co; (x) ', "bin")


@pytest.fixture(params=PLACES)
def recorder(tmp_path, request):
    """A program at an awkward path, which notes how it was called."""
    folder = tmp_path / request.param
    folder.mkdir()
    program = folder / "memdeck"
    notes = shlex.quote(str(tmp_path / "notes"))
    put_program(
        program,
        f"#!/bin/sh\nmkdir -p {notes}\nprintf '%s\\0' \"$@\" > {notes}/words\n"
        f'case " $* " in *" --stdin "*) cat > {notes}/given ;; esac\n',
    )
    return str(program)


def ran(command, tmp_path):
    """(the words, the standard input) of the program's one call; nothing else happened."""
    project = tmp_path / "project"
    project.mkdir(exist_ok=True)
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=project,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert os.listdir(project) == []
    notes = tmp_path / "notes"
    words = (notes / "words").read_bytes().decode().split("\0")[:-1]
    given = notes / "given"
    return words, given.read_bytes().decode() if given.exists() else ""


# --- the files


def test_pages_have_a_head_that_the_host_reads(subtests):
    for host in MARKDOWN:
        with subtests.test(host=host):
            for name, page in pages(host).items():
                fields = head(page)
                assert (
                    set(fields)
                    == {
                        "claude": {
                            "description",
                            "argument-hint",
                            "disable-model-invocation",
                            "allowed-tools",
                        },
                        "codex": {"name", "description"},
                        "opencode": {"description"},
                    }[host]
                )
                assert len(str(fields["description"])) < 1024
                assert fields.get("name", name) == name


def test_codex_never_uses_a_skill_of_ours_unasked():
    made = files(host_of("codex").commands, "user", "", PLAIN, "")
    policies = [text for path, text in made if "openai" in path]
    assert [text.decode().splitlines()[1:] for text in policies] == [
        ["policy:", "  allow_implicit_invocation: false"]
    ] * len(NAMES)


def test_claude_may_run_just_this_command_unasked():
    assert head(pages("claude")["pin"])["allowed-tools"] == f"Bash({PLAIN} memory slash pin:*)"
    assert "allowed-tools" not in head(pages("claude", "/opt/my bin/memdeck")["pin"])


# --- what a shell makes of them


@pytest.mark.parametrize("host", [*MARKDOWN, "gemini"])
def test_words_in_a_here_document_arrive_as_they_are(host, recorder, tmp_path, subtests):
    shown = pages(host, recorder)
    if host == "gemini":
        shown = {name: tomllib.loads(text)["prompt"] for name, text in shown.items()}
    place = {"codex": r"\(here: all that .*\)", "gemini": r"\{\{args\}\}"}.get(host, r"\$ARGUMENTS")
    for words in HOSTILE:
        with subtests.test(words=words):
            name = NAMES[len(words) % len(NAMES)]
            asked = script(shown[name])
            command = re.sub(f"^{place}$", lambda _, words=words: words, asked, flags=re.MULTILINE)
            assert command != asked
            called, given = ran(command, tmp_path)
            assert called == ["memory", "slash", name, "--stdin"]
            assert given == f"{words}\n"

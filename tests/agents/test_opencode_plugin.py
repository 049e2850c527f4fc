"""Plugin and adapter agree; `drive_opencode_plugin.mjs` beside this runs the plugin in Node."""

import re
from pathlib import Path

import memdeck
from memdeck.cli.main import run

PLUGIN = Path(memdeck.__file__).parent / "hosts" / "opencode" / "plugin.js"
TEXT = PLUGIN.read_text("utf-8")


def words_after(name):
    """The quoted words of a constant."""
    found = re.search(rf"^const {name} =(.*?)(?=\n(?:const|\n|//))", TEXT, re.S | re.M)
    return " ".join(re.findall(r'"([^"]+)"', found[1])).split()


def asked_in_code():
    """The events that the code hands to memdeck, spelled out."""
    called = set(re.findall(r'\b(?:ask|tell)\("([\w.]+)"', TEXT))
    named = set(
        re.findall(r'(?:const hook = |\? |: )"((?:session|subagent|experimental)[\w.]+)"', TEXT)
    )
    return called | named


def test_the_first_line_says_whose_it_is():
    assert TEXT.startswith("// memdeck ")


def test_each_place_to_fill_in_stands_once_in_a_line_of_its_own(subtests):
    for place in ["@HOOK@", "@HOME@", "@EVENTS@"]:
        with subtests.test(place=place):
            assert TEXT.count(place) == 1
            assert re.search(rf'^const [A-Z]+ = "{place}"$', TEXT, re.M)


def test_it_exports_the_plugin_alone():
    """OpenCode takes every export for a plugin."""
    assert re.findall(r"^export .*?(\w+) =", TEXT, re.M) == ["Memdeck"]


def test_every_event_it_sends_can_be_read_and_the_other_way_round():
    """What can be read of each, says test_opencode_adapter.py."""
    sessions = ("created", "idle", "error", "compacted", "deleted")
    tools = ("tool.execute.before", "tool.execute.after", "command.failed", "todo.updated")
    assert asked_in_code() == {
        *(f"session.{name}" for name in sessions),
        *("subagent.created", "chat.message", "experimental.session.compacting", "dispose"),
        *tools,
    }


def test_left_as_it_is_it_asks_for_what_an_installation_asks_for(tmp_path):
    (tmp_path / "acme").mkdir()
    assert run(["install", "opencode", "--scope", "project", "--project", f"{tmp_path}/acme"]) == 0
    installed = (tmp_path / "acme" / ".opencode" / "plugins" / "memdeck.js").read_text()
    asked = re.search(r'^const ASKED = "(.*)"$', installed, re.M)[1]
    assert sorted(words_after("DEFAULT")) == sorted(asked.split())


def test_every_hook_is_wrapped_so_that_none_can_throw():
    hooks = TEXT[TEXT.index("  return {\n    event: safe(") :]
    entries = re.findall(r'^    (?:"[\w.]+"|\w+): (.*)', hooks, re.M)
    assert len(entries) == 8
    assert all(entry.startswith("safe(") for entry in entries)

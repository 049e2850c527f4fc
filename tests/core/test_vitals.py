"""What each agent used, and what a person keeps from ageing."""

import pytest

from memdeck import Refused


def test_only_a_person_keeps_and_only_what_is_live(core, open_core, offer):
    note = offer(category="task_progress").memory_id
    with pytest.raises(Refused, match="Only the user"):
        open_core(actor="agent").keep(note)
    core.forget(note)
    with pytest.raises(Refused):
        core.keep(note)


def test_usage_is_counted_by_agent(core):
    core.remember("The release freeze for the harbour app lasts until the second tide gate is in")
    core.recall("when is the release freeze over?", host="codex")
    usage = core.services.vitals.usage()
    [codex] = usage.agents
    assert (codex.agent, codex.injections, codex.memories) == ("codex", 1, 1)
    assert usage.of("claude").tokens == 0
    assert usage.total("tokens") == codex.tokens > 0

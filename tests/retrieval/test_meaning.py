"""Search by meaning: found without a common word, filtered, explained, filled, erased."""

import contextlib
import sqlite3
import subprocess
import sys
import textwrap

import pytest
from tokenizers import BertWordPieceTokenizer

from memdeck import BadInput, Refused
from memdeck.agents.doctor import examine
from memdeck.core.models.encoders import PIECES, encoder_called
from memdeck.tests.mending import rebuild

NOTES = (
    "Passwords of customers are hashed with argon2 before they are saved.",
    "The harbour crane lifts twelve tons in calm weather.",
    "Invoices are sent by e-mail on the first of each month.",
    "The car is repaired by the mechanic in Hamburg.",
)
ASKED = {  # question -> place of the note without a common word
    "credentials encryption": 0,
    "automobile garage": 3,
}


@pytest.fixture
def encoded(core, keep, settings):
    """The ids of the notes, each with a vector."""
    settings(encoder="minilm")
    ids = keep(*NOTES, type="semantic")
    core.maintenance.run()
    return ids


def vectors(core):
    with sqlite3.connect(core.home.database) as database:
        return [num for (num,) in database.execute("SELECT memory FROM memory_vector")]


@pytest.mark.parametrize("profile", ["blend", "additive", "multiplicative"])
@pytest.mark.parametrize(("question", "place"), ASKED.items())
def test_a_note_is_found_without_a_common_word(core, encoded, settings, question, place, profile):
    settings(encoder="minilm", ranking=profile)
    [first, *_] = core.search(question)
    assert first.id == encoded[place]
    assert first.parts == {"meaning": first.score}
    assert core.services.search.account(question, first) == ("its meaning is near",)
    assert core.find(question).nums[0] == first.memory.num
    settings(ranking=profile)
    assert core.search(question) == []


def test_what_the_model_only_spells_is_near_to_nothing(core, encoded, keep):
    keep("提交前必须运行所有单元测试。", type="semantic")
    core.maintenance.run()
    assert core.search("数据库每天凌晨备份吗") == []


def test_a_note_with_the_words_stays_first(core, encoded, keep):
    [named] = keep("The garage opens at seven.", type="semantic")
    hits = core.search("automobile garage")
    assert [hit.id for hit in hits][:2] == [named, encoded[3]]
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert all(abs(sum(hit.parts.values()) - hit.score) < 1e-9 for hit in hits)


@pytest.mark.parametrize(
    "query",
    [
        "automobile garage type:episodic",
        "automobile garage -hamburg",
        '"automobile garage"',
        "automobile garage is:retired",
        "automobile garage created:<2020-01-01",
    ],
)
def test_filters_hold_for_what_is_near(core, encoded, query):
    assert encoded[3] not in [hit.id for hit in core.search(query)]


def test_what_acts_on_all_matches_takes_words_only(core, encoded):
    assert list(core.services.search.nums("automobile garage")) == []
    assert core.count("automobile garage") == 0


def test_neither_another_project_nor_an_agent_sees_more_by_meaning(core, open_core, encoded, keep):
    assert open_core("pier").search("automobile garage") == []
    keep("Rent a vehicle at the quay.", type="semantic", privacy="private", session="s1")
    core.maintenance.run()
    texts = [hit.memory.content for hit in open_core(actor="agent").search("automobile garage")]
    assert NOTES[3] in texts
    assert "Rent a vehicle at the quay." not in texts


def test_recall_injects_what_is_surely_near(core, encoded, keep, settings):
    [near] = keep("The login password of the database is rotated weekly.", type="semantic")
    core.confirm(near)
    core.maintenance.run()
    question = "passwords for databases rotate each week"
    assert near in [hit.id for hit in core.recall(question).items]
    injection = core.recall("automobile garage", write_receipt=False)
    assert injection.items == ()


ACTS = {
    "forgotten": lambda core, ref: core.forget(ref),
    "edited": lambda core, ref: core.edit(ref, content="The crane rests on Sundays."),
}


@pytest.mark.parametrize("act", ACTS)
def test_a_text_that_goes_takes_its_vector_along(core, encoded, act):
    """Undo brings the text back, and the next maintenance its vector."""
    num = core.show(encoded[3]).num
    assert num in vectors(core)
    ACTS[act](core, encoded[3])
    assert num not in vectors(core)
    assert core.search("automobile garage") == []
    core.undo()
    core.maintenance.run()
    assert num in vectors(core)
    assert core.search("automobile garage")[0].id == encoded[3]


def test_vectors_are_derived(core, encoded, open_core):
    """They are in no entry of the journal; a rebuild, as after a purge, starts without any."""
    with open(f"{core.home.journal}/000001.jsonl", encoding="utf-8") as journal:
        assert "memory_vector" not in journal.read()
    core.close()
    rebuild(core.home)
    again = open_core()
    assert vectors(again) == []
    assert again.verify().problems == ()
    again.maintenance.run()
    assert len(vectors(again)) == len(NOTES)


@pytest.mark.parametrize("is_incognito", [False, True])
def test_background_runs_add_vectors_and_incognito_sessions_none(
    core, settings, keep, is_incognito
):
    settings(encoder="minilm")
    core.maintenance.run()
    core.session_seen("s1", "claude", "/p", None)
    if is_incognito:
        core.set_incognito("s1")
    with contextlib.suppress(Refused):
        core.learn("The gateway listens on port 9443.", session="s1")
    core.maintenance.after_drain()
    assert len(vectors(core)) == (0 if is_incognito else 1)


def test_another_encoder_makes_its_own_vectors(core, encoded, settings, tmp_path):
    """A folder with a model, whose tokenizer fills texts up to a length."""
    tokenizer = BertWordPieceTokenizer(PIECES)
    tokenizer.enable_padding(length=128)
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    (tmp_path / "model.onnx").symlink_to(encoder_called("minilm").weights)
    settings(encoder=str(tmp_path))
    assert core.search("automobile") == []
    assert core.maintenance.run().done["vectors"] == len(NOTES)
    assert core.search("automobile")[0].id == encoded[3]
    [finding] = [f for f in examine(core.home, "harbour") if f.name == "meaning"]
    assert finding.ok
    assert "All memories have a vector" in finding.message


@pytest.mark.parametrize("encoder", ["/nowhere/model", "ollama"])
def test_an_encoder_that_fails_leaves_search_by_words(core, keep, encoder):
    core.home.prepare()
    with open(core.home.config, "w", encoding="utf-8") as file:
        file.write(
            f'[recall]\nencoder = "{encoder}"\n[review.engines.ollama]\nkind = "openai"\n'
            'model = "nomic-embed-text"\nurl = "http://127.0.0.1:9"\n'
        )
    core.context.reload_policy()
    [note] = keep(NOTES[1], type="semantic")
    assert [hit.id for hit in core.search("harbour crane")] == [note]
    with pytest.raises(BadInput, match="fails"):
        core.maintenance.run()
    assert not core.services.vitals.is_due()
    [finding] = [f for f in examine(core.home, "harbour") if f.name == "meaning"]
    assert not finding.ok
    assert encoder in finding.message


@pytest.mark.parametrize(
    ("name", "why"), [("nobody", "there is no encoder"), ("claude", "there is no encoder")]
)
def test_a_name_that_is_no_encoder_is_named_and_not_used(core, settings, name, why):
    settings(encoder=name)
    assert core.policy.recall.encoder == ""
    [problem] = core.settings_problems()
    assert why in str(problem)


def test_without_the_setting_nothing_is_imported(home_path):
    script = f"""
        import sys
        from memdeck import open_memory
        with open_memory({str(home_path)!r}, "harbour") as memory:
            memory.remember("The harbour crane lifts twelve tons.")
            memory.maintenance.run()
            assert memory.search("harbour crane") and memory.recall("harbour crane").items
        loaded = {{"numpy", "onnxruntime", "memdeck.core.services.meaning"}}
        print(sorted(loaded & set(sys.modules)))
    """
    command = [sys.executable, "-c", textwrap.dedent(script)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"

"""Servers as reviewers: what is sent where, and what a server may do without harm."""

import json
import time
from dataclasses import replace

import pytest

from memdeck import BadInput
from memdeck.core.config.settings import EnginePolicy
from memdeck.core.models.client import NoReply
from memdeck.core.models.encoders import encoder_called

KEY = "k" * 8 + "-4711-" + "of-a-test"
WORDS = '{"importance": 6, "reason": "Useful."}'


def openai(words=WORDS, **usage):
    return {"choices": [{"message": {"role": "assistant", "content": words}}], "usage": usage}


@pytest.fixture(autouse=True)
def _key(monkeypatch):
    monkeypatch.setenv("JUDGE_KEY", KEY)


@pytest.fixture
def ask_openai(model_server, ask):
    return lambda **more: ask(
        **{"kind": "openai", "url": f"{model_server.url}/v1", "model": "llama3.2", **more}
    )


def test_an_openai_compatible_server_is_asked(model_server, ask_openai):
    model_server.answers(openai())

    vote = ask_openai(key_variable="JUDGE_KEY")

    (request,) = model_server.requests
    assert request["path"] == "/v1/chat/completions"
    assert request["headers"]["authorization"] == f"Bearer {KEY}"
    assert set(request["body"]) == {"model", "messages", "stream"}
    assert request["body"]["model"] == "llama3.2"
    assert request["body"]["stream"] is False
    (message,) = request["body"]["messages"]
    assert message["role"] == "user"
    assert "Always run make migrate" in message["content"]
    assert (vote.status, vote.score, vote.reason) == ("ok", 6.0, "Useful.")
    assert vote.engine == "openai llama3.2"


# --- where nothing is sent


def test_an_address_that_would_expose_notes_or_keys_is_refused(reviewer, note, subtests):
    rows = [
        ("http://models.example/v1", "unencrypted"),
        ("http://10.0.0.7:11434", "unencrypted"),
        ("http://0.0.0.0:11434", "unencrypted"),
        ("http://127.0.0.1.evil.example", "unencrypted"),
        ("http://localhost.evil.example", "unencrypted"),
        ("http://[2001:db8::1]/", "unencrypted"),
        ("http://localhost@evil.example", "no password"),
        ("https://me:word@models.example", "no password"),
        ("https://models.example/v1?key=1", "ends with its path"),
        ("ftp://models.example", "begins with https://"),
        ("file:///etc/hosts", "begins with https://"),
        ("models.example/v1", "begins with https://"),
        ("https://", "begins with https://"),
        ("https://a.example:port/", "no address"),
        ("https://[::1", "no address"),
    ]
    for url, says in rows:
        with subtests.test(url=url):
            voter = reviewer(kind="openai", url="https://models.example", model="m")
            vote = replace(
                voter, model=replace(voter.model, engine=replace(voter.model.engine, url=url))
            ).review(note(), 5.0)
            assert (vote.status, vote.cost_usd) == ("failed", 0)
            assert "Nothing was sent" in vote.reason
            assert says in vote.reason
            with pytest.raises(BadInput, match=says):  # settings do not take it either
                reviewer(kind="openai", url=url, model="m")


def test_a_redirect_is_not_followed(model_server, ask_openai):
    model_server.status = 307
    model_server.headers = {"location": f"{model_server.url}/elsewhere"}
    vote = ask_openai(key_variable="JUDGE_KEY")
    assert vote.status == "failed"
    assert vote.reason == "HTTP 307: redirects are not followed."
    assert len(model_server.requests) == 1


# --- keys


def test_without_its_key_nothing_is_sent(model_server, ask_openai, monkeypatch):
    monkeypatch.delenv("JUDGE_KEY")
    vote = ask_openai(key_variable="JUDGE_KEY")
    assert (vote.status, vote.cost_usd) == ("failed", 0.0)
    assert "JUDGE_KEY" in vote.reason
    assert model_server.requests == []


# --- what a server may do


def test_a_server_that_hangs_is_not_waited_for(model_server, ask_openai, subtests):
    for hangs in ["before", "amid", "drip"]:
        with subtests.test(hangs=hangs):
            model_server.answers(openai("x" * 20_000))  # dripping takes a quarter of an hour
            model_server.hangs = hangs
            begun = time.monotonic()
            vote = ask_openai(limit_s=1.5)
            assert time.monotonic() - begun < 60
            assert (vote.status, vote.reason) == ("timeout", "No answer within 1.4 s.")


ROWS = [{"index": 1, "embedding": [0, 1]}, {"index": 0, "embedding": [1, 0]}]


@pytest.mark.parametrize(
    ("data", "is_usable"),
    [(ROWS, True), (ROWS[:1], False), ([{"index": 0}], False), ([], False), (None, False)],
)
def test_a_server_can_encode_texts(model_server, data, is_usable):
    """In the order of the texts, or not at all."""
    engine = EnginePolicy("openai", "embed", url=model_server.url)
    model_server.body = json.dumps({"data": data}).encode()
    encoder = encoder_called("local", engine)
    if is_usable:
        assert encoder.encode(["crane", "berth"]).tolist() == [[1, 0], [0, 1]]
    else:
        with pytest.raises(NoReply):
            encoder.encode(["crane", "berth"])
    [request] = model_server.requests
    assert request["path"].endswith("/embeddings")
    assert request["body"] == {"model": "embed", "input": ["crane", "berth"]}

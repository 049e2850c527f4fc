"""Secrets that pass through a session are found in no file of ours, nor on any output."""

import base64
import hashlib
import os

import pytest


def chance(name, length, alphabet="ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789"):
    """Characters that look like chance; made here, so that no file holds a secret."""
    digest = hashlib.shake_256(name.encode()).digest(length)
    return "".join(alphabet[byte % len(alphabet)] for byte in digest)


def pem():
    body = base64.b64encode(hashlib.shake_256(b"pem").digest(600)).decode()
    lines = [body[at : at + 64] for at in range(0, len(body), 64)]
    name = "RSA PRIVATE KEY"
    return f"-----BEGIN {name}-----\n" + "\n".join(lines) + f"\n-----END {name}-----"


def jwt():
    head = base64.urlsafe_b64encode(b'{"alg":"HS256","typ":"JWT"}').decode().rstrip("=")
    body = base64.urlsafe_b64encode(b'{"sub":"1234567890","admin":true}').decode().rstrip("=")
    return f"{head}.{body}.{chance('jwt', 43)}"


PASSWORD = chance("url", 14)
AWS_ID, AWS_SECRET = (
    "AKIA" + chance("aws", 16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"),
    chance("aws", 40),
)
PEM = pem()

PLANTED = {
    "github": f"the token ghp_{chance('github', 36)}",
    "aws": f"AWS_ACCESS_KEY_ID={AWS_ID} and AWS_SECRET_ACCESS_KEY={AWS_SECRET}",
    "pem": PEM,
    "url": f"postgres://deploy:{PASSWORD}@db.acme.dev:5432/orders",
    "jwt": f"Authorization: Bearer {jwt()}",
    "slack": f"xoxb-{chance('a', 12, '0123456789')}-{chance('b', 12, '0123456789')}-{chance('slack', 24)}",
    "anthropic": f"sk-ant-api03-{chance('anthropic', 93)}AA",
    "password": f"password: {chance('password', 16)}",
}
"""How each secret is written by those who should not."""

TRACES = {
    "github": [chance("github", 36)],
    "aws": [AWS_ID, AWS_SECRET],
    "pem": PEM.splitlines()[1:-1],
    "url": [PASSWORD],
    "jwt": [chance("jwt", 43)],
    "slack": [chance("slack", 24)],
    "anthropic": [chance("anthropic", 93)],
    "password": [chance("password", 16)],
}
"""What must be found nowhere."""


def live_with(session, name):
    """A session in which the secret turns up wherever one can: one fact, many places."""
    secret = PLANTED[name]
    session.tell("SessionStart", source="startup")
    rule = f"From now on always deploy the {name} service of staging with {secret} please."
    session.ask(rule)
    session.says(rule, f"Remember that the {name} service needs {secret} in production.")
    session.says(f"{secret}\nis what the {name} service uses. Never show it to anybody else.")
    session.uses(
        "Bash", {"command": f"deploy {name} --with '{secret}'"}, f"no: {secret}", failed=True
    )
    session.uses("Bash", {"command": f"export TOKEN='{secret}'; deploy {name}"}, "deployed")
    session.uses("Write", {"file_path": f"{session.cwd}/.env", "content": secret}, "written")
    todos = [{"content": f"Rotate {secret} of the {name} service", "status": "pending"}]
    session.todos("TodoWrite", {"todos": todos}, {"oldTodos": [], "newTodos": todos})
    session.uses("TodoWrite", {"todos": todos}, "Todos have been modified successfully.")
    task = {"subject": f"Replace {secret} in {name}", "description": secret}
    session.todos("TaskCreate", task, {"task": {"id": "1", "subject": task["subject"]}})
    session.uses("TaskCreate", task, f"Task #1 created successfully: {task['subject']}")
    session.answers(f"The {name} service is deployed now. Decision: it uses {secret} on staging.")
    session.tell("Stop", stop_hook_active=False, last_assistant_message=f"It uses {secret}.")
    session.tell("PreCompact", trigger="manual", custom_instructions=f"keep {secret}")
    session.end()


def found_in_files(folder, texts):
    """Every (file, text) such that the file's raw bytes hold the text."""
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            with open(path, "rb") as file:
                data = file.read()
            yield from ((path, text) for text in texts if text.encode() in data)


def test_planted_secrets_are_found_nowhere(start, repository, cli, home, settle, known, no_drain):
    repo = repository("shop", f"https://ci:ghp_{chance('github', 36)}@github.com/acme/shop.git")
    with no_drain():
        for name in PLANTED:
            live_with(start(f"with-{name}", repo), name)
    assert cli("drain", cwd=repo).code == 0
    memories = known(cwd=repo)
    assert any("[REDACTED:" in one.content for one in memories)

    everything = [text for texts in TRACES.values() for text in texts]
    shown = []
    for name, secret in PLANTED.items():
        shown.append(start("later", repo).ask(f"how is the {name} service deployed? {secret}"))
        assert "deploy" in shown[-1], name
    asked = "\n".join(PLANTED.values())
    for words in (
        ("search", asked),
        ("recall", asked, "--explain"),
        ("remember", f"All keys of the shop at once, for the record: {asked}"),
        ("list", "--json"),
        ("audit", "--json"),
        ("receipts", "--json"),
        ("export", "--format", "jsonl"),
        ("status",),
    ):
        answer = cli(*words, cwd=repo)
        assert answer.code == 0, (words, answer.err)
        shown += [answer.out, answer.err]
    settle()
    assert [text for text in everything if text in "\n".join(shown)] == []
    assert list(found_in_files(home.path, everything)) == []
    assert cli("rebuild", cwd=repo).code == 0
    assert list(found_in_files(home.path, everything)) == []


@pytest.mark.parametrize("name", ["github", "url"])
def test_a_secret_is_nowhere_even_while_it_waits(name, start, repo, home, no_drain):
    session = start(f"with-{name}", repo)
    with no_drain():
        live_with(session, name)
        assert list(found_in_files(home.path, TRACES[name])) == []
    assert list(found_in_files(session.transcript.parent, TRACES[name]))  # there it is, not ours

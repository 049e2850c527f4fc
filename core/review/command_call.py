"""Asking a program: an agent without a person in front of it, or one that the person names.

Each call has an empty folder of its own to work in, which no project's settings lie in, and
another for the files that the host's dialect needs. Both are gone afterwards.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .. import hosts
from .command_dialect import ANSWER_SCHEMA, NO_HOOKS, Call, Dialect, read_program
from .command_run import run
from .replies import NoReply, Reply

_CLEAN_UP_S = 10.0


@dataclass(frozen=True, slots=True)
class Command:
    """A program as an engine: `kind` names the dialect, `program` the words of any other."""

    kind: str  # the name of a host, or program
    model: str = ""
    program: Sequence[str] = ()

    def ask(self, prompt: str, schema: Mapping[str, object], limit_s: float) -> Reply:
        """Its reply to the prompt. Raises NoReply."""
        environment = dict(os.environ)
        with tempfile.TemporaryDirectory(
            prefix="memdeck-review-", ignore_cleanup_errors=True
        ) as place:
            files, folder = os.path.join(place, "files"), os.path.join(place, "empty")
            os.mkdir(files, 0o700)
            os.mkdir(folder, 0o700)
            _write(os.path.join(files, ANSWER_SCHEMA), schema)
            _write(os.path.join(files, NO_HOOKS), {"hooksConfig": {"enabled": False}})
            call = Call(self.model, files, environment)
            dialect = self._dialect()
            arguments = dialect.arguments(call)
            arguments[0] = _found(arguments[0], environment)
            printed = ""
            try:
                done = run(
                    arguments,
                    text=prompt,
                    folder=folder,
                    environment={**environment, **dialect.environment(call)},
                    limit_s=limit_s,
                )
                printed = done.stdout
                return dialect.read(done, call)
            except NoReply as failure:
                printed = printed or failure.output
                raise
            finally:
                if later := dialect.clean_up(printed):
                    words = [arguments[0], *later[1:]]
                    threading.Thread(target=_clean_up, args=(words, environment)).start()

    def _dialect(self) -> Dialect:
        if self.kind == "program":
            return Dialect(lambda _call: list(self.program), read_program)
        host = hosts.registry.host(self.kind)
        if host is None or host.headless is None:
            reason = f"{self.kind} cannot be asked without a person."
            raise NoReply("failed", reason, is_asked=False)
        return host.headless


def _found(name: str, environment: Mapping[str, str]) -> str:
    """Where a program lies: looked up here, so that its empty folder plays no part in it."""
    path = shutil.which(os.path.expanduser(name), path=environment.get("PATH"))
    if path is None:
        is_file = os.sep in name and os.path.isfile(os.path.expanduser(name))
        why = "it is not executable" if is_file else "it is not installed, or not on the PATH"
        reason = f"{name} cannot be started: {why}."
        raise NoReply("failed", reason, is_asked=False)
    return os.path.abspath(path)


def _clean_up(arguments: Sequence[str], environment: Mapping[str, str]) -> None:
    """Run a host's own way to forget a session; nobody waits for it, and it may fail."""
    with tempfile.TemporaryDirectory(
        prefix="memdeck-review-", ignore_cleanup_errors=True
    ) as folder:
        try:
            run(arguments, text="", folder=folder, environment=environment, limit_s=_CLEAN_UP_S)
        except NoReply:
            return


def _write(path: str, content: Mapping[str, Any]) -> None:
    with open(path, "w", encoding="utf-8") as file:
        json.dump(content, file)

"""The coordinator's recall: what an agent would be told, and 001's `retrieve`."""

import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from rapidfuzz import fuzz

from .base import to_ms
from .drafting import outside_name
from .errors import BadInput
from .limits import CHOICES, RecallLimits
from .receipts import make_receipt
from .retrieval.pipeline import recall
from .sessions import Sessions
from .suggesting import Suggesting
from .values import Injection, Memory


class Recalling(Suggesting, Sessions):
    """Questions asked on behalf of an agent."""

    def recall(
        self,
        prompt: str,
        *,
        host: str = "claude",
        session: str | None = None,
        context_left: int | None = None,
        policy: str | None = None,
        files: Sequence[str] = (),
        event: str = "UserPromptSubmit",
        write_receipt: bool = True,
    ) -> Injection:
        """The text that `host` would get with this prompt, and the account of it.

        `context_left` is in tokens; `policy` names a budget policy, by default the configured
        one. The receipt is stored unless `write_receipt` is off, as in a preview.
        """
        started = time.perf_counter()
        session = outside_name(session) or self.session
        injection = recall(
            self._reader(),
            prompt,
            project=self.project_id,
            limits=self._limits(policy),
            now_ms=self.now_ms(),
            host=host,
            session=session,
            context_left=context_left,
            files=files,
            event=event,
        )
        receipt = make_receipt(
            injection,
            prompt=prompt,
            host=host,
            project=self.project_id,
            session=session,
            event=event,
            at_ms=self.now_ms(),
            latency_ms=(time.perf_counter() - started) * 1000,
            entropy=self.entropy,
        )
        if not write_receipt:
            return injection
        self.keep_receipt(receipt)
        return replace(injection, receipt=receipt["id"])

    def _limits(self, policy: str | None = None) -> RecallLimits:
        limits = self.policy.recall.limits()
        if policy is None:
            return limits
        if policy not in CHOICES["budget_policy"]:
            raise BadInput(
                f"There is no budget policy {policy!r}.",
                hint=f"Use: {', '.join(CHOICES['budget_policy'])}.",
            )
        return replace(limits, budget_policy=policy)

    def retrieve(
        self,
        query: str,
        memory_types: Sequence[str] | None = None,
        limit: int = 10,
        max_tokens: int | None = None,
        since: datetime | None = None,
        deduplicate: bool = False,
        similarity_threshold: float = 0.85,
    ) -> list[Memory]:
        """The memories that answer `query`, best first (001-06).

        Over-fetches threefold (001-05), skips what does not fit into `max_tokens`, and with
        `deduplicate` drops texts at least `similarity_threshold` (0-1) alike.
        """
        found: list[Memory] = []
        spent = 0
        for hit in self.search(query, limit=limit * 3):
            memory = hit.memory
            if memory_types and memory.type not in memory_types:
                continue
            if since and to_ms(memory.created_at) < to_ms(since):  # type: ignore[operator]
                continue
            if max_tokens is not None and spent + memory.tokens > max_tokens:
                continue
            if deduplicate and any(
                fuzz.ratio(memory.content, other.content) >= similarity_threshold * 100
                for other in found
            ):
                continue
            found.append(replace(memory, relevance_score=hit.score))
            spent += memory.tokens
            if len(found) == limit:
                break
        return found

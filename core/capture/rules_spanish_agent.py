"""How agents report in Spanish: findings, decisions, warnings, open ends, how things are now."""

from __future__ import annotations

from .rules import Rule, rx
from .weights import importance_of

AGENT: tuple[Rule, ...] = (
    Rule(
        "cause",
        rx(
            r"^(?:(?:lo\ )?encontr(?:é|ado)\s?[:.–—-]\s*)?(?:la\ (?:causa|culpa|razón)|el\ "
            r"(?:problema|motivo|fallo|error|"
            r"culpable)|causa|motivo)\b.{0,80}?(?:\b(?:era|es|fue|está|estaba|venía|viene)\b|"
            r"\s?:)(?:\s\S+){3,}"
        ),
        "discovery",
        "semantic",
        importance_of("cause"),
        0.75,
        "fact",
        ("discovery",),
        needs_fact=True,
    ),
    Rule(
        "turned-out",
        rx(r"^(?:resulta|resultó)\ que\s\S.*$"),
        "discovery",
        "semantic",
        importance_of("turned-out"),
        0.75,
        "fact",
        ("discovery",),
        needs_fact=True,
    ),
    Rule(
        "explained",
        rx(
            r"^(?:esto\ |eso\ |ello\ )?(?:viene|venía|pasa|pasaba|ocurre|ocurría|sucede|se\ debe|"
            r"se\ debía)\ (?:de|del|a|al|"
            r"porque|por)\b(?:\s\S+){3,}"
            r"|^(?!(?:he|hemos|esto|eso|lo)\b)(?=.{0,200}?(?:`|\w\(\)|"
            r"\w[./_]\w)).{8,160}?,?\s(?:porque|por\ eso|así\ que|"
            r"por\ lo\ que|de\ modo\ que|si\ no|de\ lo\ contrario)\b(?!\ (?:los?\ tests?|he|voy|"
            r"ahora)\b)(?:\s\S+){3,}"
        ),
        "discovery",
        "semantic",
        importance_of("explained"),
        0.7,
        "fact",
        ("discovery",),
        needs_fact=True,
    ),
    Rule(
        "decision",
        rx(r"^(?:decisión|decidido)\s?[:–—-]\s*(?P<said>\S.*)$"),
        "decision",
        "semantic",
        importance_of("decision"),
        0.8,
        "principle",
        ("decision",),
        lasts=True,
    ),
    Rule(
        "warning",
        rx(r"^(?:nota|ojo|cuidado|atención|aviso|importante)\s?[:–—-]\s*(?P<said>\S.*)$"),
        "warning",
        "semantic",
        importance_of("warning"),
        0.7,
        "fact",
        ("warning",),
        needs_fact=True,
    ),
    Rule(
        "follow-up",
        rx(r"^(?:pendientes?|queda\ pendiente|falta|por\ hacer)\s?[:–—-]\s*(?P<said>\S.*)$"),
        "task_progress",
        "prospective",
        importance_of("follow-up"),
        0.7,
        "followup",
        ("todo", "follow-up"),
        needs_fact=True,
    ),
)
REPORTS: tuple[Rule, ...] = (
    Rule(
        "outcome",
        rx(
            r"^(?!(?:he|hemos)\b).*\b(?:ahora|ya\ no)\b.*|^(?!(?:he|hemos)\b)(?:\S+\ ){1,6}?(?:lee|"
            r"escribe|devuelve|"
            r"guarda|valida|rechaza|usa|redondea|lanza)\b(?:\s\S+){2,}"
        ),
        "task_progress",
        "episodic",
        importance_of("outcome"),
        0.65,
        "agent_response",
        ("outcome",),
        needs_fact=True,
    ),
)

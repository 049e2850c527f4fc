"""How agents report in German: findings, decisions, warnings, open ends, how things are now."""

from __future__ import annotations

from .rules import Rule, rx
from .weights import importance_of

AGENT: tuple[Rule, ...] = (
    Rule(
        "cause",
        rx(
            r"^(?:gefunden\s?[:.–—-]\s*)?(?:der\ (?:eigentliche\ )?(?:grund|fehler|bug)|die\ "
            r"(?:eigentliche\ )?"
            r"ursache|das\ (?:eigentliche\ )?problem|ursache|grund|"
            r"fehlerursache)\b.{0,80}?(?:\b(?:war|ist|lag|"
            r"liegt|kam|kommt|steckt|steckte)\b|\s?:)(?:\s\S+){3,}"
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
        rx(
            r"^(?:es\ )?(?:hat\ sich\ (?:herausgestellt|gezeigt)|stellte?\ sich\ heraus),?\ "
            r"dass\s\S.*$"
        ),
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
            r"^(?:es|das|dies)\ (?:liegt|lag|kommt|kam|passiert|passierte|rührt)\b.{0,30}?\b(?:an|"
            r"am|daran|aus|"
            r"von|vom|daher|davon|weil)\b,?(?:\s\S+){3,}"
            r"|^(?!(?:ich|wir|du|es|das)\b)(?=.{0,200}?(?:`|\w\(\)|\w[./_]\w)).{8,160}?,\s(?:weil|"
            r"deshalb|"
            r"deswegen|daher|wodurch|sodass|so\ dass|sonst|ansonsten|andernfalls)\b(?:\s\S+){3,}"
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
        rx(r"^(?:entscheidung|entschieden)\s?[:–—-]\s*(?P<said>\S.*)$"),
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
        rx(r"^(?:hinweis|achtung|vorsicht|wichtig|zu\ beachten)\s?[:–—-]\s*(?P<said>\S.*)$"),
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
        rx(
            r"^(?:noch\ offen|offen|todo|offene\ punkte|nächste\ "
            r"schritte)\s?[:–—-]\s*(?P<said>\S.*)$"
        ),
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
            r"^(?!(?:ich|wir)\b).*\b(?:jetzt|nun|nicht\ mehr|nur\ noch)\b.*|^(?!(?:ich|"
            r"wir)\b)(?:\S+\ ){1,6}?"
            r"(?:liegt|liest|schreibt|prüft|rundet|verwendet|nutzt|liefert|speichert|lehnt|"
            r"wirft)\b(?:\s\S+){2,}"
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

"""How far the two token estimates are from a real tokenizer, by kind of text.

The tokenizer is one that a vendor has put into a package, so nothing is fetched at run time:
`pip install tokenizers "anthropic<0.39"` (or name a `tokenizer.json` in MEMDECK_TOKENIZER). Goals:
`strict` is never more than 10 % under; `words` is int(words x 1.3).
"""

import importlib.util
import os
from collections.abc import Callable
from pathlib import Path

from memdeck.core.text.tokens import estimate_tokens, strict_tokens

from . import report

ROOT = Path(__file__).parent.parent
LEAST = 0.9
"""Share of the real tokens that `strict` must reach on every kind of text."""

WRITTEN = {
    "german": "Vor den Integrationstests muss die Datenbank gestartet werden. Freitags keine"
    " Migrationen ausführen, weil niemand Bereitschaft hat.",
    "czech and vietnamese": "Příliš žluťoučký kůň úpěl ďábelské ódy. Trước khi chạy kiểm thử tích"
    " hợp, cần khởi động cơ sở dữ liệu.",
    "russian": "Перед запуском интеграционных тестов необходимо запустить базу данных.",
    "greek": "Πριν από την εκτέλεση των δοκιμών πρέπει να ξεκινήσει η βάση δεδομένων.",
    "arabic": "يجب تشغيل قاعدة البيانات قبل تشغيل اختبارات التكامل.",
    "hindi": "एकीकरण परीक्षण चलाने से पहले डेटाबेस शुरू करना होगा।",
    "thai": "ต้องเริ่มฐานข้อมูลก่อนรันการทดสอบ อย่ารันการย้ายข้อมูลในวันศุกร์",
    "chinese": "数据库的集成测试需要先启动服务，否则所有测试都会失败。请不要在星期五运行迁移脚本。",
    "japanese": "統合テストを実行する前に、データベースを起動する必要があります。",
    "korean": "통합 테스트를 실행하기 전에 데이터베이스를 시작해야 합니다.",
    "emoji": "😀🚀🔥✅ 👩‍🚀🇩🇪",
    "paths": "/usr/lib/python3/dist-packages/foo_bar/baz.py src/components/UserProfileCard.tsx",
    "names": "getUserByIdOrThrow parse_http_request_headers MAX_RETRY_COUNT __init__",
    "hashes": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 01k8f2qzzz4",
    "numbers": "5432 192.168.0.17 2026-11-21T20:31:23Z 3.1415926535",
}
FILES = {
    "english": ("docs/reference/hooks.md", "docs/reference/python.md"),
    "python": ("core/config/settings.py", "db/fast_reader.py"),
    "toml": ("pyproject.toml",),
}


def run() -> None:
    """Count every kind of text three ways."""
    count = _tokenizer()
    if count is None:
        print('\nToken estimates: not measured. pip install tokenizers "anthropic<0.39"')
        return
    texts = {name: _read(paths) for name, paths in FILES.items()}
    texts |= {name: f"{text}\n" * 5 for name, text in WRITTEN.items()}
    rows, figures = [], {}
    for name, text in texts.items():
        real = count(text)
        strict, words = strict_tokens(text) / real, estimate_tokens(text) / real
        mark = "ok" if strict >= LEAST else "UNDER"
        rows.append((name, f"{real:,}", f"{strict:.2f}", f"{words:.2f}", mark))
        figures[name] = {"tokens": real, "strict": strict, "words": words}
    report.table(
        "Estimated tokens, as a share of real ones", ("text", "real", "strict", "words", ""), rows
    )
    report.save("tokens", figures)


def _read(paths: tuple[str, ...]) -> str:
    return "\n".join((ROOT / path).read_text("utf-8") for path in paths)


def _tokenizer() -> Callable[[str], int] | None:
    """Counts real tokens; None where no tokenizer is installed."""
    path = os.environ.get("MEMDECK_TOKENIZER") or _bundled()
    if path is None or importlib.util.find_spec("tokenizers") is None:
        return None
    tokenizers = importlib.import_module("tokenizers")
    made = tokenizers.Tokenizer.from_file(path)
    return lambda text: len(made.encode(text, add_special_tokens=False).ids)


def _bundled() -> str | None:
    spec = importlib.util.find_spec("anthropic")
    for folder in (spec and spec.submodule_search_locations) or ():
        path = Path(folder, "tokenizer.json")
        if path.is_file():
            return str(path)
    return None

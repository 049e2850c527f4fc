"""Tests come in through a door: a move inside breaks only what names the moved thing."""

import pytest

from memdeck.tests.architecture.inner_modules import by_folder, imported, listed


@pytest.mark.slow
def test_tests_import_the_inner_modules_that_are_listed_and_no_others():
    allowed = set(listed())
    for folder, modules in by_folder().items():
        for module in modules.keys() - allowed:
            pytest.fail(
                f"tests/{folder} imports {module} in {sorted(modules[module])}: go through the "
                "Python API, the command line, a hook's stdin or the app. "
                "tests/inner_modules.txt gets shorter, not longer."
            )
    used = {module for modules in by_folder().values() for module in modules}
    assert listed() == sorted(used & set(listed())), (
        "run `python -m memdeck.tests.architecture.inner_modules`"
    )


def test_an_import_is_seen_wherever_it_stands(subtests):
    rows = [
        ("import memdeck.core.errors as errors", ["memdeck.core.errors"]),
        ("from memdeck.core import errors", ["memdeck.core.errors"]),
        ("from memdeck.core.errors import NotFound", ["memdeck.core.errors"]),
        ("def late():\n    from memdeck.db import store", ["memdeck.db.store"]),
        ("patch('memdeck.db.store.Store.change', broken)", ["memdeck.db.store"]),
        ("from memdeck import open_memory", []),
        ("import json\nfrom pathlib import Path", []),
        ("print('memdeck. core')", []),
    ]
    for text, modules in rows:
        with subtests.test(text=text):
            assert list(imported(text)) == modules

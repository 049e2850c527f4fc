"""Each named query is one that SQLite takes, in every shape, and answers as its name says."""

import importlib
import inspect
import itertools
import pkgutil

import pytest

import memdeck.db
from memdeck.db.home import Home
from memdeck.db.queries import Named, _Parameter
from memdeck.db.store import Store


def named_queries():
    for module in pkgutil.iter_modules(memdeck.db.__path__):
        members = inspect.getmembers(importlib.import_module(f"memdeck.db.{module.name}"))
        for name, member in members:
            if isinstance(member, Named) and member.__module__.endswith(module.name):
                yield f"{module.name}.{name}", member


@pytest.fixture
def store(home_path):
    opened = Store(Home(home_path))
    yield opened
    opened.close()


@pytest.mark.slow
def test_sqlite_takes_it_in_every_shape(store, subtests):
    for name, query in named_queries():
        with subtests.test(name=name):
            shapes = itertools.product((None, True, False, "given"), repeat=len(query._shaping))
            for shape in shapes:
                values = dict.fromkeys(query._names) | dict(zip(query._shaping, shape, strict=True))
                text, places = query._text(values)
                assert all(type(place) is _Parameter for place in places)
                assert store.connection.execute(f"EXPLAIN {text}", [None] * len(places)).fetchall()

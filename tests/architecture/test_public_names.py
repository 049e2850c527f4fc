"""What `memdeck` offers by name is there, and what a program may catch is all of it."""

import pytest

import memdeck
from memdeck.core import errors


def test_every_error_that_a_program_may_catch_comes_from_memdeck():
    assert set(errors.__all__) == set(memdeck.__all__) - {
        "MemoryCoordinator",
        "__version__",
        "open_memory",
    }
    for name in errors.__all__:
        assert getattr(memdeck, name) is getattr(errors, name)


def test_a_name_that_is_not_offered_is_an_error_that_names_it():
    with pytest.raises(AttributeError, match="has no attribute 'NoSuchName'"):
        memdeck.NoSuchName  # noqa: B018

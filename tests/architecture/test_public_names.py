"""What `memdeck` offers by name is there, and what a program may catch is all of it."""

import pytest

import memdeck
from memdeck.db import errors


def test_every_error_that_a_program_may_catch_comes_from_memdeck():
    offered = {
        name
        for name, value in vars(errors).items()
        if isinstance(value, type) and issubclass(value, errors.ManagerError)
    } - {"StoreOutdated"}  # the store migrates itself, so that no program meets it
    assert len(offered) > 10
    for name in offered:
        assert name in memdeck.__all__
        assert getattr(memdeck, name) is getattr(errors, name)


def test_every_name_that_is_offered_can_be_had():
    assert len(set(memdeck.__all__)) == len(memdeck.__all__)
    for name in memdeck.__all__:
        assert getattr(memdeck, name) is not None


def test_a_name_that_is_not_offered_is_an_error_that_names_it():
    with pytest.raises(AttributeError, match="has no attribute 'NoSuchName'"):
        memdeck.NoSuchName  # noqa: B018

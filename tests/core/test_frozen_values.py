"""The values that recall hands out are the library's frozen dataclasses to whoever uses them."""

import dataclasses

import pytest

import memdeck


def test_it_can_be_changed_only_into_another(tmp_path):
    with memdeck.open_memory(tmp_path / "home", tmp_path) as core:
        core.remember("Use uv for packages", tags=["build"])
        [hit] = core.search("packages")
    for value in (hit, hit.memory, hit.memory.origin):
        name = dataclasses.fields(value)[0].name
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(value, name, "other")
        with pytest.raises(dataclasses.FrozenInstanceError):
            delattr(value, name)
        assert not hasattr(value, "__dict__")
    other = dataclasses.replace(hit.memory, title="Other")
    assert (other.title, other.content) == ("Other", hit.memory.content)
    assert other != hit.memory
    assert other == dataclasses.replace(hit.memory, title="Other")
    assert "title='Other'" in repr(other)

"""The values that recall hands out are the library's frozen dataclasses to whoever uses them."""

import dataclasses

import pytest

import memdeck
from memdeck import frozen


@pytest.fixture
def hit(tmp_path):
    with memdeck.open_memory(tmp_path / "home", tmp_path) as core:
        core.remember("Use uv for packages", tags=["build"])
        [found] = core.search("packages")
    return found


def test_it_can_be_changed_only_into_another(hit):
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


def test_what_is_left_out_has_its_default_and_what_is_missing_or_unknown_is_refused(hit):
    kind = type(hit)
    assert kind(hit.memory, 1.0, {}).matched == ()
    with pytest.raises(TypeError, match="score"):
        kind(hit.memory)
    with pytest.raises(TypeError, match="other"):
        kind(hit.memory, 1.0, {}, other=1)


@pytest.mark.parametrize(("given", "named", "said"), [
    ((), {}, "missing 1 required positional argument: 'name'"),
    (("a", 1, 2), {}, "positional arguments but 4 were given"),
    (("a",), {"name": "b"}, "multiple values for argument 'name'"),
    (("a",), {"depth": 3}, "unexpected keyword argument 'depth'"),
])  # fmt: skip
@pytest.mark.parametrize("made_before", [0, 1_000])
def test_a_named_tuple_refuses_what_does_not_fit_early_and_late(given, named, said, made_before):
    class Berth(frozen.NamedTuple):
        name: str
        length: int = 9

    for _ in range(made_before):
        Berth("north")
    with pytest.raises(TypeError, match=said):
        Berth(*given, **named)
    assert Berth("north") == ("north", 9)

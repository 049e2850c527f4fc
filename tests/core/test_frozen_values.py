"""The values that recall hands out are the library's frozen dataclasses to whoever uses them."""

import copy
import dataclasses
import inspect
import pickle

import pytest

import memdeck
from memdeck import frozen


class Term(frozen.NamedTuple):
    """A word, its kind, its parts and what says the same."""

    text: str
    kind: str = "word"
    parts: tuple[str, ...] = ()
    synonyms: tuple[str, ...] = ()


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


def test_it_can_be_copied_kept_and_listed(hit):
    origin = hit.memory.origin
    assert copy.deepcopy(hit.memory) == hit.memory
    assert pickle.loads(pickle.dumps(origin)) == origin
    assert len({origin, pickle.loads(pickle.dumps(origin))}) == 1
    assert dataclasses.is_dataclass(hit)
    assert dataclasses.asdict(hit)["memory"]["tags"] == ("build",)
    assert dataclasses.astuple(origin) == tuple(dataclasses.asdict(origin).values())


def test_what_is_left_out_has_its_default_and_what_is_missing_or_unknown_is_refused(hit):
    kind = type(hit)
    assert kind(hit.memory, 1.0, {}).matched == ()
    with pytest.raises(TypeError, match="score"):
        kind(hit.memory)
    with pytest.raises(TypeError, match="other"):
        kind(hit.memory, 1.0, {}, other=1)


def test_a_default_that_can_be_changed_is_made_anew_for_each(tmp_path):
    with memdeck.open_memory(tmp_path / "home", tmp_path) as core:
        injection = core.recall("packages")
    kind = type(injection)
    one, two = (kind("", 0, 0, {}, (), (), "") for _ in range(2))
    assert one.limits == two.limits == {}
    assert one.limits is not two.limits
    assert [f.name for f in dataclasses.fields(kind) if f.default_factory is dict] == [
        "limits", "costs", "tiers", "marks",
    ]  # fmt: skip


@pytest.mark.parametrize("kind", ["dataclass", "named tuple"])
def test_the_first_value_is_made_as_the_thousandth(kind):
    """Nothing is compiled for the first ones: a hook makes few of each."""
    if kind == "dataclass":

        @frozen.dataclass(frozen=True, slots=True)
        class Berth:
            name: str
            length: int = 9
            boats: list = frozen.field(default_factory=list)

    else:

        class Berth(frozen.NamedTuple):
            name: str
            length: int = 9
            boats: tuple = ()

    empty = [] if kind == "dataclass" else ()
    assert str(inspect.signature(Berth)).startswith("(name, length=9, boats=")
    for _ in range(1_000):
        one = Berth("north")
        assert (one.name, one.length, one.boats) == ("north", 9, empty)
        assert Berth("north", boats=empty) == Berth(name="north") == Berth("north", 9) == one
    assert repr(one).endswith(f"Berth(name='north', length=9, boats={empty!r})")


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


def test_a_named_tuple_changes_into_another_and_is_kept():
    term = Term("retry", synonyms=("again",))
    assert term._replace(kind="name") == ("retry", "name", (), ("again",))
    with pytest.raises(ValueError, match="weight"):
        term._replace(weight=1)
    assert pickle.loads(pickle.dumps(term)) == copy.copy(term) == Term._make(term) == term
    assert term._asdict()["synonyms"] == ("again",)
    with pytest.raises(AttributeError):
        term.text = "other"

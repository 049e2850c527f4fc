"""The views, as the app's own keys name them."""

from typing import NamedTuple

from textual.binding import Binding

from memdeck.tui.app import MemoryApp


class ViewKey(NamedTuple):
    """What leads to a view: the key that is printed, and what the header calls the view."""

    key: str
    label: str


VIEWS = {
    name: ViewKey(one.key_display or one.key, one.description)
    for one in MemoryApp.BINDINGS
    if isinstance(one, Binding) and one.id and (name := one.id.removeprefix("view.")) != one.id
}
"""By name, in the order of the header."""

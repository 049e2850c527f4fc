"""Where notes may be sent: a model's server, over https or on this machine."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit


def refusal_of_address(url: str) -> str:
    """Why nothing is sent to `url`; "" when it may be."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return "it is no address."
    if parts.scheme not in ("http", "https") or not host:
        return "an address begins with https://, or http:// on this machine."
    if parts.username or parts.password:
        return "an address must hold no password: name an environment variable in `key_variable`."
    if parts.query or parts.fragment:
        return "an address ends with its path."
    if parts.scheme == "http" and not is_on_this_machine(url):
        return "notes would cross the network unencrypted: use https://."
    return ""


def is_on_this_machine(url: str) -> bool:
    """Whether the address is a loopback one, by its name or number."""
    try:
        host = (urlsplit(url).hostname or "").rstrip(".")
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False

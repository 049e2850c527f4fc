"""The name of a text as the requirement spells it out (002-26), in plain arithmetic."""


def fingerprint(text: str) -> str:
    """djb2 over the text without case and spacing, from each of the two seeds."""
    normalised = " ".join(text.lower().split())
    return "".join(f"{_djb2(normalised, seed):08x}" for seed in (0xDEADBEEF, 0x41C6CE57))


def _djb2(text: str, seed: int) -> int:
    value = seed
    for char in text:
        value = ((value * 33) ^ ord(char)) % 2**32
    return value

"""What people and agents said of a memory that was injected (000-56)."""


def approval(helpful: int, unhelpful: int) -> float:
    """The share of opinions that found it helpful, 0.0 to 1.0; 0.5 without opinions.

    As if there were one more of each kind (Laplace), so that a single opinion moves it by a sixth
    and many decide.
    """
    return (helpful + 1) / (helpful + unhelpful + 2)

"""The fitted weights of the score, checked against their manifest, and its thresholds."""

from __future__ import annotations

import json
import math
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Any

from ..errors import ManagerError

_HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.join(_HERE, "fitted")


class DamagedWeights(ManagerError):
    """A file of fitted numbers is missing, unreadable or not the one that was shipped."""

    hint = "Install memdeck again."


@dataclass(frozen=True, slots=True)
class Linear:
    """A linear model: the weight of each sign, and how its sum becomes a probability."""

    weights: Mapping[str, float]
    bias: float
    curves: Mapping[str, tuple[float, float]]  # question -> slope and offset of its logistic

    def sum(self, signs: Mapping[str, float]) -> float:
        """Return the weighed signs, added up. Signs without a weight count nothing."""
        weights = self.weights
        return self.bias + math.fsum(
            [value * weights[name] for name, value in signs.items() if name in weights]
        )

    def probability(self, question: str, total: float) -> float:
        """Return how likely the answer to `question` is yes, 0 to 1, for that sum."""
        slope, offset = self.curves[question]
        return 1.0 / (1.0 + math.exp(-max(-60.0, min(60.0, slope * total + offset))))


def threshold(name: str = "candidate", *, is_person: bool) -> float:
    """Return the least score of a `captured`, `candidate` or `established` sentence."""
    return _thresholds()[name]["person" if is_person else "agent"]


@lru_cache(maxsize=1)
def _thresholds() -> Mapping[str, Mapping[str, float]]:
    with open(os.path.join(_HERE, "thresholds.toml"), "rb") as file:
        return tomllib.load(file)


@lru_cache(maxsize=1)
def salience_model() -> Linear:
    """Return the model of the score. Raises DamagedWeights."""
    data, raw = _loaded("salience")
    shipped = manifest().get("salience")
    is_shipped = isinstance(shipped, dict) and shipped.get("sha256") == sha256(raw).hexdigest()
    if not is_shipped:
        raise DamagedWeights("salience.json is not the file that memdeck came with.")
    try:
        return Linear(
            {str(name): float(weight) for name, weight in data["weights"].items()},
            float(data["bias"]),
            {str(name): (float(item), float(two)) for name, (item, two) in data["curves"].items()},
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise DamagedWeights(f"salience.json does not hold a model: {error!r}.") from None


@lru_cache(maxsize=1)
def manifest() -> Mapping[str, Any]:
    """Return what the weights were fitted on and how they fared. Raises DamagedWeights."""
    return _loaded("manifest")[0]


def _loaded(name: str) -> tuple[dict[str, Any], bytes]:
    path = os.path.join(FOLDER, f"{name}.json")
    try:
        with open(path, "rb") as file:
            raw = file.read()
        data = json.loads(raw)
    except (OSError, ValueError) as error:
        raise DamagedWeights(f"{path} cannot be read: {error}.") from None
    if not isinstance(data, dict):
        raise DamagedWeights(f"{path} is not the file that memdeck came with.")
    return data, raw

"""The fitted numbers, read once, checked against the manifest that was written with them."""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ..errors import ManagerError

SALIENCE = "salience"
MODELS = (SALIENCE, "ownership")
"""The linear models that are shipped."""

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fitted")


class DamagedWeights(ManagerError):
    """A file of fitted numbers is missing, unreadable or not the one that was shipped."""

    hint = "Install memdeck again."


@dataclass(frozen=True, slots=True)
class Linear:
    """A linear model: the weight of each sign, and how its sum becomes a probability."""

    weights: Mapping[str, float]
    bias: float
    curves: Mapping[str, tuple[float, float]]  # question -> slope and offset of its logistic
    thresholds: Mapping[str, float]  # name -> least sum

    def sum(self, signs: Mapping[str, float]) -> float:
        """The weighed signs, added up; signs without a weight count nothing."""
        weights = self.weights
        return self.bias + math.fsum(
            [value * weights[name] for name, value in signs.items() if name in weights]
        )

    def parts(self, signs: Mapping[str, float]) -> list[tuple[str, float]]:
        """What each sign adds to the sum, the largest first, whichever its direction."""
        weighed = [(n, v * self.weights[n]) for n, v in signs.items() if n in self.weights]
        return sorted(weighed, key=lambda part: -abs(part[1]))

    def probability(self, question: str, total: float) -> float:
        """How likely the answer to `question` is yes, 0 to 1, for that sum."""
        return _logistic(self.curves[question], total)


def bar(threshold: str = "candidate", *, is_person: bool) -> float:
    """The least score of a candidate, or of an established one. Raises DamagedWeights."""
    return linear(SALIENCE).thresholds[f"{threshold}-{'person' if is_person else 'agent'}"]


def _logistic(curve: tuple[float, float], total: float) -> float:
    slope, offset = curve
    return 1.0 / (1.0 + math.exp(-max(-60.0, min(60.0, slope * total + offset))))


def _curves(data: Mapping[str, Any]) -> dict[str, tuple[float, float]]:
    return {str(q): (float(slope), float(offset)) for q, (slope, offset) in data["curves"].items()}


def _numbers(data: Mapping[Any, Any]) -> dict[str, float]:
    return {str(name): float(number) for name, number in data.items()}


@lru_cache(maxsize=8)
def linear(name: str) -> Linear:
    """The model of that name. Raises DamagedWeights."""
    data = _read(name)
    try:
        return Linear(
            _numbers(data["weights"]),
            float(data["bias"]),
            _curves(data),
            _numbers(data["thresholds"]),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise DamagedWeights(f"{name}.json does not hold a model: {error!r}.") from None


@lru_cache(maxsize=1)
def manifest() -> Mapping[str, Any]:
    """What the weights were fitted on and how they fared. Raises DamagedWeights."""
    return _loaded("manifest")[0]


def _read(name: str) -> dict[str, Any]:
    (data, raw), shipped = _loaded(name), manifest().get(name)
    digest = hashlib.sha256(raw).hexdigest()
    if not isinstance(shipped, dict) or shipped.get("sha256") != digest:
        raise DamagedWeights(f"{name}.json is not the file that memdeck came with.")
    return data


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

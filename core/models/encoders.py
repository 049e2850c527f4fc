"""Encoders turn texts into vectors, so that texts of near meaning have near vectors.

Built in are `wordllama` (an extra), a folder of model2vec, and a server with embeddings. Other
packages bring theirs by entry point. Libraries are imported when an encoder is first used.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol

from ...db.errors import BadInput
from ..config.settings import INSTALL, WORDLLAMA
from .client import NoReply, Server

if TYPE_CHECKING:
    from ..config.settings import EnginePolicy

HINT = "Fix it, or choose another: `memdeck config recall.encoder`."
TABLE_FLOOR, SERVER_FLOOR = 0.15, 0.5
"""Cosine, 0-1, below which texts have nothing in common for a table and for a server's model."""


class Encoder(Protocol):
    """A converter of texts to vectors. Vectors of another `name` are made again."""

    name: str
    floor: float  # cosine, 0-1, below which a memory is not near a question

    def encode(self, texts: Sequence[str]) -> Any:
        """Return an array with a row of numbers for each text. May raise anything."""


@dataclass
class TableEncoder:
    """A table with a vector for each token. The vector of a text is their mean."""

    name: str
    weights: str  # path of the safetensors file
    tokens: str  # path of the tokenizer's JSON file
    floor: float = TABLE_FLOOR

    def encode(self, texts: Sequence[str]) -> Any:
        """Return an array of float32; a text without tokens has zeros. May raise anything."""
        import numpy

        tokenizer, table, rows, shares = self._parts
        result = numpy.zeros((len(texts), table.shape[1]), numpy.float32)
        for number, encoding in enumerate(tokenizer.encode_batch(texts, add_special_tokens=False)):
            if encoding.ids:
                ids = numpy.asarray(encoding.ids)
                vectors = table[ids if rows is None else rows[ids]].astype(numpy.float32)
                if shares is not None:
                    vectors *= shares[ids, None]
                result[number] = vectors.mean(axis=0)
        return result

    @cached_property
    def _parts(self) -> tuple[Any, Any, Any, Any]:
        """Tokenizer, table, and of some models the row and the weight of each token."""
        from safetensors.numpy import load_file
        from tokenizers import Tokenizer

        tokenizer, tensors = Tokenizer.from_file(self.tokens), load_file(self.weights)
        table = tensors["embeddings" if "embeddings" in tensors else "embedding.weight"]
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return tokenizer, table, tensors.get("mapping"), tensors.get("weights")


@dataclass
class ServerEncoder:
    """A server with embeddings in OpenAI's form, such as Ollama."""

    name: str
    server: Server
    floor: float = SERVER_FLOOR
    timeout_s: float = 5.0

    def encode(self, texts: Sequence[str]) -> Any:
        """Return an array of float32. Raises NoReply."""
        import numpy

        answer = self.server.post("embeddings", {"input": list(texts)}, self.timeout_s)
        try:
            rows = sorted(answer["data"], key=lambda row: row["index"])
            vectors = numpy.asarray([row["embedding"] for row in rows], numpy.float32)
            return vectors.reshape(len(texts), vectors.shape[1])
        except (KeyError, TypeError, ValueError, IndexError):
            raise NoReply("invalid", "The answer holds no embedding of each text.") from None


def vectors_of(encoder: Encoder, texts: Sequence[str]) -> Any:
    """Return an encoder's vectors of the texts. Raises BadInput for any of its errors."""
    try:
        return encoder.encode(texts)
    except Exception as error:  # a server that is gone, a folder that is no model, another's code
        why = getattr(error, "reason", "") or f"{type(error).__name__}: {error}"
        raise BadInput(f"The encoder {encoder.name} fails: {why}", hint=HINT) from error


@lru_cache(maxsize=4)  # the table of wordllama has 16 MB
def encoder_called(name: str, engine: EnginePolicy | None = None) -> Encoder:
    """Return the encoder that `recall.encoder` names; `engine` is the one of that name.

    Raises BadInput.
    """
    if engine is not None:
        model = engine.model
        return ServerEncoder(f"{name} {model}", Server(model, engine.url, engine.key_variable))
    if name == WORDLLAMA:
        spec = find_spec(WORDLLAMA)  # not imported: its loader asks a hub
        if spec is None or not spec.submodule_search_locations:
            raise BadInput(f"The encoder {name!r} is not installed.", hint=f"Run {INSTALL}.")
        [folder] = spec.submodule_search_locations
        return TableEncoder(
            name,
            os.path.join(folder, "weights", "l2_supercat_256.safetensors"),
            os.path.join(folder, "tokenizers", "l2_supercat_tokenizer_config.json"),
        )
    if os.path.isabs(folder := os.path.expanduser(name)):
        weights = os.path.join(folder, "model.safetensors")
        return TableEncoder(name, weights, os.path.join(folder, "tokenizer.json"))
    from ..extensions import extension

    return extension("encoder", name)()  # type: ignore[no-any-return]

"""Encoders turn texts into vectors, so that texts of near meaning have near vectors.

Built in are `minilm` (an extra), a folder with a model in ONNX, and a server with embeddings. Other
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
from ..config.settings import INSTALL, MINILM, WEIGHTS
from .client import NoReply, Server

if TYPE_CHECKING:
    from ..config.settings import EnginePolicy

HINT = "Fix it, or choose another: `memdeck config recall.encoder`."
FILE_FLOOR, SERVER_FLOOR = 0.2, 0.5
"""Cosine, 0-1, below which texts have nothing in common: for `minilm`, and for a server's model."""

PIECES = os.path.join(os.path.dirname(__file__), "pieces.txt")  # the vocabulary of `minilm`
MOST_TOKENS, LATIN_END = 256, "\u0250"  # of a text, the others do not count; the first other letter


class Encoder(Protocol):
    """A converter of texts to vectors. Vectors of another `name` are made again."""

    name: str
    floor: float  # cosine, 0-1, below which a memory is not near a question

    def encode(self, texts: Sequence[str]) -> Any:
        """Return an array with a row of numbers for each text. May raise anything."""


@dataclass
class FileEncoder:
    """A sentence model in ONNX: the vector of a text is the mean of those of its tokens."""

    name: str
    weights: str  # path of the ONNX file
    tokens: str  # path of the tokenizer's JSON file, or `PIECES`
    floor: float = FILE_FLOOR

    def encode(self, texts: Sequence[str]) -> Any:
        """Return an array of float32. May raise anything."""
        import numpy

        session, tokenizer = self._parts
        rows = []
        for text in texts:  # together each would change the others a little
            ids = numpy.asarray([tokenizer.encode(text).ids])
            inputs = {"input_ids": ids, "attention_mask": ids * 0 + 1, "token_type_ids": ids * 0}
            wanted = {item.name: inputs[item.name] for item in session.get_inputs()}
            [states, *_] = session.run(None, wanted)
            # The built-in model only spells letters other than Latin ones.
            are_latin = [letter < LATIN_END for letter in text if letter.isalpha()]
            is_read = self.name != MINILM or 2 * sum(are_latin) >= len(are_latin)
            rows.append(states.reshape(-1, states.shape[-1]).mean(axis=0) * is_read)
        return numpy.stack(rows)

    @cached_property
    def _parts(self) -> tuple[Any, Any]:
        from onnxruntime import InferenceSession, SessionOptions
        from tokenizers import BertWordPieceTokenizer, Tokenizer

        options = SessionOptions()
        options.intra_op_num_threads = 1  # more spin while they wait
        options.enable_cpu_mem_arena = False  # it keeps what the longest text took
        read = BertWordPieceTokenizer if self.tokens == PIECES else Tokenizer.from_file
        tokenizer = read(self.tokens)
        tokenizer.no_padding()
        tokenizer.enable_truncation(MOST_TOKENS)
        return InferenceSession(self.weights, options), tokenizer


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


@lru_cache(maxsize=4)
def encoder_called(name: str, engine: EnginePolicy | None = None) -> Encoder:
    """Return the encoder that `recall.encoder` names, or of its engine. Raises BadInput."""
    if engine is not None:
        model = engine.model
        return ServerEncoder(f"{name} {model}", Server(model, engine.url, engine.key_variable))
    if name == MINILM:
        spec = find_spec(WEIGHTS)  # not imported: only its file is read
        if spec is None or not spec.submodule_search_locations:
            raise BadInput(f"The encoder {name!r} is not installed.", hint=f"Run {INSTALL}.")
        [folder] = spec.submodule_search_locations
        return FileEncoder(name, os.path.join(folder, "model.onnx"), PIECES)
    if os.path.isabs(folder := os.path.expanduser(name)):
        tokens = os.path.join(folder, "tokenizer.json")
        return FileEncoder(name, os.path.join(folder, "model.onnx"), tokens)
    from ..extensions import extension

    return extension("encoder", name)()  # type: ignore[no-any-return]

"""The DeepSpeed settings that files of transformers' trainer name: a mapping, or a file of their own."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.type_names import Final
from cfglint.environment.named_files import named_file
from cfglint.environment.surroundings import Surroundings
from cfglint.roles.parts import Reference
from cfglint.source.document import Document, Mapping, Scalar

_DEEPSPEED: Final = ("deepspeed",)
#: The largest real DeepSpeed file has 5 kB.
MAX_BYTES: Final = 200_000


def deepspeed_settings(document: Document, around: Surroundings) -> Iterator[Reference]:
    """What `deepspeed` of a file refers to."""
    node = document.node(_DEEPSPEED)
    if isinstance(node, Mapping):
        yield Reference("deepspeed", _DEEPSPEED)
    elif isinstance(node, Scalar):
        path = named_file(node.value, around, MAX_BYTES)
        if path is not None:
            yield Reference("deepspeed", _DEEPSPEED, path)

"""The DeepSpeed settings that files of transformers' trainer name: a mapping, or a file of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from cfglint.base.type_names import Final
from cfglint.environment.named_files import named_file
from cfglint.environment.surroundings import Surroundings
from cfglint.roles.parts import Opened, Reference
from cfglint.source.document import Document, Mapping, Path, Scalar

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


def opened_settings(
    document: Document,
    at: Path = _DEEPSPEED,
    is_brought: Callable[[str], bool] = lambda _name: False,
) -> Iterator[Opened]:
    """The file of DeepSpeed's settings that a key names; a trainer ends without it.

    Args:
        is_brought: whether a path is that of a file which comes with the framework.
    """
    node = document.node(at)
    name = node.value if isinstance(node, Scalar) else None
    if isinstance(name, str) and name.lower().endswith(".json"):
        yield Opened(at, name, is_brought=is_brought(name))

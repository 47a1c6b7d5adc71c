"""DeepSpeed's settings, the JSON file that `deepspeed:` names."""

from __future__ import annotations

from cfglint.environment.named_files import named_document, named_file
from cfglint.environment.surroundings import Surroundings
from cfglint.source.document import Document, Mapping, Path, Scalar
from cfglint.source.languages.named import language

#: The largest real file has 5 kB.
MAX_BYTES = 200_000
#: The files that come with Axolotl, of all its releases, and the folders they were in.
_SHIPPED = frozenset(
    {
        "zero1.json", "zero1_torch_compile.json", "zero2.json", "zero2_torch_compile.json",
        "zero3.json", "zero3_bf16.json", "zero3_bf16_cpuoffload_all.json",
        "zero3_bf16_cpuoffload_params.json", "zero3_cpuoffload.json", "zero3_cpu.json",
    }
)  # fmt: skip
_SHIPPED_IN = ("deepspeed_configs", "deepspeed")


def is_shipped(written: str) -> bool:
    """Whether a path is one of the files that come with Axolotl."""
    folder, _, name = written.replace("\\", "/").rpartition("/")
    return name in _SHIPPED and folder.rpartition("/")[2] in _SHIPPED_IN


def stage_of(written: object, around: Surroundings) -> int | None:
    """The ZeRO stage as the named file says it; None when that is not known."""
    path = named_file(written, around, MAX_BYTES)
    if path is None:
        return None
    document = named_document(path, language("json"), around, MAX_BYTES)
    return None if document is None else _stage(document)


def _stage(document: Document) -> int | None:
    section: Path = ("zero_optimization",)
    node = document.node((*section, "stage"))
    if node is None:
        outer = document.node(section)
        none = outer is None or (isinstance(outer, Mapping) and not outer.entries)
        return 0 if none or (isinstance(outer, Scalar) and outer.value is None) else None
    stage = node.value if isinstance(node, Scalar) else None
    return stage if type(stage) is int and 0 <= stage <= 3 else None

"""Weights in 4 bits that every command which starts the program lets the first FSDP shard, kept in whole bytes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from cfglint.base.type_names import TYPE_CHECKING, Any, Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.environment.named_files import named_document, named_file
from cfglint.environment.project.program_starts import starts_of
from cfglint.runs.starts.start import option_in
from cfglint.source.languages.named import language
from cfglint.source.python_program import program_of
from cfglint.source.python_scopes import Scopes
from cfglint.source.values import to_python

if TYPE_CHECKING:
    from cfglint.environment.surroundings import Surroundings
    from cfglint.runs.starts.start import Start
    from cfglint.source.python_names import Names

_BITS: Final = "transformers.BitsAndBytesConfig"
_FOUR: Final = "load_in_4bit"
_STORAGE: Final = "bnb_4bit_quant_storage"
_WHOLE_BYTES: Final = frozenset({"torch.uint8", "uint8"})
_LAUNCHER: Final = "accelerate"
_MAX_BYTES: Final = 200_000
#: What hands a model to FSDP.
_PREPARES: Final = re.compile(r"Trainer\(|\.prepare\(")
#: A call in one of these need not run.
_DECIDING: Final = (
    *(ast.If, ast.IfExp, ast.BoolOp, ast.Try, ast.Match, ast.For, ast.While),
    *(ast.Lambda, ast.ClassDef, ast.comprehension),
)
#: What a launch line may choose instead of FSDP.
_OTHERWISE: Final = ("--use_deepspeed", "--multi_gpu", "--use_megatron_lm", "--cpu")


def whole_bytes_sharded(ctx: CheckContext) -> Iterator[Hit]:
    """`BitsAndBytesConfig(load_in_4bit=True)` of a program that accelerate starts with FSDP."""
    program = program_of(ctx.document.text)
    if program.tree is None:
        return
    names = program.names
    found = [call for call in names.calls if names.imported(call.func) == _BITS]
    if len(found) != 1 or not _in_whole_bytes(found[0], names):
        return
    if _is_optional(found[0], Scopes(program.tree)) or not _PREPARES.search(ctx.document.text):
        return
    starts = starts_of(ctx.around)
    if not starts or not all(_shards(one.line, ctx.around) for one in starts):
        return
    word = next(one for one in found[0].keywords if one.arg == _FOUR)
    yield Hit((), program.name_of(word), {})


def _in_whole_bytes(call: ast.Call, names: Names) -> bool:
    """Whether a quantization surely has 4 bits, and keeps them in integers."""
    given = {one.arg: one.value for one in call.keywords}
    four = given.get(_FOUR)
    if None in given or call.args or four is None or names.value(four, call) is not True:
        return False
    storage = given.get(_STORAGE)
    return storage is None or ast.unparse(storage).strip("\"'") in _WHOLE_BYTES


def _is_optional(call: ast.Call, scopes: Scopes) -> bool:
    """Whether something decides if a call runs: an option of the program may leave its weights whole."""
    node = scopes.parent(call)
    while node is not None and not isinstance(node, _DECIDING):
        node = scopes.parent(node)
    return node is not None


def _shards(line: Start, around: Surroundings) -> bool:
    """Whether a command surely starts the program with the first FSDP."""
    words = {one.text.replace("-", "_").replace("__", "--", 1) for one in line.before}
    if line.launcher != _LAUNCHER or not words.isdisjoint(_OTHERWISE):
        return False
    if option_in(line.before, ("fsdp_version",)) is not None:
        return False
    named = option_in(line.before, ("config_file",))
    settings = _settings(named.text, around) if named is not None and not named.open else None
    if settings is None:
        return False
    section = settings.get("fsdp_config")
    if not isinstance(section, dict) or "fsdp_ignored_modules" in section:
        return False
    version = section.get("fsdp_version", 1)
    return str(settings.get("distributed_type", "")).upper() == "FSDP" and version == 1


def _settings(written: str, around: Surroundings) -> dict[str, Any] | None:
    """A file of accelerate that a command names."""
    path = named_file(written, around, _MAX_BYTES)
    if path is None:
        return None
    settings = named_document(path, language("yaml"), around, _MAX_BYTES)
    found = None if settings is None else to_python(settings.root)
    return found if isinstance(found, dict) else None


CHECKS = {"whole-bytes-sharded": whole_bytes_sharded}

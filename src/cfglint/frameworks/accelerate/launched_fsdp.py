"""Which FSDP accelerate's settings switch on for the program that they start."""

from __future__ import annotations

from cfglint.base.logic import UNKNOWN
from cfglint.base.type_names import TYPE_CHECKING, Any, Final
from cfglint.environment.named_files import named_document, named_file
from cfglint.environment.project.program_starts import starts_of
from cfglint.source.languages.named import language
from cfglint.source.values import to_python

if TYPE_CHECKING:
    from cfglint.environment.surroundings import Surroundings
    from cfglint.runs.starts.start import Start
    from cfglint.source.document import Document

_MAX_BYTES: Final = 200_000
_ACCELERATE: Final = "accelerate"
FOR_FSDP: Final = frozenset({"--use_fsdp", "--use-fsdp"})
#: What takes the place of the file's `distributed_type`.
OTHERWISE: Final = frozenset(
    f"--{name}"
    for one in ("cpu", "multi_gpu", "tpu", "use_deepspeed", "use_megatron_lm")
    for name in (one, one.replace("_", "-"))
)
_KIND: Final = ("distributed_type",)
_STATE_DICT: Final = ("fsdp_config", "fsdp_state_dict_type")
_STAGE: Final = ("deepspeed_config", "zero_stage")
_VERSION: Final = ("fsdp_config", "fsdp_version")


def launched_fsdp(around: Surroundings) -> Any:
    """The version of FSDP, 1 or 2, that every command which starts the program switches on; 0 where none does."""
    found = {_fsdp_of(one.line, around) for one in starts_of(around)}
    return found.pop() if len(found) == 1 else UNKNOWN


def launched_fsdp_of_file(around: Surroundings) -> Any:
    """The same for a config, by the commands that hand it to a program."""
    project = around.project
    if project is None or around.folder is None:
        return UNKNOWN
    found = {_fsdp_of(line, around) for line in project.launcher_lines(around.path)}
    return found.pop() if len(found) == 1 else UNKNOWN


def launched_state_dict(around: Surroundings) -> str:
    """How the settings of every command that starts the program save the state (`SHARDED_STATE_DICT`), if all say the same."""
    found = set()
    for one in starts_of(around):
        if one.line.option("fsdp_state_dict_type") is not None:
            return ""
        found.add(_value(_settings(one.line, around), _STATE_DICT))
    kind = found.pop() if len(found) == 1 else None
    return kind.upper() if isinstance(kind, str) else ""


def launched_whole(around: Surroundings) -> bool:
    """Whether every command that starts the program surely leaves the whole model in each process: no FSDP, no ZeRO-3."""
    starts = starts_of(around)
    return bool(starts) and all(_is_whole(one.line, around) for one in starts)


def _is_whole(line: Start, around: Surroundings) -> bool:
    if _fsdp_of(line, around) != 0:
        return False
    settings, option = _settings(line, around), line.option("zero_stage")
    if option is not None:
        return not option.open and option.text in ("0", "1", "2")
    kind, stage = _value(settings, _KIND), _value(settings, _STAGE)
    return stage in (0, 1, 2) or str(kind).upper() in ("MULTI_GPU", "NO")


def _fsdp_of(line: Start, around: Surroundings) -> Any:
    if line.launcher != _ACCELERATE:
        return UNKNOWN  # the arguments of the trainer may ask for it
    settings = _settings(line, around)
    words = {word.text for word in line.before}
    if not words & FOR_FSDP:
        if words & OTHERWISE:
            return 0
        kind = _value(settings, _KIND)
        if not isinstance(kind, str):
            return UNKNOWN
        if kind.upper() != "FSDP":
            return 0
    option = line.option("fsdp_version")
    if option is not None and option.open:
        return UNKNOWN
    version = option.text if option is not None else _value(settings, _VERSION)
    return {None: 1, "1": 1, "2": 2}.get(None if version is None else str(version), UNKNOWN)


def _value(settings: Document | None, path: tuple[str, ...]) -> Any:
    node = None if settings is None else settings.node(path)
    return None if node is None else to_python(node)


def _settings(line: Start, around: Surroundings) -> Document | None:
    """The settings that a line names, as far as they can be read."""
    named = line.option("config_file")
    path = None if named is None or named.open else named_file(named.text, around, _MAX_BYTES)
    return None if path is None else named_document(path, language("yaml"), around, _MAX_BYTES)

"""What the options of `accelerate launch` lay over the file that `--config_file` names.

An option takes precedence over the file's key, in sections too, and one that chooses the way to train over
`distributed_type` (`_validate_launch_command` in accelerate's `commands/launch.py`).
"""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.logic import UNKNOWN
from cfglint.base.type_names import TYPE_CHECKING, Any, Final
from cfglint.knowledge.marks import marks_of
from cfglint.roles.launching import Launching
from cfglint.runs.settings.words import Override
from cfglint.source.document import Mapping

if TYPE_CHECKING:
    from cfglint.runs.starts.start import Start, Word
    from cfglint.source.document import Document, Path

#: Option -> the `distributed_type` of a run with it.
_TYPES: Final = {
    "multi_gpu": "MULTI_GPU",
    "use_deepspeed": "DEEPSPEED",
    "use_fsdp": "FSDP",
    "use_megatron_lm": "MEGATRON_LM",
    "tpu": "XLA",
}
_DISTRIBUTED: Final = ("distributed_type",)
#: The options whose parser makes a number of them; all others are texts.
_NUMBERS: Final = {
    **dict.fromkeys(
        (
            *("num_processes", "num_machines", "machine_rank", "main_process_port", "zero_stage"),
            *("num_cpu_threads_per_process", "max_restarts", "gradient_accumulation_steps"),
            *("fsdp_version", "fsdp_min_num_params", "fp8_margin", "fp8_interval"),
        ),
        int,
    ),
    "gradient_clipping": float,
}
#: Keys of the file that no option sets, though one of that name may exist.
_OF_FILE: Final = frozenset({"compute_environment", "distributed_type", "debug"})


class AccelerateLaunching(Launching):
    """Options of the launcher have the names of keys."""

    def overrides(self, line: Start, document: Document, release: str) -> Iterator[Override]:
        for path, word, value in self._given(line, document):
            yield Override(path, value, word.start, word.end)

    def _given(self, line: Start, document: Document) -> Iterator[tuple[Path, Word, Any]]:
        """(path, option, value) of each option that is a key; `UNKNOWN` for a value that the line leaves open."""
        launcher = marks_of(self.framework.name).launcher
        flags = launcher.flags if launcher is not None else ()
        words = list(line.before)
        while words:
            word = words.pop(0)
            name, equals, text = word.text.lstrip("-").partition("=")
            name = name.replace("-", "_")
            if not word.text.startswith("--"):
                continue
            if name in _TYPES:
                yield _DISTRIBUTED, word, _TYPES[name]
            if name in flags:
                continue
            is_open = word.open
            if not equals and words:
                following = words.pop(0)
                text, is_open = following.text, following.open
            path = self._path(name, document)
            if path is not None:
                yield path, word, UNKNOWN if is_open else self._value(path, text)

    def _path(self, name: str, document: Document) -> Path | None:
        """The key that an option takes the place of; None for one that is not a key of the file."""
        keys = self.framework.keys
        if name in _OF_FILE:
            return None
        if keys.info("", name) is not None:
            return (name,)
        for section in keys.sections():
            if section and "." not in section and name in keys.names(section):
                node = document.node((section,))
                if not isinstance(node, Mapping):
                    return None  # what the section has is all from options
                short = name.removeprefix(f"{section.partition('_')[0]}_")
                return (section, short if short in node.names else name)
        return None

    def _value(self, path: Path, text: str) -> Any:
        """What the launcher's parser makes of the text of an option; `UNKNOWN` if that is nothing."""
        convert = _NUMBERS.get(str(path[-1]))
        if convert is None:
            return text
        try:
            return convert(text)
        except ValueError:
            return UNKNOWN


ROLE = AccelerateLaunching

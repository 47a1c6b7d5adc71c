"""Axolotl: one YAML file that describes a whole training run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from cfglint.base.logic import MISSING, UNKNOWN, plain
from cfglint.base.type_names import TYPE_CHECKING, Any, ClassVar
from cfglint.environment.surroundings import Surroundings
from cfglint.files.hub import may_have_files
from cfglint.framework import GENERIC_NAMES, Framework
from cfglint.frameworks.axolotl import dataset_classes
from cfglint.frameworks.axolotl.check_sources import CHECKS
from cfglint.frameworks.axolotl.derived import DERIVED
from cfglint.knowledge.keys.pydantic_types import as_scalar, split_type
from cfglint.knowledge.keys.release_keys import ReleaseKeys
from cfglint.knowledge.rules.views import View, written_value
from cfglint.roles.parts import Reference, SweepFormat
from cfglint.source.document import Document, Mapping, Path, Scalar, Sequence

if TYPE_CHECKING:
    from cfglint.environment.environment import Environment
    from cfglint.fit.planning import Planner
    from cfglint.roles.reading.base import Reading
    from cfglint.settings.words import Override
    from cfglint.starts.start import Start

#: Keys of `type:` mappings that no supervised dataset reads.
_PREFERENCE_KEYS = frozenset(
    {
        "field_prompt", "field_chosen", "field_rejected", "field_completion", "field_label",
        "prompt_format", "chosen_format", "rejected_format", "completion_format",
    }
)  # fmt: skip
#: Beginnings of the names of optimizers that Axolotl builds itself, with arguments as they are.
_OWN_OPTIMIZERS = (
    "optimi_", "ao_", "adopt_", "adamc", "came_", "muon", "dion", "sinkgd", "polora", "flash_",
    "scao", "q_galore_",
)  # fmt: skip
#: The frameworks whose files belong to a config; the first one is also the key that names it.
_DEEPSPEED = "deepspeed"
_ACCELERATE = "accelerate"
_FSDP = "fsdp_"
_MODEL = "model."


class Axolotl(Framework):
    """How Axolotl recognizes, reads and completes a file."""

    name = "axolotl"
    refusal = "; Axolotl names the key, not the line, and only after everything has been imported"
    checks = CHECKS
    derived_values = DERIVED
    several_classes = dataset_classes.LISTS
    #: Read by `axolotl lm-eval`.
    read_by_commands = frozenset({"lm_eval_tasks", "lm_eval_model", "lm_eval_batch_size"})
    #: A validator or the command takes these out of the file before the schema sees it.
    read_sooner: ClassVar[dict[str, str]] = {
        "plugins": "0.5.0",
        "fsdp_config.fsdp_version": "0.12.0",
    }
    done_sooner: ClassVar[dict[str, tuple[str, Any]]] = {
        "message_property_mappings": ("0.5.0", {"role": "role", "content": "content"}),
    }
    #: transformers 4.50 dropped its own AdamW for that of PyTorch.
    newer_words: ClassVar[dict[str, dict[str, str]]] = {"optimizer": {"adamw_hf": "adamw_torch"}}
    stronger: ClassVar[dict[str, str]] = {"num_epochs": "max_steps"}
    essential = ("datasets", "pretraining_dataset")
    refused_by_newest = "error"

    def coerce(self, path: Path, value: Any) -> Any:
        """What Axolotl's validator makes of a scalar at a path: `"yes"` is true, `"3"` is 3."""
        type_ = self.keys.type_at(path)
        if type_ is not None:
            kinds = split_type(type_)
            if "str" not in kinds and type(value).__name__ not in kinds:
                # A whole number for another number is the same number, so it stays as written.
                for kind in ("bool", "int", "float") if isinstance(value, str) else ("bool",):
                    if kind in kinds and (found := as_scalar(kind, value)) is not MISSING:
                        return found
        return value

    def own_key(self, section: str, name: str) -> str:
        """Axolotl cuts the prefix off the keys of `fsdp_config` before it looks at them."""
        return name.removeprefix(_FSDP) if section == "fsdp_config" else name

    def is_overwritten(self, section: str, name: str, mapping: Mapping, keys: ReleaseKeys) -> bool:
        """Whether the other spelling of an FSDP key, with or without its prefix, comes later."""
        if section != "fsdp_config":
            return False
        entry = mapping.lookup.get(name)
        other = mapping.lookup.get(
            name.removeprefix(_FSDP) if name.startswith(_FSDP) else f"{_FSDP}{name}"
        )
        if entry is None or other is None:
            return False
        return other.key.span.start > entry.key.span.start

    def as_read(
        self, section: str, name: str, value: Any, document: Document, keys: ReleaseKeys
    ) -> Any:
        """`dict([])` and `dict("")` are empty entries of a list of datasets."""
        if section or name != "datasets" or not isinstance(value, list):
            return value
        if "DPODataset" in self.classes(keys, "datasets[]", (), document):
            return value
        return [{} if item in ([], "") else item for item in value]

    def classes(
        self, keys: ReleaseKeys, section: str, entry: Path, document: Document
    ) -> tuple[str, ...]:
        return dataset_classes.classes(keys, section, entry, document)

    def class_in_section(self, section: str, model: str) -> str:
        return dataset_classes.class_of_type(section, model)

    def homes(self, section: str, name: str, homes: list[str]) -> list[str]:
        """The sections in which a misplaced key was meant: datasets' keys move near their entry."""
        if "" in homes:
            return [""]
        if section.endswith("[].type") and name in GENERIC_NAMES:
            return []
        if "datasets[]" in homes or "datasets[].type" in homes:
            homes = [home for home in homes if home.startswith("datasets")]
        if section.startswith(dataset_classes.LISTS):
            own = section.partition("[]")[0]
            near = [f"{own}[].type"] if section == f"{own}[]" else [f"{own}[]"]
            homes = [home for home in near if self.keys.info(home, name) is not None]
        elif name in GENERIC_NAMES:
            return []
        return homes[:1] if homes and homes[0].startswith("datasets") else homes

    def home_in_words(self, home: str, name: str, path: Path, document: Document) -> str | None:
        """Where a key of a `type:` mapping belongs, which not every entry has."""
        if not home.endswith("[].type"):
            return None
        kind = document.node((*path[:-1], "type"))
        written = kind.value if isinstance(kind, Scalar) else None
        if not isinstance(written, str):
            return "under the `type:` of the dataset"
        where = f"in a `type:` mapping (`{written}` does not read it)"
        if name in _PREFERENCE_KEYS and document.node(("rl",)) is None:
            where += ", and only with `rl`"
        return where

    def asks_for_nothing(self, section: str, name: str, path: Path, document: Document) -> bool:
        """Whether columns are read under these names in any case."""
        if not (section.endswith("datasets[]") and name.startswith("field_")):
            return True
        kind = document.node((*path[:-1], "type"))
        return isinstance(kind, Scalar) and kind.value == "alpaca"

    def plugins_in(self, value: Callable[[Path], Any]) -> frozenset[str]:
        """The class names under `plugins:`."""
        listed = value(("plugins",))
        if not isinstance(listed, list):
            return frozenset()
        return frozenset(
            name.replace(":", ".").rpartition(".")[2] for name in listed if isinstance(name, str)
        )

    def hands_on_as_written(self, path: Path, document: Document) -> str | None:
        """The arguments of its own optimizers, which transformers reads from text."""
        if path[0] != "optim_args":
            return None
        node = document.node(("optimizer",))
        if isinstance(node, Scalar) and str(node.value).startswith(_OWN_OPTIMIZERS):
            return None
        return "transformers gets the arguments of its optimizers as text in any case"

    def implies_several_gpus(self, view: View) -> bool:
        return any(plain(view.value((key,))) for key in ("deepspeed", "fsdp", "fsdp_config"))

    def fact(self, name: str, view: View, around: Surroundings) -> Any:
        """A fact about the base model, of its files or else of its name."""
        if not name.startswith(_MODEL):
            return UNKNOWN
        name = name[len(_MODEL) :]
        base_model = plain(view.value(("base_model",)))
        known = self._known_model(base_model)
        if around.folder is not None and isinstance(base_model, str) and base_model:
            stated = self._model_files(base_model, around.folder, view, around)
            if stated is not None:
                if name in stated:
                    return stated[name]
                if known is not None and known.get("model_type") != stated["model_type"]:
                    # The name is another model's: a folder may have any name.
                    return UNKNOWN
        return UNKNOWN if known is None else known.get(name, UNKNOWN)

    def _known_model(self, base_model: Any) -> dict[str, Any] | None:
        if not isinstance(base_model, str):
            return None
        return self.knowledge.model(base_model.rstrip("/").rpartition("/")[2])

    def _model_files(
        self, base_model: str, folder: str, view: View, around: Surroundings
    ) -> dict[str, Any] | None:
        """What the files of a model on this machine state; None when there are none."""
        other = written_value(view.document, ("base_model_config",))
        if other is not MISSING and other is not None and other != base_model:
            return None
        place = ("may have files", base_model, folder)
        if not around.memory.once(place, lambda: may_have_files(base_model, folder, around.files)):
            return None
        from cfglint.files.model import facts

        revision = written_value(view.document, ("revision_of_model",))
        revision = None if revision is MISSING else revision
        files = ("model files", base_model, folder, str(revision))
        return around.memory.once(
            files,
            lambda: facts(
                base_model, folder, self.knowledge.models_of_type, around.files, revision
            ),
        )

    def is_own(self, document: Document) -> bool:
        """Of lists alone are sweep files: what each of many runs has of its own."""
        entries = document.root.entries
        return not all(isinstance(entry.value.target(), Sequence) for entry in entries)

    def reading(self, target: Environment) -> Reading:
        from cfglint.frameworks.axolotl.reading import AxolotlReading

        return AxolotlReading(self, target)

    def planner(
        self, document: Document, target: Environment, around: Surroundings
    ) -> Planner | None:
        from cfglint.fit.values import Values
        from cfglint.frameworks.axolotl.fit.planner import AxolotlPlanner

        has_bf16 = target.fact("gpu.bf16") is not False
        return AxolotlPlanner(Values(document, self, target.release), around, has_bf16=has_bf16)

    def references(self, document: Document, around: Surroundings) -> Iterator[Reference]:
        """DeepSpeed's settings, and accelerate's where a command names them."""
        node = document.node((_DEEPSPEED,))
        if isinstance(node, Mapping):
            yield Reference(_DEEPSPEED, (_DEEPSPEED,))
        elif isinstance(node, Scalar) and isinstance(node.value, str) and node.value:
            from cfglint.environment.named_files import named_file
            from cfglint.frameworks.axolotl.deepspeed_files import MAX_BYTES

            path = named_file(node.value, around, MAX_BYTES)
            yield Reference(_DEEPSPEED, (_DEEPSPEED,), path)
        for path, launches in _launch_settings(around).items():
            yield Reference(_ACCELERATE, (_ACCELERATE,), path, tuple(launches))

    def sweeps(self) -> SweepFormat:
        from cfglint.frameworks.axolotl.sweeps import AxolotlSweeps

        return AxolotlSweeps()

    def overrides(self, line: Start, document: Document, release: str) -> Iterable[Override]:
        from cfglint.frameworks.axolotl.launch_options import overrides

        return overrides(line, document, self.release_keys(release))

    def option(self, line: Start, key: str, value: Any, release: str) -> str | None:
        from cfglint.frameworks.axolotl.launch_options import option_words

        return option_words(line, key, value, self.release_keys(release))


def _launch_settings(around: Surroundings) -> dict[str, list[Start]]:
    """The settings of accelerate that commands name which start the file, with these commands."""
    project, folder = around.project, around.folder
    found: dict[str, list[Start]] = {}
    if project is None or folder is None:
        return found
    for line in around.launches:
        word = line.option("config_file") if line.launcher == _ACCELERATE else None
        named = project.named(word.text, folder) if word is not None and not word.open else None
        if named is not None:
            found.setdefault(named[0], []).append(line)
    return found


FRAMEWORK = Axolotl

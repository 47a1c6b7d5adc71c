"""Axolotl: one YAML file that describes a whole training run."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property
from typing import Any

from cfglint.frameworks.keytable import KeyTable
from cfglint.frameworks.lax_types import as_scalar, split_type
from cfglint.frameworks.release_keys import ReleaseKeys
from cfglint.lazy import lazy_pattern
from cfglint.rules.knowledge import Knowledge, TeamRules, load_knowledge
from cfglint.rules.logic import MISSING, UNKNOWN, plain
from cfglint.rules.lookup import Lookup
from cfglint.rules.views import View
from cfglint.source.document import Document, Mapping, Path, Scalar, Sequence
from cfglint.target.target import ReleaseInfo, Target

#: Keys that no other tool's YAML has at its top level. Two of them beside `base_model` make a
#: file an Axolotl config, three do without it (a fragment, or one whose base_model is missing).
DISTINCTIVE = frozenset(
    {
        "adapter",
        "base_model_config",
        "bf16",
        "chat_template_jinja",
        "dataset_prepared_path",
        "datasets",
        "deepspeed",
        "eval_sample_packing",
        "evals_per_epoch",
        "flash_attention",
        "fsdp_config",
        "gradient_accumulation_steps",
        "is_llama_derived_model",
        "load_in_4bit",
        "load_in_8bit",
        "lora_r",
        "lora_target_linear",
        "lora_target_modules",
        "lr_scheduler",
        "micro_batch_size",
        "num_epochs",
        "output_dir",
        "pad_to_sequence_len",
        "sample_packing",
        "saves_per_epoch",
        "sequence_len",
        "tf32",
        "tokenizer_type",
        "train_on_inputs",
        "val_set_size",
        "wandb_project",
        "xformers_attention",
    }
)
#: Of these, the ones that Axolotl alone uses.
_STRONG = frozenset(
    {
        "dataset_prepared_path",
        "eval_sample_packing",
        "evals_per_epoch",
        "is_llama_derived_model",
        "lora_target_linear",
        "micro_batch_size",
        "pad_to_sequence_len",
        "sample_packing",
        "saves_per_epoch",
        "sequence_len",
        "val_set_size",
    }
)
_ROOT_KEY = lazy_pattern(r"^([A-Za-z_][A-Za-z0-9_]*)[ ]*:", re.MULTILINE)

#: In Axolotl's order: the first flag that is set wins.
_ATTENTION_FLAGS = (
    ("xformers_attention", "xformers"),
    ("sage_attention", "sage"),
    ("flex_attention", "flex_attention"),
    ("flash_attention", "flash_attention_2"),
    ("sdp_attention", "sdpa"),
    ("s2_attention", "s2"),
    ("eager_attention", "eager"),
)
#: The release from which `fsdp_config` without a version means FSDP2.
FSDP2_DEFAULT_SINCE = "0.20.0"
#: The first release that reads `attn_implementation`, and `fsdp_version` outside of its section.
NAMED_BACKEND_SINCE = "0.12.0"


class Axolotl:
    """How Axolotl recognises, reads and completes a file.

    Args:
        team: rules of the project that is checked, beside those that come with cfglint.
    """

    name = "axolotl"

    def __init__(self, team: TeamRules | None = None) -> None:
        self._team = team

    @cached_property
    def knowledge(self) -> Knowledge:
        if self._team is not None:
            return Knowledge(self.name, self._team)
        return load_knowledge(self.name)

    @cached_property
    def lookup(self) -> Lookup:
        """Finds the rules and rewrites that may matter in a file."""
        return self.knowledge.lookup(self.coerce)

    @cached_property
    def keys(self) -> KeyTable:
        return KeyTable(self.knowledge.keys)

    def release_keys(self, release: str) -> ReleaseKeys:
        """The keys of one release (or of a version between releases)."""
        known = self._release_keys.get(release)
        if known is None:
            versions = self.knowledge.releases.RELEASES
            known = self._release_keys[release] = ReleaseKeys(self.keys, versions, release)
        return known

    @cached_property
    def _release_keys(self) -> dict[str, ReleaseKeys]:
        return {}

    def release_info(self) -> ReleaseInfo:
        """The releases to choose a target from."""
        module = self.knowledge.releases
        return ReleaseInfo(self.name, module.RELEASES, module.NEWEST, module.PINS)

    def recognises(self, root: Mapping) -> bool:
        """Whether a mapping looks like one of this framework's configs."""
        if not _looks_like({entry.name for entry in root.entries if entry.name is not None}):
            return False
        # Of lists alone are sweep files: what each of many runs has of its own.
        return not all(isinstance(entry.value.target(), Sequence) for entry in root.entries)

    def recognises_text(self, text: str) -> bool:
        """The same for text that does not parse: by its lines that start with a key."""
        return _looks_like(set(_ROOT_KEY.findall(text)))

    def knows_any(self, root: Mapping) -> bool:
        """Whether at least one top-level key belongs to this framework."""
        return any(
            entry.name is not None and entry.name in self.keys.names("") for entry in root.entries
        )

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

    def model_fact(
        self, name: str, view: View, files: Callable[[str], dict[str, Any] | None] | None = None
    ) -> Any:
        """A fact about the base model; `UNKNOWN` when neither its files nor its name tell.

        Args:
            files: what the files of a model state, when they may be looked at.
        """
        base_model = plain(view.value(("base_model",)))
        known = self._model(base_model)
        if files is not None and isinstance(base_model, str) and base_model:
            stated = files(base_model)
            if stated is not None:
                if name in stated:
                    return stated[name]
                if known is not None and known.get("model_type") != stated["model_type"]:
                    # The name is another model's: a folder may have any name.
                    return UNKNOWN
        return UNKNOWN if known is None else known.get(name, UNKNOWN)

    def _model(self, base_model: Any) -> dict[str, Any] | None:
        if not isinstance(base_model, str):
            return None
        return self.knowledge.model(base_model.rstrip("/").rpartition("/")[2])

    def derived(self, name: str, view: View, target: Target, *, assume: bool) -> Any:
        """A derived key (see `DERIVED`), `UNKNOWN` when the file does not tell.

        Args:
            assume: take the newest candidate release when several fit the target.
        """
        return DERIVED[name](view, target, assume)

    def derived_needs(self, name: str) -> str:
        """The fact whose absence makes a derived key unknown."""
        return self.name if name == "fsdp_version" else f"derived {name}"

    def implies_several_gpus(self, view: View) -> bool:
        """Whether a file asks for a way to share the work between GPUs. How many it does not tell."""
        return any(plain(view.value((key,))) for key in ("deepspeed", "fsdp", "fsdp_config"))

    def earliest_release(self, document: Document) -> str | None:
        """The first release that has every top-level key of a file; None when all are old.

        A file that sets a key was written for a release that reads it. (Sections tell nothing:
        releases took mappings as they came before they described their keys.)
        """
        ages = self._ages
        newest = 0
        for entry in document.root.entries:
            age = ages.get(entry.name, 0)
            if age > newest:
                value = entry.value.target()
                if not isinstance(value, Scalar) or value.value is not None:
                    newest = age
        return self.knowledge.releases.RELEASES[newest] if newest > 0 else None

    @cached_property
    def _ages(self) -> dict[str | None, int]:
        """Top-level key -> the number of the release that brought it, if not the first."""
        numbers = {release: n for n, release in enumerate(self.knowledge.releases.RELEASES)}
        return {
            name: number
            for name, row in self.keys.names("").items()
            if (number := numbers.get(row[0], 0)) > 0
        }


def _looks_like(keys: set[str]) -> bool:
    distinctive = len(keys & DISTINCTIVE)
    strong = len(keys & _STRONG)
    if "base_model" in keys:
        return strong >= 1 and distinctive >= 2
    return strong >= 2 and distinctive >= 3


def _is_before(target: Target, release: str) -> bool:
    """Whether every release that the target may be is older than one."""
    if target.foreign_version is not None or not target.candidates:
        return False
    return target.candidates < 1 << target.releases.versions.index(release)


def attention_backend(view: View, target: Target, _assume: bool) -> Any:
    """The attention implementation after the older boolean flags are taken into account."""
    chosen = plain(view.value(("attn_implementation",)))
    if chosen is not None and not _is_before(target, NAMED_BACKEND_SINCE):
        return chosen
    for flag, backend in _ATTENTION_FLAGS:
        if plain(view.value((flag,))) is True:
            return backend
    return None


def fsdp_version(view: View, target: Target, assume: bool) -> Any:
    """1 or 2; None when the file does not use FSDP. The default changed in 0.20.0."""
    sharded = plain(view.value(("fsdp",))) or plain(view.value(("fsdp_config",)))
    if not sharded:
        return None
    for path in (("fsdp_version",), ("fsdp_config", "fsdp_version"), ("fsdp_config", "version")):
        if len(path) == 1 and _is_before(target, NAMED_BACKEND_SINCE):
            continue
        written = plain(view.value(path))
        if isinstance(written, int):
            return written
    if target.foreign_version is not None:
        return UNKNOWN
    first = target.releases.versions.index(FSDP2_DEFAULT_SINCE)
    candidates = target.candidates
    if assume:
        candidates = 1 << (candidates.bit_length() - 1)
    older = candidates & ((1 << first) - 1)
    if not older:
        return 2
    return 1 if older == candidates else UNKNOWN


def zero_stage(view: View, target: Target, _assume: bool) -> Any:
    """DeepSpeed's ZeRO stage as its file or the file's name tells it; None without DeepSpeed."""
    config = plain(view.value(("deepspeed",)))
    if not config:
        return None
    if isinstance(config, dict):
        section = config.get("zero_optimization")
        stage = section.get("stage") if isinstance(section, dict) else None
        return stage if isinstance(stage, int) else UNKNOWN
    if target.folder is not None:
        from cfglint.satellites.deepspeed import load_once, stage_of

        stated = stage_of(load_once(config, target))
        if stated is not None:
            return stated
    match = re.search(r"(?:zero|stage|ds_?z)[-_]?([0-3])", str(config), re.IGNORECASE)
    return int(match.group(1)) if match else UNKNOWN


def group_batch_size(view: View, _target: Target, _assume: bool) -> Any:
    """Rows that one GPU works through for one optimizer step."""
    micro = plain(view.value(("micro_batch_size",)))
    steps = plain(view.value(("gradient_accumulation_steps",)))
    if isinstance(micro, int) and isinstance(steps, int):
        return micro * steps
    return MISSING


DERIVED: dict[str, Callable[[View, Target, bool], Any]] = {
    "attention_backend": attention_backend,
    "fsdp_version": fsdp_version,
    "zero_stage": zero_stage,
    "group_batch_size": group_batch_size,
}

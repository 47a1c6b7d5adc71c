"""What becomes of a key in one of Axolotl's files."""

from __future__ import annotations

from cfglint.base.type_names import TYPE_CHECKING, Any, Final
from cfglint.frameworks.axolotl.done_anyway import ends_no_turn, is_done_anyway
from cfglint.knowledge.keys.places import full_key
from cfglint.knowledge.keys.release_keys import ReleaseKeys
from cfglint.roles.foreign_names import ForeignName
from cfglint.roles.key_policy import (
    GENERIC_NAMES,
    IDLE,
    LATER,
    READ,
    REFUSED,
    REMOVED,
    UNREAD,
    WITHOUT_PLUGIN,
    KeyPolicy,
    Verdict,
    WrittenKey,
)
from cfglint.source.document import Scalar
from cfglint.source.values import to_python

if TYPE_CHECKING:
    from cfglint.environment.environment import Environment
    from cfglint.roles.parts import FileContext

#: Keys of `type:` mappings that no supervised dataset reads.
_PREFERENCE_KEYS = frozenset(
    {
        "field_prompt", "field_chosen", "field_rejected", "field_completion", "field_label",
        "prompt_format", "chosen_format", "rejected_format", "completion_format",
    }
)  # fmt: skip
_FSDP: Final = "fsdp_"
#: The lists of datasets.
_LISTS: Final = ("datasets[]", "test_datasets[]", "pretraining_dataset[]")
_TEST: Final = "test_datasets[]."
_SPLIT: Final = ".train_on_split"
#: Read by `axolotl lm-eval`, with the plugin listed or not.
_OF_COMMANDS: Final = frozenset({"lm_eval_tasks", "lm_eval_model", "lm_eval_batch_size"})
#: A validator or the command takes these out of the file before the schema sees it: key -> since when.
_READ_SOONER: Final = {"plugins": "0.5.0", "fsdp_config.fsdp_version": "0.12.0"}
#: Values that were what happens before there was a key for them: key -> since when, value.
_DONE_SOONER: Final[dict[str, tuple[str, Any]]] = {
    "message_property_mappings": ("0.5.0", {"role": "role", "content": "content"}),
}
#: transformers 4.50 dropped its own AdamW for that of PyTorch.
_NEWER_WORDS: Final = {"optimizer": {"adamw_hf": "adamw_torch"}}
#: The plugin that changes settings of the file before it is validated, and since when.
_DIFFUSION: Final = "DiffusionPlugin"
_DIFFUSION_SINCE: Final = "0.21.0"
_TURN_ENDS: Final = "eot_tokens"
#: Setting -> the one that decides if both are written.
_STRONGER: Final = {"num_epochs": "max_steps"}


class AxolotlKeyPolicy(KeyPolicy):
    """The keys of Axolotl's schema and of its plugins."""

    refusal = "; Axolotl names the key, not the line, and only after everything has been imported"
    refused_by_newest = "error"

    def own_key(self, section: str, name: str) -> str:
        """Axolotl cuts the prefix off the keys of `fsdp_config` before it looks at them."""
        return name.removeprefix(_FSDP) if section == "fsdp_config" else name

    def by_name(self, section: str, name: str, keys: ReleaseKeys) -> Verdict:
        verdict = super().by_name(section, name, keys)
        if verdict.why == LATER:
            sooner = _READ_SOONER.get(full_key(section, name))
            if sooner is not None and keys.released(sooner):
                return Verdict(READ)
        if verdict.why == WITHOUT_PLUGIN and name in _OF_COMMANDS:
            return verdict.replaced(state=IDLE)
        return verdict

    def standing(self, key: WrittenKey, ctx: FileContext) -> Verdict:
        verdict = super().standing(key, ctx)
        if verdict.state == UNREAD:
            return self._of_unread(verdict, key, ctx)
        if key.section == "fsdp_config" and _is_overwritten(key):
            return Verdict(IDLE)
        if verdict.state == REFUSED and _is_taken_by_diffusion(key, ctx):
            return Verdict(IDLE)
        if verdict.state == REFUSED:
            return self._of_refused(verdict, key, ctx)
        return verdict

    def _of_refused(self, verdict: Verdict, key: WrittenKey, ctx: FileContext) -> Verdict:
        value, schema = verdict.value, verdict.schema
        if key.full_name in _NEWER_WORDS and isinstance(value, str):
            newer = _NEWER_WORDS[key.full_name].get(value)
            return verdict.replaced(newer_word=newer)
        if schema is None or key.full_name != "datasets" or not isinstance(value, list):
            return verdict
        if "DPODataset" in ctx.release_keys.entry_classes.of_entry("datasets[]", (), ctx.document):
            return verdict
        # `dict([])` and `dict("")` are empty entries of a list of datasets.
        value = [{} if item in ([], "") else item for item in value]
        return verdict.replaced(state=READ if schema.fits(value) else REFUSED, value=value)

    def _of_unread(self, verdict: Verdict, key: WrittenKey, ctx: FileContext) -> Verdict:
        changes: dict[str, Any] = {}
        if verdict.homes:
            changes["where"] = _home_in_words(verdict.homes[0], key, ctx)
        if verdict.foreign is not None and verdict.foreign.to is not None:
            stronger = _STRONGER.get(verdict.foreign.to, "")
            changes["outranked"] = ctx.document.node((stronger,)) is not None
        changes["needless"] = _is_needless(verdict, key, ctx) or is_done_anyway(key, ctx)
        if key.name == _TURN_ENDS and verdict.homes and _is_usual_end(key, ctx):
            changes.update(severity="note", hint=" Without it probably the same token ends a turn.")
        if key.name == _TURN_ENDS and verdict.homes and ends_no_turn(ctx):
            changes.update(
                severity="note", hint=" Only data of the type `chat_template` have use for it."
            )
        if _is_of_unused_vllm(verdict, key, ctx):
            changes.update(needless=True, hint=" Without `trl.use_vllm` nothing reads it.")
        return verdict.replaced(**changes)

    def foreign(self, name: str, target: Environment) -> ForeignName | None:
        """The entries of `test_datasets` have the keys of those in `datasets`."""
        found = super().foreign(name, target)
        if found is not None or not name.startswith(_TEST) or name.endswith(_SPLIT):
            return found
        found = super().foreign(name.removeprefix("test_"), target)
        if found is None or found.to is None or not found.to.startswith("datasets[]"):
            return found
        return found.replaced(to=f"test_{found.to}")

    def homes(self, section: str, name: str, homes: list[str]) -> list[str]:
        """The sections in which a misplaced key was meant: datasets' keys move near their entry."""
        if "" in homes:
            return [""]
        if section.endswith("[].type") and name in GENERIC_NAMES:
            return []
        if "datasets[]" in homes or "datasets[].type" in homes:
            homes = [home for home in homes if home.startswith("datasets")]
        if section.startswith(_LISTS):
            own = section.partition("[]")[0]
            near = [f"{own}[].type"] if section == f"{own}[]" else [f"{own}[]"]
            homes = [home for home in near if self.framework.keys.info(home, name) is not None]
        elif name in GENERIC_NAMES:
            return []
        return homes[:1] if homes and homes[0].startswith("datasets") else homes


def _is_taken_by_diffusion(key: WrittenKey, ctx: FileContext) -> bool:
    """Whether DiffusionPlugin makes a `warmup_ratio` of a share of steps before the schema sees it.

    It does for its older section, `diffusion`, and when neither section is written.
    """
    if key.full_name != "warmup_steps" or _DIFFUSION not in ctx.plugins:
        return False
    value = to_python(key.entry.value)
    older = key.mapping.lookup.get("diffusion") or not key.mapping.lookup.get("diffusion_lm")
    return (
        isinstance(value, float)
        and 0 < value < 1
        and bool(older)
        and ctx.release_keys.released(_DIFFUSION_SINCE)
    )


def _is_overwritten(key: WrittenKey) -> bool:
    """Whether the other spelling of an FSDP key, with or without its prefix, comes later."""
    name, lookup = key.name, key.mapping.lookup
    other = lookup.get(name.removeprefix(_FSDP) if name.startswith(_FSDP) else f"{_FSDP}{name}")
    return (
        name in lookup and other is not None and other.key.span.start > lookup[name].key.span.start
    )


def _is_needless(verdict: Verdict, key: WrittenKey, ctx: FileContext) -> bool:
    """Whether a run does what an unread key requests, as columns are read under usual names."""
    section, name, value = key.section, key.name, key.entry.value.target()
    if verdict.why == LATER:
        usual = _DONE_SOONER.get(name)
        done = usual is not None and ctx.release_keys.released(usual[0])
        if usual is not None and done and to_python(key.entry.value) == usual[1]:
            return True
        if isinstance(value, Scalar) and isinstance(value.value, str):
            return name in (*_OF_COMMANDS, f"field_{value.value}")
        return verdict.needless or name in _OF_COMMANDS
    if verdict.needless and section.endswith("datasets[]") and name.startswith("field_"):
        kind = ctx.document.node((*key.path[:-1], "type"))
        return isinstance(kind, Scalar) and kind.value == "alpaca"
    return verdict.needless


def _is_of_unused_vllm(verdict: Verdict, key: WrittenKey, ctx: FileContext) -> bool:
    """Whether a removed key of `trl` belongs to the vLLM that the file does not use."""
    if verdict.why != REMOVED or key.section != "trl" or not key.name.startswith("vllm_"):
        return False
    switch = ctx.document.node(("trl", "use_vllm"))
    return switch is None or not to_python(switch)


def _is_usual_end(key: WrittenKey, ctx: FileContext) -> bool:
    """Whether the one token of a misplaced `eot_tokens` probably ends a turn anyway."""
    from cfglint.frameworks.axolotl.turn_ends import usual_end

    tokens = to_python(key.entry.value)
    return isinstance(tokens, list) and len(tokens) == 1 and tokens[0] == usual_end(ctx.document)


def _home_in_words(home: str, key: WrittenKey, ctx: FileContext) -> str | None:
    """Where a key of a `type:` mapping belongs, which not every entry has."""
    if not home.endswith("[].type"):
        return None
    kind = ctx.document.node((*key.path[:-1], "type"))
    written = kind.value if isinstance(kind, Scalar) else None
    if not isinstance(written, str):
        return "under the `type:` of the dataset"
    where = f"in a `type:` mapping (`{written}` does not read it)"
    if key.name in _PREFERENCE_KEYS and ctx.document.node(("rl",)) is None:
        where += ", and only with `rl`"
    return where


ROLE = AxolotlKeyPolicy

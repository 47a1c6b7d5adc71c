"""Whether a clone or a fork of LLaMA-Factory in the project reads a file."""

from __future__ import annotations

from cfglint.base.type_names import TYPE_CHECKING, Any, ClassVar, Final
from cfglint.frameworks.llamafactory.key_policy import UNRELEASED, UNRELEASED_VALUES
from cfglint.frameworks.llamafactory.layout import DATASETS
from cfglint.roles.own_code import OwnCode
from cfglint.source.document import Scalar

if TYPE_CHECKING:
    from cfglint.diagnostic import Diagnostic
    from cfglint.frameworks.llamafactory.own_copy import OwnCopy
    from cfglint.roles.key_policy import WrittenKey
    from cfglint.roles.parts import FileContext

#: The sections of the v1 layout that choose a plugin, and the class that its plugins are registered with.
_PLUGINS: Final = {"lr_scheduler_config": "LRSchedulerPlugin", "optim_config": "OptimizerPlugin"}
#: The argument whose values have got other names, and the rule that says so.
_RENAMED: Final = ("quantization_method", "LLF011")
#: The rule about keys and words that no release has yet.
_UNRELEASED: Final = "LLF157"
#: The rule about keys that every file must have, and those about what some runs need besides.
_MISSING: Final = "TYP004"
_LACKING: Final = frozenset(
    {_MISSING, "LLF029", "LLF032", "LLF040", "LLF041", "LLF042", "LLF044", "LLF052"}
)
#: What is reported of a fork's options, too: those that no release has, with the slips among them, and values of another type.
_OF_FORKS: Final = frozenset({"unknown-key", "wrong-type"})
#: Options that only releases before the first known one have (0.1.0 to 0.5.3).
_EARLIER: Final = frozenset(
    {
        "checkpoint_dir", "compute_dtype", "dev_ratio", "disable_version_checking", "dpo_ref_model",
        "dpo_ref_model_checkpoint", "hf_auth_token", "lora_bf16_mode", "max_source_length",
        "max_target_length", "model_max_length", "neft_alpha", "num_hidden_layers", "padding_side",
        "prompt_template", "ref_model_checkpoint", "resume_lora_training", "reward_model_checkpoint",
        "sft_packing", "source_prefix", "system_prompt", "use_auth_token",
    }
)  # fmt: skip
#: What is reported of the words of a command, which other releases may take.
_WORDLESS: Final = "option-without-word"
_OF_WORDS: Final = frozenset({"unknown-choice", _WORDLESS, "wrong-type"})
#: Options that were switches up to 0.6.3, and want a word since.
_SWITCHES: Final = frozenset({("flash_attn",)})
#: The rules about what LLaMA-Factory does with a file; not the one about datasets that its list lacks: who reads such a
#: list is of its kind.
_OF_FRAMEWORK: Final = ("LLF", "LFV")
_UNLISTED: Final = "LLF053"
#: The rules about commands, whatever they start.
_OF_SHELLS: Final = "LCH"
#: The rules about what the Trainer of transformers compares with DeepSpeed's settings.
_OF_TRAINERS: Final = "DST"
#: The names of the package, and of the repository in a path: a source that has one may hand a file on to LLaMA-Factory.
_PACKAGES: Final = ("llamafactory", "llama_factory", "llmtuner")
_HANDING_ON: Final = (
    *_PACKAGES, "llama-factory/", "/llama-factory", '"llama-factory', "'llama-factory",
)  # fmt: skip


class LLaMAFactoryOwnCode(OwnCode):
    """A copy of the package counts unless the user names a release."""

    modules: ClassVar[tuple[str, ...]] = ("llamafactory", "llmtuner")
    wholes: ClassVar[tuple[str, ...]] = ("hparams",)
    parts: ClassVar[tuple[str, ...]] = ("model", "train")

    def has(self, key: WrittenKey, ctx: FileContext) -> bool:
        copy = self._copy(ctx)
        if copy.has_in_lists(key.name) if self.framework.kind == DATASETS else copy.has(key.name):
            return True
        if self.framework.in_scripts:
            from cfglint.frameworks.llamafactory.own_program import has_extended, is_of_its_own

            if key.name in _EARLIER and self._may_be_earlier(ctx):
                return True
            return is_of_its_own(ctx) or (key.info is None and has_extended(ctx))
        if self.framework.kind or ctx.around.folder is None:
            return False
        return self._has_other_reader(ctx) or key.name in _added_arguments(ctx, ctx.around.folder)

    def takes(self, key: WrittenKey, value: Any, ctx: FileContext) -> bool:
        if self._decides(ctx):
            return bool(_choices(key.section, key.name, ctx))
        if self._has_other_reader(ctx):
            return True
        return self._copy(ctx).takes(key.name, value, _choices(key.section, key.name, ctx))

    def words(self, key: WrittenKey, ctx: FileContext) -> tuple[str, ...]:
        """The words that a copy declares for a key, in place of the release's; empty where it declares none."""
        return () if key.section else self._copy(ctx).words(key.name)

    def converts(self, formatting: Any, known: tuple[Any, ...], ctx: FileContext) -> bool:
        """Whether a copy has a converter for a format of datasets that the release does not have."""
        return isinstance(formatting, str) and self._copy(ctx).takes(
            "formatting", formatting, known
        )

    def differs(self, finding: Diagnostic, ctx: FileContext) -> bool:
        """Words of main (LLF157), the plugins of the v1 layout (LFV010, LFV011), a method's name (LLF011).

        In a file with a key of the fork's own nothing counts as missing: `train_size: 0.8` may be what gives a run
        its data for evaluation. Nor does a key for which the copy has a default (TYP004).
        """
        return (
            self._is_of_another(finding, ctx)
            or (finding.code != _UNLISTED and self._is_of_its_reader(finding, ctx))
            or self._refuses_nothing(finding, ctx)
            or self._is_of_earlier(finding, ctx)
            or self._copy_differs(finding, ctx)
        )

    def _refuses_nothing(self, finding: Diagnostic, ctx: FileContext) -> bool:
        """Whether something else than the release decides on what it would refuse."""
        if finding.upstream != "rejects":
            return False
        if finding.code.startswith(_OF_TRAINERS):
            from cfglint.frameworks.llamafactory.own_trainers import trains_by_itself

            if trains_by_itself(ctx.around):
                return True
        return finding.name not in _OF_FORKS and self._decides(ctx)

    def _is_of_earlier(self, finding: Diagnostic, ctx: FileContext) -> bool:
        """Whether a release before the known ones may have what a finding misses, or takes for missing."""
        if finding.code in _LACKING:
            return self._has_earlier_option(ctx)
        is_switch = finding.name == _WORDLESS and finding.path in _SWITCHES
        return is_switch and self._may_be_earlier(ctx)

    def _copy_differs(self, finding: Diagnostic, ctx: FileContext) -> bool:
        """Whether the project's copy of the framework has, or takes, what a finding is about."""
        copy = self._copy(ctx)
        if not copy.is_there:
            return False
        if finding.code in _LACKING and self._has_own_key(copy, ctx):
            return True
        if finding.code == _MISSING:
            required = self.framework.keys.required(ctx.release_keys.released)
            return any(
                f"`{name}`" in finding.message and copy.is_optional(name) for name in required
            )
        name = str(finding.path[0]) if finding.path else ""
        if (name, finding.code) == _RENAMED or (
            finding.code == _UNRELEASED and name in UNRELEASED_VALUES
        ):
            return copy.takes(name, ctx.value(name), _choices("", name, ctx))
        if finding.upstream != "rejects":
            return False
        if name in UNRELEASED and not self.framework.kind:
            return copy.has(name)
        plugin = _PLUGINS.get(name)
        if plugin is None:
            return False
        chosen = ctx.document.node((name, "name"))
        return isinstance(chosen, Scalar) and copy.has_plugin(f"{plugin}.{chosen.value}")

    def may_differ(self, finding: Diagnostic, ctx: FileContext) -> bool:
        """Whether a release before the known ones, which has the program that a script starts, may take a word."""
        return finding.name in _OF_WORDS and self._may_be_earlier(ctx)

    def _may_be_earlier(self, ctx: FileContext) -> bool:
        """Whether a release before 0.6.0 may run: the script shows no more than that it is an old one."""
        text = ctx.document.text
        return ctx.target.assumed and self.framework.parsing.last_release(text) is not None

    def _has_earlier_option(self, ctx: FileContext) -> bool:
        """Whether a script has an option of an earlier release, which may stand for one that seems to be missing."""
        names = (entry.name for entry in ctx.document.root.entries)
        return self._may_be_earlier(ctx) and any(name in _EARLIER for name in names)

    def _decides(self, ctx: FileContext) -> bool:
        """Whether the `src/train.py` that a script starts is none of LLaMA-Factory's, and has options of its own."""
        if not self.framework.in_scripts:
            return False
        from cfglint.frameworks.llamafactory.own_program import is_of_its_own, seems_forked

        return is_of_its_own(ctx) or seems_forked(self.framework, ctx)

    def _is_of_another(self, finding: Diagnostic, ctx: FileContext) -> bool:
        """Whether a finding is about LLaMA-Factory's options, and the script starts a program that does not import it."""
        if not self.framework.in_scripts or finding.code.startswith(_OF_SHELLS):
            return False
        from cfglint.frameworks.llamafactory.own_program import is_of_its_own

        return is_of_its_own(ctx)

    def _has_own_key(self, copy: OwnCopy, ctx: FileContext) -> bool:
        """Whether a file has a key that only a fork has, which may ask for others than the releases do."""
        released = self.framework.keys.names("")
        return any(
            entry.name is not None and entry.name not in released and copy.has(entry.name)
            for entry in ctx.document.root.entries
        )

    def _has_other_reader(self, ctx: FileContext) -> bool:
        """Whether a program of the project that is none of LLaMA-Factory reads a file."""
        if (
            self.framework.in_scripts
            or self.framework.kind == DATASETS
            or ctx.around.folder is None
            or ctx.around.launches
        ):
            return False
        return ctx.once("another program reads it", lambda: self._is_read_elsewhere(ctx))

    def _is_of_its_reader(self, finding: Diagnostic, ctx: FileContext) -> bool:
        """Whether a finding is about what LLaMA-Factory does with a file, and another program reads it."""
        if not self._has_other_reader(ctx):
            return False
        return finding.upstream == "rejects" or (
            finding.code.startswith(_OF_FRAMEWORK) and self._hands_nothing_on(ctx)
        )

    def _hands_nothing_on(self, ctx: FileContext) -> bool:
        """Whether no program of the project seems to hand a file on to LLaMA-Factory."""
        from cfglint.environment.project.other_programs import are_in_sources

        return not are_in_sources(_HANDING_ON, ctx.around)

    def _is_read_elsewhere(self, ctx: FileContext) -> bool:
        from cfglint.environment.project.other_programs import (
            are_declared,
            programs_named_with,
            reads_such_files,
        )

        names = [entry.name for entry in ctx.document.root.entries if entry.name is not None]
        known = self.framework.keys.names("")
        copy = self._copy(ctx)
        own = [name for name in names if name not in known and not copy.has(name)]
        for program in programs_named_with(ctx.document, ctx.around):
            if any(map(program.names, own)) or self._hands_nothing_on(ctx):
                return True
        # Who reads the file is seen by a key alone that LLaMA-Factory refuses.
        if not own:
            return False
        return reads_such_files(names, own, ctx.around) or are_declared(own, ctx.around)

    def _copy(self, ctx: FileContext) -> OwnCopy:
        from cfglint.frameworks.llamafactory.own_copy import copy_around

        pin = ctx.target.pins.get(self.framework.packages[0])
        return copy_around(ctx.around if pin is None or pin.in_project else None)


def _choices(section: str, name: str, ctx: FileContext) -> tuple[Any, ...]:
    """The words that the release takes for a key; empty if it does not list them."""
    described = ctx.release_keys.section(section)
    schema = None if described is None else described[name].schema
    return () if schema is None else schema.choices


def _added_arguments(ctx: FileContext, folder: str) -> frozenset[str]:
    """The arguments that classes of the project's own add to LLaMA-Factory's."""
    from cfglint.environment.python_sources import sources_around

    def look() -> frozenset[str]:
        from cfglint.frameworks.llamafactory.copy_source import added_arguments

        sources = sources_around(ctx.around).values()
        return frozenset(
            name
            for text in filter(None, sources)
            if any(package in text for package in _PACKAGES)
            for name in added_arguments(text)
        )

    return ctx.around.memory.once(("added llamafactory arguments", folder), look)


ROLE = LLaMAFactoryOwnCode

"""Where each check of programs lives, and the words without which a program needs none of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cfglint.base.type_names import Final
from cfglint.checks.context import CheckContext
from cfglint.checks.sources import has_folder, in_module, of_commands
from cfglint.roles.parts import CheckSource


def _is_program(ctx: CheckContext) -> bool:
    return not ctx.framework.in_scripts


def _creates_parser(ctx: CheckContext) -> bool:
    """Whether a program has the name of a parser that fills classes."""
    text = ctx.document.text
    return not ctx.framework.in_scripts and any(
        one in text for one in ("HfArgumentParser", "TrlParser")
    )


def _is_script(ctx: CheckContext) -> bool:
    return ctx.framework.in_scripts


def _loads_model(ctx: CheckContext) -> bool:
    """Whether a program loads a model with a `dtype`, by the words alone."""
    text = ctx.document.text
    return not ctx.framework.in_scripts and all(
        one in text for one in ("AutoModel", "from_pretrained", "dtype=")
    )


def _has(*words: str) -> Callable[[CheckContext], bool]:
    """Whether a program has all of some words."""
    return lambda ctx: not ctx.framework.in_scripts and all(w in ctx.document.text for w in words)


def _has_one(words: tuple[str, ...], *others: str) -> Callable[[CheckContext], bool]:
    """Whether a program has one of some words, and all of others."""
    has_others = _has(*others)
    return lambda ctx: has_others(ctx) and any(word in ctx.document.text for word in words)


def _names_deepspeed(ctx: CheckContext) -> bool:
    """Whether a script or a program has the argument for DeepSpeed, by the words alone."""
    return "deepspeed" in ctx.document.text


def _is_assigned(ctx: CheckContext) -> bool:
    """Whether a program may assign a setting to the arguments of a run, by the words alone."""
    text = ctx.document.text
    return not ctx.framework.in_scripts and (".deepspeed" in text or ".fsdp" in text)


def _is_launched(ctx: CheckContext) -> bool:
    """Whether a program has arguments that accelerate's file may have as well, by the words alone."""
    text = ctx.document.text
    written = "gradient_accumulation_steps" in text or "max_grad_norm" in text
    return written and not ctx.framework.in_scripts


CHECKS: Final[Mapping[str, CheckSource]] = {
    **of_commands(),
    **in_module(
        "cfglint.frameworks.trl_programs.trainers.parsed_fields",
        "field-of-two-classes",
        file=_creates_parser,
    ),
    **in_module(
        "cfglint.frameworks.trl_programs.trainers.repeated_keywords",
        "keyword-given-twice",
        file=_is_program,
    ),
    **in_module(
        "cfglint.frameworks.trl_programs.trainers.spread_configs",
        "config-spread-into-call",
        file=_has_one(("__dict__", "**vars("), "**"),
    ),
    **in_module(
        "cfglint.frameworks.trl_programs.models.model_loads",
        "dtype-of-later-release",
        file=_loads_model,
    ),
    **in_module(
        "cfglint.frameworks.trl_programs.models.older_loads",
        "attention-of-older-releases",
        file=_has("from_pretrained", "use_flash_attention_2"),
    ),
    **in_module(
        "cfglint.frameworks.trl_programs.models.older_loads",
        "bits-of-older-releases",
        file=_has("from_pretrained", "load_in_"),
    ),
    **in_module(
        "cfglint.frameworks.trl_programs.models.older_loads",
        "token-of-older-releases",
        file=_has("from_pretrained", "use_auth_token"),
    ),
    **in_module(
        "cfglint.frameworks.trl_programs.models.loaded_attention",
        "attention-not-known",
        file=_has("AutoModel", "attn_implementation"),
    ),
    **in_module(
        "cfglint.frameworks.trl_programs.models.overflowing",
        "t5-in-fp16",
        file=_has("from_pretrained", "fp16", "t5"),
    ),
    **in_module(
        "cfglint.frameworks.accelerate.other_strategy",
        "program-of-other-strategy",
        around=has_folder,
        file=_names_deepspeed,
    ),
    **in_module(
        "cfglint.frameworks.trl_programs.trainers.late_settings",
        "assigned-too-late",
        file=_is_assigned,
    ),
    **in_module(
        "cfglint.frameworks.trl_programs.trainers.deepspeed_pair",
        *("launched-program-and-deepspeed-differ", "program-and-deepspeed-differ"),
        "program-and-deepspeed-schedule-differ",
    ),
    **in_module(
        "cfglint.frameworks.trl_programs.trainers.launched_pair",
        "program-and-launch-differ",
        around=has_folder,
        file=_is_launched,
    ),
    **in_module(
        "cfglint.frameworks.trl_programs.imports.names",
        *("imported-from-newest", "imported-from-other-release"),
        file=_has("import"),
    ),
    **in_module(
        "cfglint.frameworks.trl_programs.imports.unlisted",
        "imported-but-not-listed",
        around=has_folder,
        file=_has_one(("import trl", "from trl", "import peft", "from peft")),
    ),
    **in_module(
        "cfglint.frameworks.trl_programs.imports.partners",
        *("package-of-other-time", "tokenizer-of-other-time"),
        file=_has("import"),
    ),
    **in_module(
        "cfglint.frameworks.trl_programs.trainers.overrides",
        "overridden-without-argument",
        file=_has("class ", "Trainer", "def "),
    ),
    **in_module(
        "cfglint.frameworks.trl_programs.models.checkpoints",
        "checkpoints-without-gradient",
        file=_has("gradient_checkpointing", "peft"),
    ),
    **in_module(
        "cfglint.frameworks.trl_programs.models.prefixes",
        "prefix-on-recomputing-model",
        file=_has("gradient_checkpointing_enable", "PrefixTuningConfig"),
    ),
    **in_module(
        "cfglint.frameworks.trl_programs.unsloth.loads",
        *("engine-of-whole-model", "vllm-without-engine"),
        file=_has("unsloth", "from_pretrained"),
    ),
    **in_module(
        "cfglint.frameworks.trl_programs.unsloth.adapters",
        *("module-without-kernel", "start-without-kernel", "loftq-of-four-bits"),
        "engine-beside-embeddings",
        file=_has("FastLanguageModel", "get_peft_model"),
    ),
    **in_module(
        "cfglint.frameworks.trl_programs.unsloth.adapters",
        "whole-model-before-its-time",
        file=_has("FastLanguageModel", "from_pretrained", "Trainer("),
    ),
    **in_module(
        "cfglint.frameworks.trl_programs.rows.given_datasets",
        *("split-not-chosen", "rows-without-labels"),
        file=_has("Trainer", "train_dataset", "datasets"),
    ),
    **in_module(
        "cfglint.frameworks.trl_programs.rows.formatting",
        *("text-for-a-batch", "list-for-a-row"),
        file=_has("SFTTrainer", "formatting_func"),
    ),
    **in_module(
        "cfglint.frameworks.trl_programs.rows.padding",
        "end-masked-as-padding",
        file=_has("from_pretrained", "pad_token", "eos_token", "DataCollatorFor"),
    ),
    **in_module(
        "cfglint.frameworks.trl_programs.rows.padding",
        "no-padding-token",
        file=_has_one(("padding", "DataCollator"), "okenizer", "from_pretrained"),
    ),
    **in_module(
        "cfglint.frameworks.trl_programs.rows.padding",
        "padding-without-embedding",
        file=_has("from_pretrained", "add_special_tokens", "pad_token"),
    ),
    **in_module(
        "cfglint.frameworks.trl_programs.rows.padding",
        "prompts-without-padding",
        file=_has("GRPOTrainer("),
    ),
    **in_module(
        "cfglint.frameworks.trl_programs.rows.padding",
        "classifier-without-padding",
        file=_has("AutoModelForSequenceClassification", "Trainer("),
    ),
    **in_module(
        "cfglint.frameworks.trl_programs.models.task_types",
        "adapter-of-other-task",
        file=_has("get_peft_model", "CAUSAL_LM", "Classification"),
    ),
    **in_module(
        "cfglint.frameworks.trl_programs.rows.labels",
        *("padding-is-a-label", "labels-of-another-text"),
        file=_has("labels", "okenize", "AutoModelForCausalLM", "Trainer("),
    ),
    **in_module(
        "cfglint.frameworks.trl_programs.rows.labels",
        "every-label-left-out",
        file=_has("-100", "max_length", "input_ids"),
    ),
    **in_module(
        "cfglint.frameworks.trl_programs.rows.labels",
        "labels-overwritten",
        file=_has("DataCollatorForLanguageModeling", "labels", "100"),
    ),
    **in_module(
        "cfglint.frameworks.trl_programs.rows.labels",
        "end-not-written",
        file=_has("AutoModelForCausalLM", "Trainer(", "okenizer"),
    ),
    **in_module(
        "cfglint.frameworks.trl_programs.rows.labels",
        "masked-words-of-causal-model",
        file=_has("DataCollatorForLanguageModeling", "AutoModelForCausalLM"),
    ),
    **in_module(
        "cfglint.frameworks.trl_programs.trainers.one_process",
        "trainer-in-one-process",
        file=_has_one(("process_zero", "main_process", "rank", "process_index"), "Trainer("),
    ),
    **in_module(
        "cfglint.frameworks.trl_programs.rows.read_columns",
        "columns-not-there",
        around=has_folder,
        file=_has("Trainer(", "data_files", "load_dataset"),
    ),
    **in_module(
        "cfglint.frameworks.trl_programs.models.sharded_bits",
        "whole-bytes-sharded",
        file=_has("BitsAndBytesConfig", "load_in_4bit"),
    ),
    **in_module(
        "cfglint.frameworks.trl_programs.trainers.trainer_calls",
        *("reference-is-the-model", "model-without-head", "stops-by-no-metric"),
        *("answers-of-packed-rows", "formatted-completions", "several-rewards"),
        *("half-weights-scaled", "logits-kept-for-metrics"),
        file=_has("Trainer("),
    ),
    **in_module("cfglint.checks.missing_programs", "missing-program", file=_is_script),
    **in_module(
        "cfglint.frameworks.trl_programs.misspelt_files",
        "misspelt-file",
        around=has_folder,
        file=_is_program,
    ),
    **in_module(
        "cfglint.frameworks.trl_programs.own_options",
        "option-not-in-program",
        around=has_folder,
        file=_has("ArgumentParser(", "parse_args("),
    ),
    **in_module(
        "cfglint.frameworks.trl_programs.other_folders",
        "file-in-other-folder",
        around=has_folder,
        file=_is_program,
    ),
    **in_module(
        "cfglint.frameworks.trl_programs.trainers.own_loops",
        *("gradients-cleared-too-early", "loss-divided-twice", "waits-for-other-processes"),
        *("backward-past-the-scaler", "scaled-gradients-clipped"),
        *("accumulation-without-block", "low-precision-under-fsdp"),
        file=_has("Accelerator("),
    ),
    **in_module(
        "cfglint.frameworks.trl_programs.trainers.prepared_apart",
        "prepared-apart",
        file=_has("Accelerator(", ".prepare("),
    ),
    **in_module(
        "cfglint.frameworks.trl_programs.trainers.resumed_shards",
        "moments-lost-in-shards",
        file=_has("Accelerator(", ".load_state("),
    ),
    **in_module(
        "cfglint.frameworks.trl_programs.trainers.rewards",
        "reward-without-keywords",
        file=_has("GRPOTrainer", "reward_funcs", "def "),
    ),
    **in_module(
        "cfglint.frameworks.trl_programs.trainers.reward_weights",
        "weights-of-other-number",
        file=_has("reward_weights", "reward_funcs"),
    ),
}

"""Keys that are not read: what is said of them, how gravely, and what becomes of the lines."""

from __future__ import annotations

import re

import pytest

from tests.draws import each
from tests.linting import fix, lint

BASE = "base_model: a/b\ndatasets:\n  - path: a/b\n    type: alpaca\n"
RULES = (
    "unknown-key", "foreign-key", "misplaced-key", "plugin-key-without-plugin", "removed-key",
    "key-of-later-release",
)  # fmt: skip
#: Lines, releases, what is found (rule, severity, upstream, place, the words that are quoted, other
#: places, fixes), and the lines with all fixes made, if there are any.
CASES: list[tuple[str, tuple[str, ...], list[str], str | None]] = [
    (
        "lerning_rate: 0.1\n",
        (),
        [
            "unknown-key | error | silent | lerning_rate | lerning_rate learning_rate | safe: Rename it to learning_rate"
        ],
        "learning_rate: 0.1\n",
    ),
    ("foo_bar_baz: 1\n", (), ["unknown-key | warning | silent | foo_bar_baz | foo_bar_baz"], None),
    (
        "learning_rat: x\n",
        (),
        [
            "unknown-key | error | silent | learning_rat | learning_rat learning_rate | safe: Rename it to learning_rate"
        ],
        "learning_rate: x\n",
    ),
    (
        "micro_batch_sise: 1\nmicro_batch_size: 2\n",
        (),
        ["unknown-key | error | silent | micro_batch_sise | micro_batch_sise micro_batch_size"],
        None,
    ),
    (
        "fsdp_config:\n  foo_bar: 1\n",
        (),
        ["unknown-key | warning | silent | foo_bar | foo_bar fsdp_config"],
        None,
    ),
    ("adam_beta3: 0.9\n", (), [], None),
    (
        "plugins: [mine.Plugin]\nfoo_bar_baz: 1\nqux_qux: 2\n",
        (),
        ["unknown-key | note | silent | foo_bar_baz | foo_bar_baz | also qux_qux"],
        None,
    ),
    (
        "per_device_train_batch_size: 4\n",
        (),
        [
            "foreign-key | error | silent | per_device_train_batch_size | per_device_train_batch_size micro_batch_size | safe: Use micro_batch_size"
        ],
        "micro_batch_size: 4\n",
    ),
    # Under its own name it would ask for the default.
    (
        "per_device_train_batch_size: 1\n",
        (),
        [
            "foreign-key | note | silent | per_device_train_batch_size | per_device_train_batch_size micro_batch_size | safe: Use micro_batch_size"
        ],
        "micro_batch_size: 1\n",
    ),
    (
        "per_device_train_batch_size: 1\nmicro_batch_size: 2\n",
        (),
        [
            "foreign-key | warning | silent | per_device_train_batch_size | per_device_train_batch_size micro_batch_size"
        ],
        None,
    ),
    (
        "per_device_train_batch_size: 2\nmicro_batch_size: 2\n",
        (),
        [
            "foreign-key | note | silent | per_device_train_batch_size | per_device_train_batch_size micro_batch_size | safe: Delete it; micro_batch_size has the same value"
        ],
        "micro_batch_size: 2\n",
    ),
    (
        "per_device_train_batch_size:\n",
        (),
        [
            "foreign-key | note | silent | per_device_train_batch_size | per_device_train_batch_size micro_batch_size | safe: Use micro_batch_size"
        ],
        "micro_batch_size:\n",
    ),
    (
        "report_to: wandb\n",
        (),
        ["foreign-key | warning | silent | report_to | report_to use_wandb | safe: Use use_wandb"],
        "use_wandb: true\n",
    ),
    (
        "report_to: none\n",
        (),
        ["foreign-key | note | silent | report_to | report_to | safe: Delete it"],
        "",
    ),
    (
        "max_seq_length: 2048\n",
        (),
        [
            "foreign-key | error | silent | max_seq_length | max_seq_length sequence_len | safe: Use sequence_len"
        ],
        "sequence_len: 2048\n",
    ),
    (
        "num_train_epochs: 3\n",
        (),
        [
            "foreign-key | error | silent | num_train_epochs | num_train_epochs num_epochs | safe: Use num_epochs"
        ],
        "num_epochs: 3\n",
    ),
    (
        "model_name_or_path: x/y\n",
        (),
        ["foreign-key | warning | silent | model_name_or_path | model_name_or_path base_model"],
        None,
    ),
    (
        "lora_target: all\n",
        (),
        ["foreign-key | error | silent | lora_target | lora_target lora_target_modules"],
        None,
    ),
    (
        "finetuning_type: lora\n",
        (),
        [
            "foreign-key | error | silent | finetuning_type | finetuning_type adapter | safe: Use adapter"
        ],
        "adapter: lora\n",
    ),
    (
        "do_train: true\n",
        (),
        ["foreign-key | warning | silent | do_train | do_train | safe: Delete it"],
        "",
    ),
    (
        "overwrite_output_dir: true\n",
        (),
        [
            "foreign-key | warning | silent | overwrite_output_dir | overwrite_output_dir | safe: Delete it"
        ],
        "",
    ),
    (
        "torch_dtype: bfloat16\n",
        (),
        ["foreign-key | error | silent | torch_dtype | torch_dtype bf16 | safe: Use bf16"],
        "bf16: true\n",
    ),
    (
        "run_name: x\n",
        (),
        ["foreign-key | warning | silent | run_name | run_name wandb_name | safe: Use wandb_name"],
        "wandb_name: x\n",
    ),
    (
        "special_tokens:\n  seed: 1\n",
        (),
        [
            "misplaced-key | error | silent | seed | special_tokens.seed | safe: Move it to the top level"
        ],
        "seed: 1\n",
    ),
    (
        "field_messages: x\n",
        (),
        [
            "misplaced-key | error | silent | field_messages | field_messages datasets | safe: Move it into the entry of `datasets` above it"
        ],
        "    field_messages: x\n",
    ),
    (
        "trl:\n  learning_rate: 0.1\n",
        (),
        [
            "misplaced-key | error | silent | learning_rate | trl.learning_rate | safe: Move it to the top level"
        ],
        "learning_rate: 0.1\n",
    ),
    (
        "num_generations: 4\n",
        (),
        [
            "foreign-key | error | silent | num_generations | num_generations trl.num_generations | safe: Use trl.num_generations"
        ],
        "trl:\n  num_generations: 4\n",
    ),
    (
        "datasets:\n  - path: a.jsonl\n    min_sample_len: 5\n    overlap_len: 9\n",
        (),
        [
            "misplaced-key | warning | silent | min_sample_len | datasets[0].min_sample_len"
            " | unsafe: Move it to the top level",
            "unknown-key | warning | silent | overlap_len | overlap_len datasets[]",
        ],
        None,
    ),
    (
        "trl:\n  vllm_device: auto\n  use_vllm: false\n",
        (),
        ["removed-key | note | silent | vllm_device | trl.vllm_device trl.use_vllm"],
        None,
    ),
    (
        "dpo_betta: 0.1\n",
        (),
        [
            "unknown-key | error | silent | dpo_betta | dpo_betta rl_beta | safe: Rename it to rl_beta"
        ],
        "rl_beta: 0.1\n",
    ),
    (
        "lora_r: 8\nspecial_tokens:\n  lora_r: 8\n",
        (),
        ["misplaced-key | note | silent | lora_r | special_tokens.lora_r | safe: Delete it"],
        "lora_r: 8\n",
    ),
    (
        "liger_rope: true\n",
        (),
        [
            "plugin-key-without-plugin | error | silent | liger_rope | liger_rope plugins | unsafe: List LigerPlugin under plugins"
        ],
        "liger_rope: true\nplugins:\n  - axolotl.integrations.liger.LigerPlugin\n",
    ),
    ("liger_rope: false\n", (), [], None),
    (
        "liger_rope: true\nliger_rms_norm: true\n",
        (),
        [
            "plugin-key-without-plugin | error | silent | liger_rope | liger_rope plugins | also liger_rms_norm | unsafe: List LigerPlugin under plugins"
        ],
        "liger_rope: true\nplugins:\n  - axolotl.integrations.liger.LigerPlugin\nliger_rms_norm: true\n",
    ),
    ("plugins:\n  - axolotl.integrations.liger.LigerPlugin\nliger_rope: true\n", (), [], None),
    (
        "cut_cross_entropy: true\n",
        ("axolotl==0.9.2",),
        [
            "plugin-key-without-plugin | error | silent | cut_cross_entropy | cut_cross_entropy plugins | unsafe: List CutCrossEntropyPlugin under plugins"
        ],
        "cut_cross_entropy: true\nplugins:\n  - axolotl.integrations.cut_cross_entropy.CutCrossEntropyPlugin\n",
    ),
    ("sample_packing_eff_est: 0.9\n", (), [], None),
    ("rope_scaling: {type: linear}\n", (), [], None),
    ("xformers_attention:\n", (), [], None),
    ("s2_attention: true\n", ("axolotl==0.9.2",), [], None),
    (
        "chat_template: gemma3\ndp_shard_size: 2\n",
        ("axolotl==0.9.2",),
        ["key-of-later-release | error | silent | dp_shard_size | dp_shard_size"],
        None,
    ),
    (
        "dp_shard_size: 2\ntensor_parallel_size: 2\n",
        ("axolotl==0.9.2",),
        [
            "key-of-later-release | error | silent | dp_shard_size | dp_shard_size",
            "key-of-later-release | error | silent | tensor_parallel_size | tensor_parallel_size",
        ],
        None,
    ),
    ("dp_shard_size:\n", ("axolotl==0.9.2",), [], None),
    (
        "activation_offloading: false\n",
        ("axolotl==0.8.0",),
        ["key-of-later-release | note | silent | activation_offloading | activation_offloading"],
        None,
    ),
    ("gpu_memory_limit: 1\nnoisy_embedding_alpha: 5\n", (), [], None),
    ("max_packed_sequence_len: 512\n", (), [], None),
    ("model_revision: main\nlora_modules_to_save: [x]\n", (), [], None),
]


@each(("lines", "target", "expected", "fixed"), CASES)
def test_keys(lines: str, target: tuple[str, ...], expected: list[str], fixed: str | None) -> None:
    text = BASE + lines
    told = []
    for found in lint(text, target=target, select=RULES):
        words = re.findall(r"`([^`]*)`", found.message)
        place = text[found.span.start : found.span.end]
        parts = [found.name, found.severity, found.upstream, place, " ".join(words)]
        parts += [f"also {text[one.span.start : one.span.end]}" for one in found.related]
        parts += [f"{one.safety}: {one.title}" for one in found.fixes]
        told.append(" | ".join(parts))
    assert told == expected
    changed = fix(text, target=target, select=RULES, unsafe=True)
    assert changed == BASE + (lines if fixed is None else fixed)


@pytest.mark.parametrize(
    ("place", "moved"),
    [
        # (lines, what is left after the fix; None when a person has to choose)
        ("    learning_rate: 0.1\n", "learning_rate: 0.1\n"),
        ("    learning_rate: 0.1\nlearning_rate: 0.2\n", None),
    ],
)
def test_a_key_of_the_top_level_in_an_entry(place: str, moved: str | None) -> None:
    text = BASE + place
    (found,) = lint(text, select=("misplaced-key",))
    assert (found.severity, len(found.fixes)) == ("error", 0 if moved is None else 1)
    assert fix(text, select=("misplaced-key",)) == BASE + (place if moved is None else moved)


def test_the_settings_of_another_program() -> None:
    names = {"per_device_train_batch_size": 4, "num_train_epochs": 3, "max_seq_length": 2048}
    text = "base_model: a/b\n" + "".join(f"{name}: {value}\n" for name, value in names.items())
    (found,) = lint(text, select=("foreign-key",))
    assert (found.severity, len(found.related), found.fixes) == ("warning", 2, ())
    # Two such keys may be a slip each.
    two = "".join(text.splitlines(keepends=True)[:3])
    assert [one.severity for one in lint(two, select=("foreign-key",))] == ["error", "error"]


ZERO_1 = '{{"train_micro_batch_size_per_gpu": 1, {}, "zero_optimization": {{"stage": 1}}}}\n'


@each(
    ("setting", "severity", "title"),
    [
        # The default of the section that reads it, under its own name and under accelerate's.
        ('"stage3_gather_16bit_weights_on_model_save": false', "note", "Delete it"),
        (
            '"stage3_gather_16bit_weights_on_model_save": true',
            "error",
            "Move it under `zero_optimization:`",
        ),
        (
            '"zero3_save_16bit_model": false',
            "note",
            "Use zero_optimization.stage3_gather_16bit_weights_on_model_save",
        ),
        (
            '"zero3_save_16bit_model": true',
            "error",
            "Use zero_optimization.stage3_gather_16bit_weights_on_model_save",
        ),
    ],
)
def test_a_default_in_the_wrong_place_changes_nothing(
    setting: str, severity: str, title: str
) -> None:
    select = ("misplaced-key", "foreign-key")
    (found,) = lint(ZERO_1.format(setting), framework="deepspeed", select=select)
    assert (found.severity, found.fixes[0].title) == (severity, title)


@each(
    ("inner", "severity"),
    [
        ("port: 8000", "note"),
        ("vllm_port: 8000", "note"),
        ("vllm_port: 8001", "error"),
        ("port: 8000, made_up: 1", "error"),
    ],
)
def test_a_section_in_the_wrong_place_with_defaults_alone(inner: str, severity: str) -> None:
    text = f"base_model: a/b\nrl: grpo\ntrl:\n  use_vllm: true\n  vllm: {{{inner}}}\n"
    (found,) = lint(text, framework="axolotl", select=("misplaced-key",))
    assert found.severity == severity


@pytest.mark.parametrize(
    ("framework", "text", "code"),
    [
        (
            "accelerate",
            "distributed_type: DEEPSPEED\ndeepspeed_config:\n  gradient_clip: 1\n",
            "KEY002",
        ),
        (
            "accelerate",
            "distributed_type: DEEPSPEED\ndeepspeed_config:\n  zero_optimization:\n    stage: 2\n",
            "KEY002",
        ),
        ("deepspeed", '{"train_micro_batch_size_per_gpu": 1, "max_grad_norm": 1.0}\n', "KEY002"),
    ],
)
def test_what_another_file_sets_is_not_deleted_safely(framework: str, text: str, code: str) -> None:
    (found,) = [one for one in lint(text, framework=framework) if one.code == code]
    assert (found.severity, [one.safety for one in found.fixes]) == ("warning", ["unsafe"])


@each(
    ("setting", "code", "severity"),
    [
        ("use_flash_attention: false", "KEY002", "note"),
        ("use_flash_attention: true", "KEY002", "error"),
        ("merge_adapter: false", "KEY001", "note"),
        ("merge_adapter: true", "KEY001", "warning"),
        ("merge_adapter: 0", "KEY001", "warning"),
        ("load_in_8bt: false", "KEY001", "note"),
        ("load_in_8bt: true", "KEY001", "error"),
        # Left out, it is transformers' default, which is true.
        ("dataloader_pin_memry: false", "KEY001", "warning"),
        ("weight_decy: 0.0", "KEY001", "note"),
        ("weight_decy: 0.1", "KEY001", "error"),
    ],
)
def test_what_asks_for_what_happens_anyway_is_a_note(
    setting: str, code: str, severity: str
) -> None:
    (found,) = lint(BASE + setting + "\n", select=("unknown-key", "foreign-key"))
    assert (found.code, found.severity) == (code, severity)


def test_unknown_keys_of_different_severity_are_apart() -> None:
    text = BASE + "merge_adapter: false\nwhatever: 1\nmore: 2\n"
    found = lint(text, select=("unknown-key",))
    assert [(one.severity, len(one.related)) for one in found] == [("note", 0), ("warning", 1)]

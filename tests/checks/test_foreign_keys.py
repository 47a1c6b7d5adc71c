"""Keys that people bring along from other frameworks, and what is said about each."""

from __future__ import annotations

from cfglint.diagnostic import Diagnostic
from tests.draws import each
from tests.linting import lint_in
from tests.server.opening import BASE, DATA

MODEL = "base_model: a/b\n"


def found(lines: str, *, base: str = BASE + DATA) -> list[Diagnostic]:
    return lint_in({}, base + lines, target=("axolotl==0.18.0",), select=("foreign-key",))


def told(lines: str, *, base: str = BASE + DATA) -> list[str]:
    """Severity, key, whether it is harmless, the last sentences, other places and fixes."""
    text = base + lines
    return [
        " | ".join(
            [
                f"{one.severity}{' harmless' if one.harmless else ''}",
                text[one.span.start : one.span.end],
                one.message.partition("; Axolotl silently ignores it. ")[2],
                *(f"{also.note}: {text[also.span.start : also.span.end]}" for also in one.related),
                *(f"{fix.safety}: {fix.title}" for fix in one.fixes),
            ]
        )
        for one in found(lines, base=base)
    ]


@each(
    ("lines", "expected"),
    [
        (
            "per_device_train_batch_size: 4\n",
            [
                "warning | per_device_train_batch_size | Its name here is `micro_batch_size`, which is set as well."
            ],
        ),
        (
            "per_device_train_batch_size: 2\n",
            [
                "note harmless | per_device_train_batch_size | Its name here is `micro_batch_size`, which is set as well. | safe: Delete it; micro_batch_size has the same value"
            ],
        ),
        (
            "num_train_epochs: 1\n",
            [
                "note harmless | num_train_epochs | Its name here is `num_epochs`, which is set as well. | safe: Delete it; num_epochs has the same value"
            ],
        ),
        (
            "report_to: none\n",
            [
                "note harmless | report_to | It can be deleted: what it asks for happens anyway. | safe: Delete it"
            ],
        ),
        (
            "report_to: wandb\n",
            [
                "warning | report_to | Use `use_wandb`. Switch trackers on one by one: use_wandb, use_mlflow, use_comet, use_tensorboard, use_trackio. | safe: Use use_wandb"
            ],
        ),
        (
            "bf16_full_eval: true\n",
            [
                "warning | bf16_full_eval | Evaluation follows the training precision; bf16: full is Axolotl's pure bfloat16. | safe: Delete it"
            ],
        ),
        (
            "bf16_full_eval: false\n",
            [
                "note harmless | bf16_full_eval | Evaluation follows the training precision; bf16: full is Axolotl's pure bfloat16. | safe: Delete it"
            ],
        ),
        (
            "bf16_full_eval:\n",
            [
                "note harmless | bf16_full_eval | Evaluation follows the training precision; bf16: full is Axolotl's pure bfloat16. | safe: Delete it"
            ],
        ),
        (
            "logging_dir: x\n",
            [
                "warning | logging_dir | Logs go below output_dir; there is nothing to set. | safe: Delete it"
            ],
        ),
        (
            "do_train: true\nremove_unused_columns: true\nbf16_full_eval: true\n",
            [
                "warning | do_train | The sub-command decides what is done, so this can go. | safe: Delete it",
                "warning | bf16_full_eval | Evaluation follows the training precision; bf16: full is Axolotl's pure bfloat16. | safe: Delete it",
            ],
        ),
        (
            "do_train: true\nddp_static_graph: true\ndisable_tqdm: true\n",
            [
                "warning | do_train | The sub-command decides what is done, so this can go. | safe: Delete it",
                "warning | ddp_static_graph | The trainer never receives this one. | the same applies to this one: disable_tqdm | safe: Delete these 2 keys",
            ],
        ),
        (
            "ddp_static_graph: false\ndisable_tqdm: true\n",
            [
                "warning | disable_tqdm | The trainer never receives this one. | the same applies to this one: ddp_static_graph | safe: Delete these 2 keys"
            ],
        ),
        (
            "ddp_static_graph: false\ndisable_tqdm: false\n",
            [
                "note harmless | ddp_static_graph | The trainer never receives this one. | safe: Delete it",
                "note harmless | disable_tqdm | The trainer never receives this one. | safe: Delete it",
            ],
        ),
        (
            "run_name: x\n",
            [
                "warning | run_name | Use `wandb_name`. Trackio and MLflow have run name keys of their own. | safe: Use wandb_name"
            ],
        ),
        ("lr: 1e-4\n", ["error | lr | Use `learning_rate`. | safe: Use learning_rate"]),
        (
            "lr: 1e-4\nlearning_rate: 1e-4\n",
            [
                "note harmless | lr | Its name here is `learning_rate`, which is set as well. | safe: Delete it; learning_rate has the same value"
            ],
        ),
        (
            "lr: 1e-4\nlearning_rate: 1e-3\n",
            ["warning | lr | Its name here is `learning_rate`, which is set as well."],
        ),
        ("lr: 1e-4\nlearning_rate:\n", ["error | lr | Use `learning_rate`."]),
        (
            "max_seq_length: 2048\n",
            ["error | max_seq_length | Use `sequence_len`. | safe: Use sequence_len"],
        ),
        (
            "max_seq_length:\n",
            ["note | max_seq_length | Use `sequence_len`. | safe: Use sequence_len"],
        ),
        (
            "max_seq_length: 512\n",
            ["note harmless | max_seq_length | Use `sequence_len`. | safe: Use sequence_len"],
        ),
        (
            "bias: none\n",
            [
                "note harmless | bias | Biases are never adapted; there is no key for it. | safe: Delete it"
            ],
        ),
        ("bias: all\n", ["warning | bias | Biases are never adapted; there is no key for it."]),
        (
            "adam_eps: 1.0e-8\n",
            [
                "note harmless | adam_eps | It can be deleted: what it asks for happens anyway. | safe: Delete it"
            ],
        ),
        ("adam_eps: 1.0e-6\n", ["error | adam_eps | Use `adam_epsilon`. | safe: Use adam_epsilon"]),
        (
            "early_stopping: true\n",
            [
                "error | early_stopping | Use `early_stopping_patience`. Give save_steps and eval_steps as well."
            ],
        ),
        (
            "early_stopping: false\n",
            [
                "note harmless | early_stopping | Use `early_stopping_patience`. Give save_steps and eval_steps as well."
            ],
        ),
        (
            "bnb_4bit_quant_type: nf4\n",
            [
                "note harmless | bnb_4bit_quant_type | It can be deleted: what it asks for happens anyway. | safe: Delete it"
            ],
        ),
        (
            "bnb_4bit_quant_type: fp4\n",
            [
                "error | bnb_4bit_quant_type | Use `bnb_config_kwargs.bnb_4bit_quant_type`. | safe: Use bnb_config_kwargs.bnb_4bit_quant_type"
            ],
        ),
        (
            "completion_only_loss: true\n",
            [
                "note harmless | completion_only_loss | Use `train_on_inputs`. | safe: Use train_on_inputs"
            ],
        ),
        (
            "completion_only_loss: false\n",
            ["error | completion_only_loss | Use `train_on_inputs`. | safe: Use train_on_inputs"],
        ),
        (
            "eval_batch: 4\n",
            ["warning | eval_batch | Use `eval_batch_size`. | safe: Use eval_batch_size"],
        ),
        (
            "debug: true\n",
            [
                "note | debug | Samples are shown by the preprocess command's own option. | safe: Delete it"
            ],
        ),
        ("debug:\n", []),
        (
            "collator_pad_to_longest: true\n",
            [
                "note | collator_pad_to_longest | Batches are padded to their longest sample in any case; pad_to_sequence_len pads to sequence_len. | safe: Delete it"
            ],
        ),
        ("seed_everything: 1\n", []),
        (
            "dispatch_batches: false\n",
            [
                "error | dispatch_batches | Use `accelerator_config.dispatch_batches`. | safe: Use accelerator_config.dispatch_batches"
            ],
        ),
        (
            "activation_checkpointing: true\n",
            [
                "error | activation_checkpointing | Use `gradient_checkpointing`. | safe: Use gradient_checkpointing"
            ],
        ),
        (
            "activation_checkpointing: false\n",
            [
                "note harmless | activation_checkpointing | Use `gradient_checkpointing`. | safe: Use gradient_checkpointing"
            ],
        ),
        (
            "disable_gradient_checkpointing: true\n",
            [
                "note harmless | disable_gradient_checkpointing | Use `gradient_checkpointing`. | safe: Use gradient_checkpointing"
            ],
        ),
        (
            "disable_gradient_checkpointing: false\n",
            [
                "error | disable_gradient_checkpointing | Use `gradient_checkpointing`. | safe: Use gradient_checkpointing"
            ],
        ),
        ("dtype: bfloat16\n", ["error | dtype | Use `bf16`. | safe: Use bf16"]),
        (
            "attn_impl: sdpa\n",
            ["error | attn_impl | Use `attn_implementation`. | safe: Use attn_implementation"],
        ),
    ],
)
def test_a_key(lines: str, expected: list[str]) -> None:
    assert told(lines) == expected


@each(
    ("lines", "expected"),
    [
        (
            "lr: 1\nnum_train_epochs: 3\n",
            [
                "error | lr | Use `learning_rate`. | safe: Use learning_rate",
                "error | num_train_epochs | Use `num_epochs`. | safe: Use num_epochs",
            ],
        ),
        (
            "lr: 1\nnum_train_epochs: 3\nmax_seq_length: 4\n",
            [
                "warning | lr | In Axolotl it is `learning_rate`. It is not the only such key, and the file has no dataset in Axolotl's format: these look like the settings of another program. | in Axolotl `num_epochs`: num_train_epochs | in Axolotl `sequence_len`: max_seq_length"
            ],
        ),
        (
            "lr: 1\nnum_train_epochs: 3\nrun_name: 4\n",
            [
                "error | lr | Use `learning_rate`. | safe: Use learning_rate",
                "error | num_train_epochs | Use `num_epochs`. | safe: Use num_epochs",
                "warning | run_name | Use `wandb_name`. Trackio and MLflow have run name keys of their own. | safe: Use wandb_name",
            ],
        ),
        (
            "lr: 1\nnum_train_epochs: 3\nmax_seq_length:\n",
            [
                "error | lr | Use `learning_rate`. | safe: Use learning_rate",
                "error | num_train_epochs | Use `num_epochs`. | safe: Use num_epochs",
                "note | max_seq_length | Use `sequence_len`. | safe: Use sequence_len",
            ],
        ),
        (
            "lr: 1\nnum_train_epochs: 3\nadam_eps: 1.0e-8\n",
            [
                "error | lr | Use `learning_rate`. | safe: Use learning_rate",
                "error | num_train_epochs | Use `num_epochs`. | safe: Use num_epochs",
                "note harmless | adam_eps | It can be deleted: what it asks for happens anyway. | safe: Delete it",
            ],
        ),
        (
            "do_train: true\nlr: 1\nnum_train_epochs: 3\nmax_seq_length: 5\n",
            [
                "warning | do_train | It is not the only such key, and the file has no dataset in Axolotl's format: these look like the settings of another program. | in Axolotl `learning_rate`: lr | in Axolotl `num_epochs`: num_train_epochs | in Axolotl `sequence_len`: max_seq_length"
            ],
        ),
        (
            "lr: 1\nnum_train_epochs: 3\nper_device_train_batch_size: 4\ndo_train: true\n",
            [
                "warning | lr | In Axolotl it is `learning_rate`. It is not the only such key, and the file has no dataset in Axolotl's format: these look like the settings of another program. | in Axolotl `num_epochs`: num_train_epochs | in Axolotl `micro_batch_size`: per_device_train_batch_size | not a key of Axolotl, either: do_train"
            ],
        ),
        (
            "do_train: true\nbf16_full_eval: true\ndisable_tqdm: true\nlr: 1\n",
            [
                "warning | do_train | The sub-command decides what is done, so this can go. | safe: Delete it",
                "warning | bf16_full_eval | Evaluation follows the training precision; bf16: full is Axolotl's pure bfloat16. | safe: Delete it",
                "warning | disable_tqdm | The trainer never receives this one. | safe: Delete it",
                "error | lr | Use `learning_rate`. | safe: Use learning_rate",
            ],
        ),
        (
            "pretraining_dataset: x\nlr: 1\nnum_train_epochs: 3\nmax_seq_length: 4\n",
            [
                "error | lr | Use `learning_rate`. | safe: Use learning_rate",
                "error | num_train_epochs | Use `num_epochs`. | safe: Use num_epochs",
                "error | max_seq_length | Use `sequence_len`. | safe: Use sequence_len",
            ],
        ),
    ],
)
def test_files_without_a_dataset(lines: str, expected: list[str]) -> None:
    assert told(lines, base=MODEL) == expected


@each(
    ("lines", "requirements", "severity", "harmless"),
    [
        ("num_epochs: 3\n", "trl==0.24.0\n", "note", True),
        ("num_epochs: 5\n", "trl==0.24.0\n", "error", False),
        # A release that refuses the file does so whatever the key asks for.
        ("num_epochs: 3\n", "trl==1.16.0\n", "error", False),
        # A fork may refuse it as well.
        ("num_epochs: 3\n", "trl @ git+https://github.com/me/trl-mine\n", "note", False),
    ],
)
def test_what_happens_anyway_where_keys_are_refused(
    lines: str, requirements: str, severity: str, harmless: bool
) -> None:
    (one,) = lint_in(
        {".git/HEAD": "", "requirements.txt": requirements},
        f"model_name_or_path: a/b\ndataset_name: c\noutput_dir: o\n{lines}",
        name="recipe.yaml",
        select=("foreign-key",),
        framework="trl",
    )
    assert (one.severity, one.harmless) == (severity, harmless)

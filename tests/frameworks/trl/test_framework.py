"""What the general checks make of TRL's files: two packages and the command decide."""

from __future__ import annotations

import pytest

from cfglint.engine.case import Case
from cfglint.engine.lint import lint_source
from cfglint.environment.building import build_environment
from cfglint.environment.surroundings import nowhere
from cfglint.roles.framework import load_framework
from cfglint.source.text import SourceText
from tests.draws import each

HEAD = "model_name_or_path: Qwen/Qwen2.5-0.5B\ndataset_name: trl-lib/Capybara\noutput_dir: ./out\n"
SFT = HEAD + "packing: true\n"
DPO = HEAD + "label_smoothing: 0.0\n"


def diagnostics(text: str, *pins: str, path: str = "") -> list[tuple[str, str, str, str]]:
    """Code, severity, upstream and message of what is found."""
    framework = load_framework("trl")
    target = build_environment(framework.releases, pins=pins)
    around = nowhere().replaced(path=path)
    result = lint_source(SourceText(text), Case(framework, target, around))
    return [(one.code, one.severity, one.upstream, one.message) for one in result.diagnostics]


def codes(text: str, *pins: str, path: str = "") -> list[tuple[str, str]]:
    return [(code, severity) for code, severity, *_ in diagnostics(text, *pins, path=path)]


def test_unknown_keys_are_dropped_by_some_releases_and_refused_by_others() -> None:
    text = SFT + "color: red\n"
    assert diagnostics(text, "trl==0.12.2")[0][1:3] == ("error", "rejects")
    assert diagnostics(text, "trl==0.15.2")[0][1:3] == ("warning", "silent")
    assert diagnostics(text, "trl==0.19.1")[0][1:3] == ("error", "rejects")
    assert diagnostics(text)[0][1:3] == ("error", "rejects")


def test_a_stated_release_of_transformers_decides_about_its_keys() -> None:
    text = SFT + "evaluation_strategy: steps\n"
    assert codes(text, "trl==0.19.1", "transformers==4.50.3") == []
    ((code, severity, upstream, message),) = diagnostics(
        text, "trl==0.19.1", "transformers==4.52.4"
    )
    assert (code, severity, upstream) == ("KEY005", "error", "rejects")
    assert "was removed in transformers 4.51.0" in message


def test_what_is_only_implied_is_no_error() -> None:
    # TRL 0.17.0 came out beside a transformers without the key, and nobody says that this one is installed.
    text = SFT + "evaluation_strategy: steps\n"
    assert codes(text, "trl==0.17.0") == [("KEY005", "warning")]
    # 0.24.0 asks for one that is later than its removal.
    assert codes(text, "trl==0.24.0") == [("KEY005", "error")]
    assert codes(text, "trl==0.12.0") == []
    later = SFT + "train_sampling_strategy: random\n"
    # The newest transformers alongside TRL 0.24.0 is older: a later one runs, as the key shows.
    assert codes(later, "trl==0.24.0") == []
    ((*_, message),) = diagnostics(later, "trl==0.24.0", "transformers==4.56.2")
    assert "since transformers 5.2.0" in message
    assert "is for 4.56.2 (--target)" in message


def test_trl_s_own_keys_follow_its_own_release() -> None:
    text = SFT + "torch_dtype: bfloat16\n"
    assert codes(text, "trl==0.26.2") == []
    ((code, severity, _, message),) = diagnostics(text, "trl==0.27.0")
    assert (code, severity) == ("KEY005", "error")
    assert "`torch_dtype` was removed in TRL 0.27.0; `trl sft` refuses the file" in message
    assert codes(SFT + "dtype: bfloat16\n", "trl==0.22.2") == [("KEY006", "error")]


def test_a_key_of_another_command_is_reported_as_one() -> None:
    text = HEAD + "completion_only_loss: true\n"
    assert codes(text, path="recipes/sft/config.yaml") == []
    ((code, *_, message),) = diagnostics(text, path="recipes/dpo/config.yaml")
    assert code == "KEY001"
    assert "No release of `trl dpo` has a key `completion_only_loss`" in message
    assert "It is a key of `trl sft`." in message


def test_a_key_of_any_command_is_accepted_while_the_command_is_unknown() -> None:
    assert codes(HEAD + "packing: true\nlabel_smoothing: 0.0\nnum_generations: 4\n") == []


def test_keys_of_the_handbook_and_open_r1_need_no_word() -> None:
    text = HEAD + "dataset_mixer: {a: 1.0}\nhub_model_revision: main\nwandb_project: grpo\n"
    assert diagnostics(text, "trl==0.19.1") == []
    # A fork may read any other.
    assert diagnostics(text + "ema_eta: 1\nbase_model: a\n") == []
    assert diagnostics(text + "eot_token: x\n") == []


def test_a_misspelling_in_a_file_of_another_program_is_reported() -> None:
    ((code, severity, _, message),) = diagnostics(
        HEAD + "dataset_mixer: {a: 1.0}\nwarmup_step: 5\n"
    )
    assert (code, severity) == ("KEY001", "warning")
    assert "Did you mean `warmup_steps`?" in message


def test_a_newer_name_is_reported_with_the_one_that_the_release_knows() -> None:
    ((code, severity, _, message),) = diagnostics(SFT + "dtype: bfloat16\n", "trl==0.15.2")
    assert (code, severity) == ("KEY006", "error")
    assert message.endswith("There it is called `torch_dtype`.")


def test_a_slip_beside_it_does_not_excuse_a_newer_name() -> None:
    found = codes(SFT + "dtype: bfloat16\nwandb_project: notes\n", "trl==0.22.2")
    assert found == [("KEY006", "error"), ("KEY002", "warning")]


def test_what_a_release_does_anyway_is_a_note() -> None:
    assert codes(HEAD + "num_iterations: 1\nmax_completion_length: 8\n", "trl==0.15.2") == [
        ("KEY006", "note")
    ]


def test_a_variable_to_be_filled_in_is_only_a_warning() -> None:
    # A file for a template engine has one note for all that is to be filled in, beside what else is said.
    twice = "seed: 7\nseed: 7\n"
    for text in ("'{{ epochs }}'", "${EPOCHS}"):
        epochs = f"num_train_epochs: {text}\n"
        assert codes(SFT + epochs) == []
        assert codes(SFT + epochs + twice) == [("CFG004", "note"), ("YML020", "note")]
    for text in ("$EPOCHS", "dummy"):
        ((code, severity, _, message),) = diagnostics(SFT + f"num_train_epochs: {text}\n")
        assert (code, severity) == ("TYP001", "warning")
        assert "but got the placeholder" in message
    assert codes(SFT + "num_train_epochs: $5\n") == [("TYP001", "error")]


def test_a_key_that_open_r1_reads_as_well_is_only_a_warning() -> None:
    found = diagnostics(HEAD + "wandb_project: sft\nema_eta: 1\n", "trl==1.16.0")
    assert [(code, severity, upstream) for code, severity, upstream, _ in found] == [
        ("KEY002", "warning", "rejects"),
        ("KEY001", "warning", "rejects"),
    ]
    assert "Set the environment variable WANDB_PROJECT" in found[0][3]
    assert codes(HEAD + "preprocessing_num_workers: 8\n", "trl==0.15.2") == [("KEY002", "warning")]
    # Two of them are hardly two mistakes.
    assert codes(HEAD + "wandb_project: sft\nwandb_entity: me\n", "trl==1.16.0") == []


def test_a_newer_key_of_a_package_of_unstated_version_shows_a_later_one() -> None:
    text = SFT + "use_liger_kernel: true\n"
    assert codes(text, "trl==0.9.6") == []
    assert codes(text, "trl==0.9.6", "transformers==4.42.4") == [("KEY006", "error")]
    assert codes(text, "trl==0.9.6", "transformers==4.45.2") == []


def test_an_older_name_for_what_happens_anyway_can_be_deleted() -> None:
    text = SFT + 'evaluation_strategy: "no"\n'
    assert codes(text, "trl==0.16.0", "transformers==4.52.4") == [("KEY005", "note")]
    assert codes(text, "trl==1.16.0") == [("KEY005", "error")]
    ((*_, message),) = diagnostics(text, "trl==1.16.0")
    assert message.endswith("It can be deleted: what it asks for happens anyway.")


def test_a_word_that_only_the_trainer_refuses_may_fail_later() -> None:
    text = DPO + "loss_type: apo_zeero\n"
    framework = load_framework("trl")
    target = build_environment(framework.releases, pins=["trl==0.9.6"])
    (found,) = lint_source(SourceText(text), Case.of_text(framework, target)).diagnostics
    assert (found.code, found.upstream) == ("TYP002", "silent")
    assert found.cost == "the run does not start, or fails where the value is used"


def test_what_replaces_the_keys_of_the_older_rloo_is_known() -> None:
    text = HEAD + "rloo_k: 4\nkl_coef: 0.1\nresponse_length: 64\n"
    assert codes(text, "trl==0.24.0", path="rloo/a.yaml") == []
    found = diagnostics(text, "trl==1.16.0", path="rloo/a.yaml")
    assert [(code, severity) for code, severity, *_ in found] == [("KEY005", "error")] * 3
    assert [message[-30:].partition("Use ")[2] for *_, message in found] == [
        "`num_generations`.",
        "`beta`.",
        "`max_completion_length`.",
    ]
    # PPO has kept them.
    assert codes(HEAD + "kl_coef: 0.1\nresponse_length: 64\n", path="ppo/a.yaml") == []


@pytest.mark.parametrize(
    ("key", "safety"),
    [
        ("total_episodes: 20000", "unsafe"),
        # Nobody knows what does the same.
        ("missing_eos_penalty: 1.0", "unsafe"),
        ("missing_eos_penalty: false", "safe"),
    ],
)
def test_a_key_that_keeps_the_run_from_starting_is_deleted_with_care(key: str, safety: str) -> None:
    framework = load_framework("trl")
    target = build_environment(framework.releases, pins=["trl==1.16.0"])
    around = nowhere().replaced(path="rloo/a.yaml")
    (found,) = lint_source(SourceText(HEAD + key), Case(framework, target, around)).diagnostics
    assert [(fix.title, fix.safety) for fix in found.fixes] == [("Delete it", safety)]


def test_a_word_that_is_filled_in_later_is_no_error() -> None:
    for variable in ("${loss}", "${grpo.loss}", "{{ loss }}"):
        text = HEAD + f"num_generations: 4\nloss_type: {variable!r}\n".replace("'", '"')
        assert codes(text, "trl==0.18.0", path="grpo/a.yaml") == []
    assert codes(HEAD + "eval_strategy: ${eval}\n") == [("TYP002", "warning")]
    assert codes(HEAD + "eval_strategy: $1\n") == [("TYP002", "error")]


def test_options_of_the_launcher_are_keys_where_the_command_hands_them_on() -> None:
    assert codes(SFT + "num_processes: 4\n", "trl==0.18.0") == []
    assert codes(SFT + "num_processes: 4\n", "trl==0.17.0") == [("KEY006", "warning")]
    # Who starts a script of their own starts the launcher themselves.
    script = HEAD + "system_prompt: x\nnum_processes: 4\n"
    assert codes(script, "trl==0.17.0") == [("KEY006", "note")]
    assert codes(DPO + "num_processes: 4\n", "trl==0.21.0") == [("KEY006", "error")]
    found = diagnostics(DPO + "gradient_clipping: 1.0\n", "trl==0.24.0")
    assert found[0][3].endswith("It is an option of `accelerate launch`: `--gradient_clipping`.")
    # The script leaves it to the launcher, and `trl` gives the launcher nothing.
    ((code, _, upstream, _),) = diagnostics(DPO + "num_processes: 4\n", "trl==0.28.0")
    assert (code, upstream) == ("KEY006", "silent")
    assert codes(DPO + "accelerate_config: zero3\n", "trl==0.29.0") == []


def test_texts_are_what_the_parser_makes_of_them() -> None:
    rules = [code for code, *_ in diagnostics(SFT + "logging_steps: '0'\n")]
    assert "TRL004" in rules


def test_texts_that_the_parser_converts_at_once_need_no_word() -> None:
    assert codes(SFT + 'learning_rate: 1e-5\nremove_unused_columns: "false"\n') == []
    schedule = "lr_scheduler_type: cosine_with_min_lr\n"
    text = SFT + schedule + "lr_scheduler_kwargs:\n  min_lr: 1e-6\n"
    assert codes(text) == [("YML021", "error")]
    text = SFT + 'gradient_checkpointing_kwargs:\n  use_reentrant: "false"\n'
    assert codes(text) == [("YML022", "warning")]


def test_a_file_with_many_keys_of_its_own_gets_one_note() -> None:
    text = (
        HEAD + "".join(f"my_{name}: 1\n" for name in ("a", "b", "c", "d", "e")) + "base_model: x\n"
    )
    ((code, severity, upstream, message),) = diagnostics(text, "trl==1.16.0")
    assert (code, severity, upstream) == ("KEY001", "note", "silent")
    assert message == (
        "No release of TRL since 0.8.0 has a key `my_a` at the top level; another program seems to read this file as well."
        " The same applies to `my_b`, `my_c`, `my_d`, `my_e` and `base_model`."
    )


def test_a_name_that_comes_after_the_release_is_reported_as_one() -> None:
    text = HEAD + "num_generations: 4\nvllm_max_model_len: 4096\n"
    ((code, *_, message),) = diagnostics(text, "trl==0.24.0", path="grpo/a.yaml")
    assert code == "KEY005"
    assert message.endswith("there is `vllm_max_model_length` for it.")


def test_scripts_of_methods_without_a_command_have_keys_of_their_own() -> None:
    text = HEAD + "num_iterations: 2\n"
    assert codes(text, "trl==0.15.2", path="a.yaml") == [("KEY006", "error")]
    assert codes(text, "trl==0.15.2", path="online_dpo/a.yaml") == []
    # A name of all commands can only be meant as theirs.
    text = HEAD + "dtype: bfloat16\n"
    assert codes(text, "trl==0.15.2", path="online_dpo/a.yaml") == [("KEY006", "warning")]
    assert codes(HEAD + "cpo_alpha: 1.0\n", "trl==1.16.0", path="simpo/a.yaml") == []


def test_scripts_have_had_reward_functions_before_trl_s_own() -> None:
    text = HEAD + "num_generations: 4\nreward_funcs: [accuracy, format]\n"
    assert codes(text, "trl==0.15.2", path="grpo/a.yaml") == []


def test_a_script_that_names_its_data_otherwise_may_read_any_key() -> None:
    text = "model_name_or_path: a\noutput_dir: out\ntrain_dir: a.json\neval_dir: b.json\nref_model: b\n"
    assert diagnostics(text, "trl==1.16.0") == []
    # One of them alone is a slip, and with a dataset TRL's own command is meant.
    assert codes("model_name_or_path: a\noutput_dir: out\ntrain_dir: a.json\n", "trl==1.16.0") == [
        ("TRL037", "warning"),
        ("KEY001", "error"),
    ]
    assert ("KEY001", "error") in codes("dataset_name: a\n" + text, "trl==1.16.0")


def test_a_word_of_an_earlier_release_is_a_warning_until_the_release_is_known() -> None:
    text = SFT + "packing_strategy: ffd\n"
    ((code, severity, _, message),) = diagnostics(text)
    assert (code, severity) == ("TYP002", "warning")
    assert "Earlier releases accepted it." in message
    assert codes(text, "trl==1.16.0") == [("TYP002", "error")]


@each(
    ("command", "release", "key", "upstream"),
    [
        ("sft", "0.12.2", "num_generations: 4", "rejects"),
        ("sft", "0.17.0", "color: red", "silent"),
        # `trl` knows the keys of all its commands, and hands on to the launcher what none has.
        ("sft", "0.18.2", "color: red", "rejects"),
        ("sft", "0.18.2", "num_generations: 4", "silent"),
        ("sft", "0.24.0", "num_generations: 4", "silent"),
        ("sft", "0.22.2", "dtype: bfloat16", "silent"),
        ("sft", "0.29.1", "num_generations: 4", "silent"),
        ("sft", "1.0.0", "num_generations: 4", "rejects"),
        ("dpo", "0.18.2", "color: red", "silent"),
        ("dpo", "0.19.1", "num_generations: 4", "rejects"),
        # Scripts that leave to the launcher what they do not know, and `trl` gives it nothing.
        ("dpo", "0.21.0", "color: red", "rejects"),
        ("dpo", "0.22.2", "color: red", "silent"),
        ("grpo", "0.28.0", "color: red", "silent"),
        ("dpo", "0.29.1", "color: red", "rejects"),
        ("dpo", "0.29.1", "num_generations: 4", "silent"),
        ("dpo", "1.0.0", "num_generations: 4", "rejects"),
        # DPO's was removed, too, and GRPO's was not.
        ("kto", "0.29.1", "max_completion_length: 256", "silent"),
        # An option of the launcher, since transformers no longer has it.
        ("dpo", "1.16.0", "fsdp_min_num_params: 100", "silent"),
    ],
)
def test_whose_keys_a_release_refuses(command: str, release: str, key: str, upstream: str) -> None:
    found = diagnostics(HEAD + key + "\n", f"trl=={release}", path=f"recipes/{command}/config.yaml")
    assert [one for _, _, one, _ in found] == [upstream]


def test_a_program_reads_keys_of_trl_with_its_own_classes() -> None:
    handbook = "model_name_or_path: a\noutput_dir: out\ndataset_mixer: {a: 1.0}\n"
    assert codes(handbook + "torch_dtype: bfloat16\n") == []
    assert codes(handbook + "loss_type: sigmoid\n", "trl==0.8.2", path="dpo/a.yaml") == []
    assert codes(handbook + "max_prompt_length: 8\n", path="dpo/a.yaml") == [("KEY005", "note")]
    assert codes(handbook + "gamma_beta_ratio: 0.5\nmax_prompt_length: 8\n") == []


def test_keys_that_a_known_script_had_before_trl() -> None:
    open_r1 = HEAD + "system_prompt: x\nnum_completions_to_print: 2\n"
    assert codes(open_r1, "trl==0.16.0", path="grpo/a.yaml") == []
    alone = HEAD + "num_completions_to_print: 2\n"
    assert codes(alone, "trl==0.16.0", path="grpo/a.yaml") == [("KEY006", "error")]


def test_a_file_that_trains_nothing_is_for_another_script() -> None:
    text = (
        "model_name_or_path: a\ndataset_name: b\ntemperature: 1.0\nreward_funcs: [accuracy]\n"
        "passed_from: 0.1\npassed_to: 0.6\nkept_in: c\n"
    )
    assert codes(text) == []
    assert codes(text + "output_dir: out\n") == [("KEY001", "error")] * 3


def test_parts_of_a_hydra_config_are_no_whole_file() -> None:
    text = "# @package _global_\n" + HEAD + "exp_name: a\nvllm_device: auto\nloss_type: 1\n"
    assert codes(text, path="grpo/a.yaml") == []


def test_a_program_of_unknown_kind_has_other_keys_of_the_same_names() -> None:
    text = "model_name_or_path: a\noutput_dir: out\ndataset_mixer: {a: 1.0}\n"
    assert codes(text + "temperature: 0.05\n", "trl==0.9.6", path="contrastive/a.yaml") == []
    # `dtype` is one of all commands, so that no other can be meant.
    assert codes(text + "dtype: bfloat16\n", "trl==0.9.6", path="a.yaml") == [("KEY006", "error")]
    assert codes(HEAD + "temperature: 0.05\n", "trl==0.9.6", path="a.yaml") == [("KEY006", "error")]


def test_methods_without_a_command_keep_keys_that_the_commands_have_lost() -> None:
    text = HEAD + "missing_eos_penalty: 1.0\n"
    assert codes(text, path="online_dpo/a.yaml") == []
    assert codes(text, "trl==1.16.0", path="a.yaml") == [("KEY005", "error")]

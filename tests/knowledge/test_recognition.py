"""Whose file a text is: told among files of other frameworks and of programs that look alike."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from cfglint.knowledge import compiled, recognition
from cfglint.knowledge.resemblance import question, resemblance
from tests.draws import each
from tools.campaigns.recognition import NOBODY, confusion, in_order, main, report, taken_for

ACCELERATE = {
    "asked": (
        "compute_environment: LOCAL_MACHINE\ndebug: false\ndistributed_type: MULTI_GPU\n"
        "gpu_ids: all\nmixed_precision: bf16\nnum_machines: 1\nnum_processes: 8\n"
    ),
    "two keys": "distributed_type: MULTI_GPU\nnum_processes: 2\n",
    "without environment": (
        "distributed_type: FSDP\nfsdp_config:\n  fsdp_version: 2\nmixed_precision: bf16\n"
        "num_machines: 1\nnum_processes: 8\n"
    ),
    "without type": (
        "compute_environment: LOCAL_MACHINE\nmachine_rank: 0\nmixed_precision: fp16\n"
        "num_processes: 4\n"
    ),
    "sagemaker": (
        "compute_environment: AMAZON_SAGEMAKER\ndistributed_type: 'NO'\n"
        "ec2_instance_type: ml.g5.xlarge\niam_role_name: runs\n"
    ),
    "broken": "compute_environment: LOCAL_MACHINE\ndistributed_type: 'NO\nnum_processes: 1\n",
}
TRL = {
    "sft": (
        "model_name_or_path: a/b\ndataset_name: c\nbf16: true\nlearning_rate: 2.0e-5\n"
        "output_dir: out\npacking: true\n"
    ),
    "handbook": (
        "model_name_or_path: a/b\ntorch_dtype: bfloat16\ndataset_mixer: {a/b: 1.0}\nbf16: true\n"
        "max_seq_length: 2048\nnum_train_epochs: 1\n"
    ),
    "without a dataset": (
        "model_name_or_path: a/b\nbeta: 0.1\nlearning_rate: 5.0e-7\nper_device_train_batch_size: 2\n"
        "num_train_epochs: 1\noutput_dir: out\n"
    ),
}
OTHERS = {
    "hydra.yaml": (
        "defaults:\n  - model: llama\n  - _self_\ntrainer:\n  distributed_type: FSDP\n"
        "  num_processes: 8\nmixed_precision: bf16\nhydra: {run: {dir: out}}\n"
    ),
    "hydra-class.yaml": (
        "_target_: trl.GRPOConfig\nnum_generations: 4\nbeta: 0.1\nlearning_rate: 1.0e-6\n"
        "max_completion_length: 64\noutput_dir: ${output_dir}\nbf16: true\n"
    ),
    "hydra-recipe.yaml": "defaults: [base]\n" + TRL["sft"],
    "own-script.yaml": "mixed_precision: bf16\nnum_processes: 8\nfsdp_config: {version: 2}\nseed: 1\n",
    "sky.yaml": (
        "num_nodes: 2\nresources:\n  accelerators: H100:8\nrun: |\n"
        "  accelerate launch --num_processes 16 train.py\n"
    ),
    "compose.yml": (
        "services:\n  train:\n    image: pytorch\n    environment:\n      distributed_type: x\n"
    ),
    "mergekit.yaml": (
        "merge_method: slerp\nbase_model: a/b\nslices: [{sources: [{model: a/b}]}]\ndtype: bfloat16\n"
    ),
    "ludwig.yaml": (
        "model_type: llm\nbase_model: a/b\nadapter: {type: lora}\nquantization: {bits: 4}\n"
        "input_features: [{name: prompt, type: text}]\ntrainer: {type: finetune}\n"
    ),
    "adapter.yaml": "base_model: a/b\nadapter: ./lora\ndatasets: [a/c]\nbatch_size: 4\n",
    "sweep.yaml": (
        "program: train.py\nmethod: bayes\nmetric: {name: loss, goal: minimize}\n"
        "parameters:\n  mixed_precision: {values: [bf16, fp16]}\n"
    ),
    "training-arguments.json": '{"fsdp": "full_shard", "fsdp_config": {"min_num_params": 2000}}',
    "config.json": '{"architectures": ["LlamaForCausalLM"], "model_type": "llama"}',
    "tokenizer_config.json": '{"bos_token": "<s>", "model_max_length": 4096}',
    "package.json": '{"name": "x", "version": "1.0.0", "scripts": {"test": "jest"}}',
    "tsconfig.json": '{"compilerOptions": {"strict": true}, "include": ["src"]}',
    "workflow.yml": "on: [push]\njobs: {test: {runs-on: ubuntu-latest, steps: []}}\n",
    "deployment.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: x}\n",
}


@pytest.mark.parametrize("name", ACCELERATE)
def test_files_of_accelerate(name: str, tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_text(ACCELERATE[name], encoding="utf-8")
    assert taken_for(path) == "accelerate"


def test_a_short_file_of_axolotl(tmp_path: Path) -> None:
    path = tmp_path / "a.yml"
    text = "base_model: a/b\nadapter: lora\nlora_r: 8\ndatasets:\n  - path: a/c\n"
    path.write_text(text + "output_dir: out\nlearning_rate: 0.1\n", encoding="utf-8")
    assert taken_for(path) == "axolotl"


#: Files of LLaMA-Factory: for training, for export, and as JSON.
LLAMA_FACTORY = {
    "train.yaml": (
        "model_name_or_path: a/b\nstage: sft\nfinetuning_type: lora\ndataset: identity\n"
        "deepspeed: ds.json\nbf16: true\n"
    ),
    "export.yaml": "model_name_or_path: a/b\ntemplate: qwen3\nexport_dir: merged\n",
    "chat.yaml": "model_name_or_path: a/b\ntemplate: qwen3\ninfer_backend: vllm\n",
    "train.json": '{"model_name_or_path": "a/b", "stage": "sft", "finetuning_type": "lora"}',
}


@pytest.mark.parametrize("name", LLAMA_FACTORY)
def test_files_of_llama_factory(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(LLAMA_FACTORY[name], encoding="utf-8")
    assert taken_for(path) == "llamafactory"


def test_the_second_format_of_llama_factory_is_not_its_first(tmp_path: Path) -> None:
    path = tmp_path / "v1.yaml"
    path.write_text("model: a/b\ntemplate: qwen3\ncutoff_len: 8\ntrain_dataset: a.yaml\n")
    assert taken_for(path) == NOBODY


@pytest.mark.parametrize("name", TRL)
def test_files_of_trl(name: str, tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_text(TRL[name], encoding="utf-8")
    assert taken_for(path) == "trl"


@pytest.mark.parametrize("name", OTHERS)
def test_files_of_other_programs(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(OTHERS[name], encoding="utf-8")
    assert taken_for(path) == NOBODY


def test_the_table_and_the_exit_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own, others = tmp_path / "own", tmp_path / "others"
    own.mkdir()
    others.mkdir()
    (own / "a.yaml").write_text(ACCELERATE["asked"], encoding="utf-8")
    (others / "b.yaml").write_text(OTHERS["sky.yaml"], encoding="utf-8")
    (others / "c.txt").write_text(ACCELERATE["asked"], encoding="utf-8")
    (others / "d.json").write_bytes(b"\xff\xfe\xfa")
    words = [f"{own}=accelerate", "--others", str(others)]
    assert main([*words]) == 0
    assert capsys.readouterr().out.split() == [
        *("files", "accelerate", NOBODY),
        *("accelerate", "1", "1", "0"),
        *(NOBODY, "1", "0", "1"),
    ]
    (others / "b.yaml").write_text(ACCELERATE["two keys"], encoding="utf-8")
    assert main(words) == 1
    assert "nobody recognized as accelerate" in capsys.readouterr().err


def test_nearly_all_are_enough(tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"{number}.yaml").write_text(ACCELERATE["asked"], encoding="utf-8")
    table = confusion([("accelerate", tmp_path)], most=2)
    assert table["accelerate"] == {"accelerate": 2}
    assert in_order(table)
    table["accelerate"][NOBODY] = 1
    assert not in_order(table)
    assert "1" in report(table)


@pytest.mark.parametrize(
    ("fallbacks", "names", "expected"),
    [
        ({"yaml": "b", "json": "c"}, ("a", "b", "c"), ("b", "c", "b", "b")),
        ({"json": "c"}, ("a", "c"), ("c", "c", "c", "c")),
        ({}, ("a", "c"), (None, None, None, "a")),
        ({}, (), (None, None, None, None)),
    ],
)
def test_the_framework_of_unrecognized_files(
    fallbacks: dict[str, str],
    names: tuple[str, ...],
    expected: tuple[str | None, ...],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tables = SimpleNamespace(FALLBACKS=fallbacks, FRAMEWORKS=dict.fromkeys(names))
    monkeypatch.setattr(compiled, "load", lambda name: tables)
    found = tuple(recognition.fallback(language) for language in ("yaml", "json", "toml"))
    assert (*found, recognition.usual()) == expected


@each(
    ("text", "framework"),
    [
        ("model_name_or_path: a\ndataset_name: b\n", "trl"),
        ("reward_funcs: [accuracy_reward]\n", "trl"),
        ("base_model: a\nlearning_ratee: 1.0e-5\n", "axolotl"),
        # One line is indented wrongly, and most keys are below it.
        ("base_model: a\nadapter: lora\n  lora_r: 8\ndatasets:\n  - path: b\n", "axolotl"),
        ("base_model: [\n", "axolotl"),
        ("model_name_or_path: a\ntemplate: qwen\n", "llamafactory"),
        ("distributed_type: FSDP\n", "accelerate"),
        # Too little, or keys that several frameworks have.
        ("learning_rate: 1.0e-5\noutput_dir: out\n", None),
        ("base_model: a\ndata_path: b\nlora_target: c\nresume: d\nprompt: e\n", None),
        ("color: red\n", None),
        ("", None),
    ],
)
def test_a_named_file_with_few_keys_is_theirs_who_certainly_have_them(
    text: str, framework: str | None
) -> None:
    assert recognition.of_text(text, "yaml") is None
    seen = resemblance(text, "yaml")
    assert (seen.framework if seen.is_certain else None) == framework


@each(
    ("text", "language", "framework"),
    [
        ('{"train_batch_size": 8}', "json", "deepspeed"),
        ('{"train_batch_size": 8, "bf16": {"enabled": true}', "json", None),
        ('{"model": {"train_batch_size": 8}, "a": 1}', "json", None),
        ('{"name": "x", "scripts": {}}', "json", None),
        ("train_micro_batch_size_per_gpu: 8\n", "yaml", None),
        ("import os\nlearning_rate = 1\n", "python", None),
        ("learning_rate: 1\n", "python", None),
        ("echo $X\n", "shell", None),
        ("", "python", None),
    ],
)
def test_named_files_of_other_languages(text: str, language: str, framework: str | None) -> None:
    if recognition.of_text(text, language) is None:
        seen = resemblance(text, language)
        assert (seen.framework if seen.is_certain else None) == framework


@each(
    ("text", "words"),
    [
        ("actor_rollout_ref: {}\ntrainer: {}\n", "looks like a file of verl"),
        ("model: a\nswift_version: 4.5.2\n", "looks like a file of ms-swift"),
        ("policy: {}\ncluster: {}\n", "looks like a file of NeMo"),
        ("model_name_or_path: ???\nmax_prompt_length: 5\n", "looks like a part of a Hydra"),
        ("base_model: a\nmerge_method: slerp\n", "looks like a file of mergekit"),
        ("tokenizer:\n  _component_: torchtune.x\n", "looks like a file of torchtune"),
        (
            "model: a/b\nrecipe: bf16\nsequence_len: 2\nsample_packing: true\ndatasets: []\n",
            "looks like a file of Surogate",
        ),
        ("learning_rate: 1\noutput_dir: out\n", "the closest framework is"),
        ("color: red\n", "it has no key of a framework"),
    ],
)
def test_what_a_file_resembles(text: str, words: str) -> None:
    assert recognition.of_text(text, "yaml") is None
    assert words in question("x.yaml", resemblance(text, "yaml"))


@pytest.mark.parametrize(
    "text",
    [
        "{base_model: a/b, micro_batch_size: 1, sequence_len: 8}\n",
        "# in one line\n{\n  base_model: a/b,\n  micro_batch_size: 1,\n  sequence_len: 8\n}\n",
        "  base_model: a/b\n  micro_batch_size: 1\n  sequence_len: 8\n",
    ],
)
def test_a_top_level_that_is_not_at_the_margin(text: str) -> None:
    assert recognition.of_text(text, "yaml") == "axolotl"


def test_a_file_of_hydra_is_not_the_framework_s_whose_keys_it_fills_in() -> None:
    assert recognition.of_text(TRL["handbook"], "yaml") == "trl"
    assert recognition.of_text(TRL["handbook"] + "seed: ???  # required\n", "yaml") is None
    arguments = '{"model_name_or_path": "a", "train_file": "b", "validation_file": "c", '
    arguments += '"max_seq_length": 8, "learning_rate": 1, "output_dir": "d", "torch_dtype": "e"}'
    assert recognition.of_text(arguments, "json") is None


@each("name", ["run.sh", "run.bash", "job.sbatch", "jobs/JOB.SLURM"])
def test_scripts_are_known_by_their_names(name: str) -> None:
    assert recognition.language_of(name) == "shell"


def test_a_list_under_the_name_of_a_framework_s_file_is_another_tool_s() -> None:
    assert recognition.of_file("data/dataset_info.json", '{"one": {"file_name": "a"}}', "json")
    assert (
        recognition.of_file("data/dataset_info.json", '\n[{"dataset_name": "a"}]', "json") is None
    )


@each(
    ("text", "framework"),
    [
        ("python3 -m verl.trainer.main_ppo model_engine=megatron\n", None),
        ("# swift is not used\npython3 -m verl.trainer.main_ppo a=b\n", None),
        ("megatron sft --model x\n", "swift"),
        ("swift \\\n  sft --model x\n", "swift"),
        ("swift $COMMAND --model x\n", "swift"),
        ("torchrun swift/cli/sft.py --model x\n", "swift"),
        ("${SWIFT:-swift} sft --model x\n", "swift"),
        ('SWIFT="${SWIFT:-/opt/bin/swift}"\necho go\n"$SWIFT" sft --model x\n', "swift"),
        (': "${SWIFT:=swift}"\necho go\n${SWIFT} sft --model x\n', "swift"),
        ("CLI=llamafactory-cli\necho go\n$CLI train --stage sft\n", "llamafactory"),
        ("LANGUAGE=swift\necho go\n$LANGUAGE build\n", None),
        ("MODEL=swift\necho go\n$MODELS sft\n", None),
    ],
)
def test_a_name_of_a_command_is_a_sign_only_where_a_command_may_be(
    text: str, framework: str | None
) -> None:
    assert recognition.of_script(text) == framework


def test_a_program_that_imports_by_a_text() -> None:
    for name in ('"trl"', "'trl.trainer'"):
        text = f"from importlib import import_module\nm = import_module({name})\n"
        assert recognition.of_text(text, "python") == "trl_programs"
    assert recognition.of_text("m = import_module(name)\n", "python") is None

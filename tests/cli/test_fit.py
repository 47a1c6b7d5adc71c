"""`cfglint fit`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest

from cfglint.runs.memory.terms import NAMES
from tests.cli.running import run

SCHEMA = Path(__file__).resolve().parents[2] / "docs" / "fit.schema.json"
TEXT = """\
base_model: NousResearch/Meta-Llama-3-8B
datasets:
  - path: acme/tickets
    type: alpaca
sequence_len: 2048
micro_batch_size: 1
optimizer: adamw_torch_fused
bf16: true
"""


@pytest.fixture
def config(tmp_path: Path) -> str:
    path = tmp_path / "train.yml"
    path.write_text(TEXT, encoding="utf-8")
    return str(path)


def test_text(config: str) -> None:
    result = run("fit", config, "--isolated", "--gpu", "a100-40gb", "--target", "axolotl==0.18.0")
    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    assert lines[0] == f"{config}: 8,030,261,248 parameters; axolotl 0.18.0"
    assert lines[1] == "At least 59.8 GiB on the GPU, at the optimizer step:"
    assert any("29.9 GiB" in line and "(line 7)" in line for line in lines)
    assert "It does not fit: a100-40gb has 40 GiB." in lines
    # Each of several GPUs has the buckets of DistributedDataParallel, too.
    probable = "about 66.8 GiB (at least 59.8 GiB); 94 GB (h100nvl)"
    several = "about 80.5 GiB each (at least 74.8 GiB); 128 GB (mi250x)"
    assert lines[lines.index("Smallest GPUs that probably suffice:") + 1 :][:2] == [
        f"         1 GPU: {probable}",
        f"  2 to 16 GPUs: {several}",
    ]
    assert any(line.endswith("`adapter: qlora`") for line in lines)


@pytest.mark.parametrize(
    ("gpu", "expected"),
    [
        (
            "h100",
            "h100 has 80 GiB: it may or may not fit. The most that may fit: sequences of",
        ),
        ("b200", "b200 has 180 GiB: it probably fits. The most that probably fits: sequences of"),
    ],
)
def test_a_gpu_that_may_be_enough(config: str, gpu: str, expected: str) -> None:
    result = run("fit", config, "--isolated", "--gpu", gpu)
    assert expected in result.out
    assert "with full sequences; most runs like it are between" in result.out


def test_a_gpu_that_is_probably_too_small(tmp_path: Path) -> None:
    path = tmp_path / "train.yml"
    path.write_text(TEXT.replace("2048", "16384"), encoding="utf-8")
    result = run("fit", str(path), "--isolated", "--gpu", "h100")
    assert "h100 has 80 GiB: it probably does not fit." in result.out


def test_without_an_estimate(tmp_path: Path) -> None:
    path = tmp_path / "train.yml"
    path.write_text(TEXT + "rl: dpo\n", encoding="utf-8")
    result = run("fit", str(path), "--isolated", "--gpu", "h200")
    assert "h200 has 141 GiB, which leaves " in result.out
    assert "Probably" not in result.out
    report = json.loads(run("fit", str(path), "--isolated", "--format", "json").out)
    assert (report["expected"], report["largest"]) == (None, None)


def test_the_largest_that_fits_does_and_more_does_not(config: str, tmp_path: Path) -> None:
    options = ("--isolated", "--gpu", "h100", "--format", "json")
    most = json.loads(run("fit", config, *options).out)["largest"]
    path = tmp_path / "other.yml"
    for key, old, number, step in (
        ("sequence_len", 2048, most["sequence_length"], 256),
        ("micro_batch_size", 1, most["micro_batch"], 1),
    ):
        for size, fits in ((number, True), (number + step, False)):
            text = TEXT.replace(f"{key}: {old}", f"{key}: {size}")
            path.write_text(text, encoding="utf-8")
            report = json.loads(run("fit", str(path), *options).out)
            assert (report["expected"]["bytes"] <= 80 << 30) is fits


def test_the_schema_names_all_terms() -> None:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    terms = schema["properties"]["certain"]["properties"]["terms"]["items"]["properties"]
    assert terms["name"]["enum"] == list(NAMES)


def test_json_follows_its_schema(config: str) -> None:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    for options in ((), ("--gpu", "t4", "--gpus", "4"), ("--gpu", "gb10")):
        result = run("fit", config, "--isolated", "--format", "json", *options)
        report = json.loads(result.out)
        jsonschema.validate(report, schema)
        assert report["fits"] is (False if "t4" in options else None)
        total = sum(term["bytes"] for term in report["certain"]["terms"])
        assert report["certain"]["bytes"] == total


def test_the_table_goes_by_the_same_limit_as_the_verdict(config: str) -> None:
    """The GPU that the table names is one of which the verdict says that the run probably fits."""
    for gpu, verdict in (("h100nvl", "it probably fits"), ("h100", "it may or may not fit")):
        assert verdict in run("fit", config, "--isolated", "--gpu", gpu).out


def test_never_nothing_at_least(tmp_path: Path) -> None:
    """Where nothing is certain, the text says so, and why."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "train.sh").write_text(
        "accelerate launch --config_file $CONF -m trl.scripts.sft --config sft.yaml\n", "utf-8"
    )
    path = tmp_path / "sft.yaml"
    path.write_text(
        "model_name_or_path: Qwen/Qwen2.5-7B\ndataset_name: a/b\noutput_dir: out\nuse_peft: true\n",
        encoding="utf-8",
    )
    lines = run("fit", str(path), "--gpu", "4090").out.splitlines()
    reason = "`$CONF`, accelerate's file, is not at hand"
    assert lines[1] == f"Nothing is certain to be on the GPU: {reason}."
    assert not any("0.0 GiB" in line or "Smallest" in line or "leaves" in line for line in lines)
    report = json.loads(run("fit", str(path), "--format", "json").out)
    assert (report["certain"]["bytes"], report["smallest"]) == (0, [])
    assert report["divided"]["certain"] == reason


def test_small_terms_are_in_mib_and_have_no_bar(tmp_path: Path) -> None:
    path = tmp_path / "train.yml"
    lora = "adapter: lora\nlora_r: 8\nlora_target_modules: [q_proj]\n"
    path.write_text(TEXT + lora, encoding="utf-8")
    out = run("fit", str(path), "--isolated").out
    (row,) = (line for line in out.splitlines() if line.startswith("  adapter "))
    assert "8 MiB" in row
    assert "█" not in row
    assert "0.0 GiB" not in out


def test_equal_lines_are_one(tmp_path: Path) -> None:
    path = tmp_path / "train.yml"
    lora = "adapter: lora\nlora_r: 8\nlora_target_modules: [q_proj]\n"
    path.write_text(TEXT + lora, encoding="utf-8")
    out = run("fit", str(path), "--isolated", "--target", "axolotl==0.6.0").out
    assert "  1 to 16 GPUs: about " in out
    assert "(at least 0.9 GiB to " in out


def test_colors(config: str) -> None:
    plain = run("fit", config, "--isolated", "--gpu", "t4").out
    colored = run("fit", config, "--isolated", "--gpu", "t4", env={"FORCE_COLOR": "1"}).out
    assert "\x1b[1;31mIt does not fit\x1b[0m" in colored
    assert re.sub(r"\x1b\[[\d;]*m", "", colored) == plain


def test_a_change_is_reported_by_the_estimate(config: str) -> None:
    """`2 GPUs` halve what is certain of the oldest releases, but each has a copy."""
    options = ("--isolated", "--target", "axolotl==0.6.0", "--format", "json")
    report = json.loads(run("fit", config, *options).out)
    assert report["changes"]
    for change in report["changes"]:
        assert change["key"] is not None
        assert change["expected_bytes"] < report["expected"]["bytes"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            TEXT.replace("Meta-Llama-3-8B", "made-up"),
            "`hf download NousResearch/made-up config.json` puts it there",
        ),
        (
            TEXT.replace("NousResearch/Meta-Llama-3-8B", "./model"),
            "no folder of that name is in the project; create it with the model's `config.json`",
        ),
        (
            TEXT.replace("NousResearch/Meta-Llama-3-8B", "/srv/model"),
            "the folder is not in the project, outside of which nothing is read",
        ),
        (f"{TEXT}max_memory: {{0: 10GiB}}\n", "`max_memory` may put parts of the model elsewhere"),
        (f"{TEXT}plugins: [acme.Plugin]\n", "the plugin `Plugin` may change what is loaded"),
        (
            TEXT.replace("base_model", "base_model_config"),
            "`base_model_config` names another model",
        ),
        ("a: [", "The [ that opens here is never closed"),
    ],
)
def test_what_cannot_be_estimated(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "train.yml"
    path.write_text(text, encoding="utf-8")
    result = run("fit", str(path), "--isolated")
    assert result.code == 2
    assert message in result.err


def test_other_frameworks_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "ds.json"
    path.write_text('{"zero_optimization": {"stage": 2}, "train_batch_size": 8}', encoding="utf-8")
    result = run("fit", str(path), "--isolated")
    assert result.code == 2
    assert "`fit` is about a run, and a file of DeepSpeed" in result.err


def test_sizes_of_a_local_model(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    config = {
        "model_type": "llama",
        "hidden_size": 1024,
        "intermediate_size": 4096,
        "num_hidden_layers": 8,
        "num_attention_heads": 8,
        "vocab_size": 32000,
    }
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    path = tmp_path / "train.yml"
    path.write_text(TEXT.replace("NousResearch/Meta-Llama-3-8B", "./model"), encoding="utf-8")
    assert "199,771,136 parameters" in run("fit", str(path)).out
    (folder / "config.json").write_text('{"model_type": "of_our_own"}', encoding="utf-8")
    assert "its `config.json` is of the type `of_our_own`" in run("fit", str(path)).err
    (folder / "config.json").unlink()
    assert "the folder has no `config.json` that can be read" in run("fit", str(path)).err


@pytest.mark.parametrize(
    "line",
    [
        "model_type: [LlamaForCausalLM]",
        "type_of_model: {a: 1}",
        "fsdp_config: {2025-03-01: 1}\nfsdp: [full_shard]",
        "fsdp_config: {1: x}",
        "learning_rate: 2025-03-01",
        "plugins: {a: 1}",
    ],
)
def test_a_value_of_another_type_is_no_traceback(tmp_path: Path, line: str) -> None:
    config = tmp_path / "train.yml"
    config.write_text(f"{TEXT}{line}\n", encoding="utf-8")
    assert run("fit", config, "--isolated", "--gpus", "2").code in (0, 2)
    assert "CFG003" not in run(config, "--isolated", "--gpus", "2", "--gpu", "h100").out


OF_SCRIPTS = "--model_name_or_path Qwen/Qwen2.5-7B-Instruct --output_dir o"


def test_a_script_is_judged_by_its_options(tmp_path: Path) -> None:
    path = tmp_path / "run.sh"
    options = f"{OF_SCRIPTS} --stage sft --do_train --finetuning_type lora --template qwen"
    path.write_text(
        f"torchrun --nproc_per_node 4 src/train.py {options} --dataset identity --bf16\n"
    )
    assert "on each of 4 GPUs, at the optimizer step" in run("fit", path, "--isolated").out
    path.write_text(f"trl sft {OF_SCRIPTS} --dataset_name a/b --use_peft --dtype bfloat16\n")
    assert "At least 14.2 GiB on the GPU" in run("fit", path, "--isolated").out
    assert run("fit", path, "--isolated", "--gpu", "4090", "--advise").code == 0


SFT = f"{OF_SCRIPTS} --dataset_name a/b --dtype bfloat16"


@pytest.mark.parametrize(
    ("command", "divided"),
    [
        (f"accelerate launch --num_processes 4 -m trl.scripts.sft {SFT}", "a whole copy on each"),
        (f"accelerate launch --config_file acc.yaml trl/scripts/sft.py {SFT}", "FSDP over 4 GPUs"),
        (f"trl sft {SFT} --num_processes 4 --accelerate_config zero3", "ZeRO stage 3 over 4 GPUs"),
        (
            "accelerate launch --config_file acc.yaml src/train.py --stage sft --do_train"
            f" {OF_SCRIPTS} --finetuning_type full --template qwen --dataset a --bf16",
            "FSDP over 4 GPUs",
        ),
        (
            f"accelerate launch --config_file $CONF --num_processes 4 -m trl.scripts.sft {SFT}",
            "",
        ),
    ],
)
def test_how_a_script_divides_its_run(tmp_path: Path, command: str, divided: str) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "acc.yaml").write_text("distributed_type: FSDP\nnum_processes: 4\n")
    path = tmp_path / "run.sh"
    path.write_text(f"{command}\n")
    result = run("fit", path)
    if divided:
        assert f"That is with {divided}" in result.out
    else:
        assert "`$CONF`, accelerate's file, is not at hand" in result.out + result.err


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "trl sft --model_name_or_path $1 --dataset_name a/b\n",
            "not known before the run starts",
        ),
        (
            f'llamafactory-cli train {OF_SCRIPTS} --do_train "$@"\n',
            "what `$@` adds to the command is known only when the run starts",
        ),
        (
            f"trl sft {OF_SCRIPTS} --dataset_name a/b $ARGS\n",
            "what `$ARGS` adds to the command is known only when the run starts",
        ),
        (
            "swift export --model a/b --quant_bits 4\n",
            "`swift export`, the first command of the script, does not",
        ),
        ("megatron sft --mcore_model a --dataset c/d\n", "Megatron divides weights"),
        (
            "python3 -m verl.trainer.main_ppo data.train_files=a.parquet\n",
            "does not support commands of verl yet",
        ),
        ("llamafactory-cli train train.yaml\n", "it starts train.yaml; name that instead"),
        ("accelerate launch train.py\n", "it starts train.py; name that instead of the script"),
    ],
)
def test_of_a_script_that_leaves_the_run_open_that_is_said(
    tmp_path: Path, text: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("run.sh").write_text(text)
    Path("train.py").write_text("print()\n")
    result = run("fit", "run.sh", "--isolated")
    assert result.code == 2
    assert words in result.err


def test_without_the_file_of_deepspeed_no_gpu_is_recommended(tmp_path: Path) -> None:
    path = tmp_path / "train.yaml"
    path.write_text(
        "model_name_or_path: Qwen/Qwen2.5-7B-Instruct\nstage: sft\ndo_train: true\n"
        "finetuning_type: lora\ntemplate: qwen\ndataset: identity\noutput_dir: o\n"
        "deepspeed: ds/gone.json\nneat_packing: true\nbf16: true\nquantization_bit: 4\n"
    )
    out = run("fit", str(path), "--gpus", "4", "--gpu", "4090", "--isolated").out
    assert (
        "That is with DeepSpeed settings that are not known (`ds/gone.json` cannot be read, or may be one of several)."
        in out
    )
    assert "Weights, gradients and optimizer states may add to it" in out
    assert "Smallest GPUs" not in out
    assert "\n\n\n" not in out


def test_of_a_program_no_command_of_trl_is_said_to_start_it(tmp_path: Path) -> None:
    path = tmp_path / "train.py"
    path.write_text(
        "from transformers import AutoModelForCausalLM\nfrom trl import SFTConfig, SFTTrainer\n\n"
        'model = AutoModelForCausalLM.from_pretrained("Qwen/Qwen2.5-7B")\n'
        'SFTTrainer(model=model, args=SFTConfig(output_dir="o", max_length=1024), train_dataset=rows)\n'
    )
    out = run("fit", path, "--gpus", "8", "--isolated").out
    assert "a launcher such as `accelerate launch` starts a process for each" in out
    path.write_text(path.read_text().replace('"Qwen/Qwen2.5-7B"', "NAME"))
    err = run("fit", path, "--gpus", "8", "--isolated").err
    assert "the program does not show which model it loads" in err


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "tp.yaml",
            "compute_environment: LOCAL_MACHINE\ndistributed_type: FSDP\nnum_processes: 8\n",
        ),
        ("ds.json", '{"zero_optimization": {"stage": 3}, "train_batch_size": "auto"}'),
    ],
)
@pytest.mark.parametrize("command", ["fit", "effective"])
def test_a_file_that_has_no_run_says_what_to_name(
    tmp_path: Path, command: str, name: str, text: str
) -> None:
    (tmp_path / name).write_text(text)
    done = run(command, str(tmp_path / name), "--isolated")
    assert done.code == 2
    assert f"`{command}` is about a run" in done.err
    assert "name the config, the script or the program" in done.err


def test_a_script_that_starts_one_config_is_about_that(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "train.yaml").write_text(
        "model_name_or_path: Qwen/Qwen2.5-7B-Instruct\nstage: sft\ndo_train: true\ndataset: a\n"
        "template: qwen\nfinetuning_type: full\noutput_dir: o\n"
    )
    script = tmp_path / "run.sh"
    script.write_text("CUDA_VISIBLE_DEVICES=0,1 llamafactory-cli train train.yaml\n")
    out = run("fit", str(script), "--gpu", "h100").out
    assert out.startswith(f"{tmp_path / 'train.yaml'}: ")
    assert "on each of 2 GPUs" in out
    (tmp_path / "other.yaml").write_text((tmp_path / "train.yaml").read_text())
    script.write_text(script.read_text() + "llamafactory-cli train other.yaml\n")
    assert "name that instead of the script" in run("fit", str(script)).err


def test_of_a_script_of_any_name_and_place_its_own_command_counts(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    config = tmp_path / "configs" / "train.yaml"
    config.parent.mkdir()
    config.write_text(
        "model_name_or_path: Qwen/Qwen2.5-7B-Instruct\nstage: sft\ndo_train: true\ndataset: a\n"
        "template: qwen\nfinetuning_type: lora\noutput_dir: o\ncutoff_len: 1024\n"
    )
    (tmp_path / "run.sh").write_text("NPROC_PER_NODE=8 llamafactory-cli train configs/train.yaml\n")
    script = tmp_path / "jobs" / "qwen" / "full.sh"
    script.parent.mkdir(parents=True)
    words = "NPROC_PER_NODE=4 llamafactory-cli train ../../configs/train.yaml"
    script.write_text(f"{words}\n")
    short = run("fit", str(script), "--gpu", "h100").out
    assert "on each of 4 GPUs" in short
    # What the command lays over the file counts as well,
    script.write_text(f"{words} cutoff_len=32768 finetuning_type=full\n")
    long = run("fit", str(script), "--gpu", "h100", "--advise")
    assert least(long.out) > least(short)
    # and a change of the file cannot outweigh it.
    assert "`finetuning_type: lora`: a command that starts the file sets the same key" in long.out
    # Of the file itself neither is said.
    assert "on each of 8 GPUs" in run("fit", str(config), "--gpu", "h100").out


def least(text: str) -> float:
    found = re.search(r"At least ([\d.]+) GiB", text)
    assert found is not None
    return float(found[1])


def test_a_config_counts_as_its_only_command_starts_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command's DeepSpeed takes the place of FSDP in accelerate's file, in `fit` as in `preflight`."""
    monkeypatch.chdir(tmp_path)
    Path(".git").mkdir()
    Path("sft.yaml").write_text(
        "model_name_or_path: Qwen/Qwen2.5-0.5B\ndataset_name: a\noutput_dir: out\nlearning_rate: 1.0e-5\n"
    )
    Path("fsdp.yaml").write_text(
        "compute_environment: LOCAL_MACHINE\ndistributed_type: FSDP\nnum_processes: 4\n"
    )
    Path("ds.json").write_text('{"zero_optimization": {"stage": 2}}')
    start = "accelerate launch --config_file fsdp.yaml -m trl.scripts.sft --config sft.yaml"
    Path("run.sh").write_text(f"{start}\n")
    assert "FSDP over 4 GPUs" in run("fit", "sft.yaml").out
    Path("run.sh").write_text(f"{start} --deepspeed ds.json\n")
    assert "ZeRO stage 2 over 4 GPUs" in run("fit", "sft.yaml").out
    assert "DST616" in run(".", "--format", "concise").out

"""LLaMA2-Accessory's scripts: whose they are, what the programs get, what is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint.base.logic import UNKNOWN
from cfglint.engine.case import Case
from cfglint.engine.files_together.edges import Edges
from cfglint.engine.fixing import fix_source
from cfglint.engine.lint import lint_source
from cfglint.environment.building import build_environment
from cfglint.environment.surroundings import nowhere
from cfglint.frameworks.accessory.options import arguments_of, launcher_value, value_of, whole
from cfglint.knowledge.recognition import of_text
from cfglint.roles.framework import load_framework
from cfglint.source.document import Mapping
from cfglint.source.text import SourceText
from tests.cli.running import run
from tests.draws import each

RUN = (
    "#!/bin/bash\nset -eo pipefail\ntorchrun --nproc_per_node=8 main_finetune.py \\\n"
    "--llama_type llama --llama_config params.json --tokenizer_path t.model \\\n"
    "--epochs 3 --warmup_epochs 0.1 --lr 2e-5 --min_lr 0 \\\n"
    "--pretrained_path models/7B --data_config data.yaml --output_dir out\n"
)


def codes(text: str, *pins: str) -> list[str]:
    framework = load_framework("accessory")
    target = build_environment(framework.releases, pins=pins)
    result = lint_source(SourceText(text), Case(framework, target, nowhere(), edges=Edges()))
    return [one.code for one in result.diagnostics]


def fixed(text: str, *, unsafe: bool = False) -> str:
    framework = load_framework("accessory")
    target = build_environment(framework.releases, pins=[])
    outcome = fix_source(
        SourceText(text), Case(framework, target, nowhere(), edges=Edges()), unsafe=unsafe
    )
    return outcome.source.text


@pytest.mark.parametrize(
    "text",
    [
        RUN,
        RUN.replace("main_finetune.py", "main_pretrain.py"),
        RUN.replace("torchrun --nproc_per_node=8", "srun python -u accessory/").replace("/ ", "/"),
    ],
)
def test_its_scripts_are_recognised(text: str) -> None:
    assert of_text(text, "shell") == "accessory"
    framework = load_framework("accessory")
    assert framework.own_files.recognizes(framework.language.read(SourceText(text)))


@each(
    "text",
    [
        "",
        "#!/bin/sh\nmake install\n",
        "torchrun train.py --llama_type llama --llama_config a.json\n",
        # Masked autoencoders, and the first LLaMA-Adapter.
        "torchrun main_finetune.py --model vit_base --blr 5e-4 --accum_iter 2 --data_path d\n",
        "torchrun main_finetune.py --llama_path p --llama_type 7B --data_config c --max_words 9\n",
        "axolotl train config.yml\n",
    ],
)
def test_scripts_of_others_are_not(text: str) -> None:
    assert of_text(text, "shell") is None


def test_a_script_that_only_talks_of_one_is_not() -> None:
    text = "echo torchrun main_finetune.py --llama_type llama --no_visual\n"
    framework = load_framework("accessory")
    assert not framework.own_files.recognizes(framework.language.read(SourceText(text)))


def test_scripts_are_found_in_a_folder_and_others_left_alone(tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_text(RUN.replace("--lr 2e-5", "--lr fast"))
    (tmp_path / "install.sh").write_text("pip install x\n")
    found = run("--format", "concise", str(tmp_path)).out
    assert "run.sh:5:32: error TYP001 `lr` expects a number but got the text 'fast'." in found
    assert "install.sh" not in found
    named = run(str(tmp_path / "install.sh"))
    said = " ".join((named.out + named.err).split())
    assert (named.code, "not a training config; not checked" in said) == (0, True)


def test_a_program_in_an_unknown_folder() -> None:
    text = RUN.replace("main_finetune.py", "${HOME}/accessory/main_finetune.py")
    assert codes(text.replace("--lr 2e-5", "--lr fast")) == ["TYP001"]
    framework = load_framework("accessory")
    other = text.replace("accessory/main", "$other_main")
    assert not framework.own_files.recognizes(framework.language.read(SourceText(other)))


@each(
    ("ending", "expected"),
    [
        (" \\\n2>&1 | tee log\n", []),
        (" 2>&1 | tee log\n", []),
        (" \\\n# --quant \\\n2>&1 | tee log\n", ["LAC010"]),
        (" # why \\\n\n  &> all | cat\n", ["LAC010"]),
        ("\n> log | cat\n", ["LAC010"]),
        ("\nls 2>&1 | tee log\n", []),
        ("\n2>&1 > log\nls | cat\n", []),
    ],
)
def test_a_pipe_that_a_line_end_cuts_off(ending: str, expected: list[str]) -> None:
    assert codes(RUN.rstrip() + ending) == expected


def test_the_options_of_the_projects_own_program_are_known(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "exps").mkdir()
    script = tmp_path / "exps/run.sh"
    script.write_text(RUN.replace("--epochs", "--teacher_forcing --my-name x --epochs"))
    (tmp_path / "params.json").write_text('{"dim": 64}')

    def found() -> list[str]:
        lines = run("--format", "concise", str(script)).out.splitlines()
        return [word for line in lines for word in line.split() if word.startswith("KEY")]

    assert found() == ["KEY001", "KEY001"]
    program = tmp_path / "accessory/main_finetune.py"
    program.parent.mkdir()
    program.write_text(
        "parser.add_argument('--teacher_forcing', action='store_true')\n"
        'parser.add_argument(\n    "--my-name", type=str)\n'
    )
    assert found() == []


def test_options_of_the_other_program_are_unknown() -> None:
    text = RUN.replace("--warmup_epochs 0.1", "--warmup_iters 10")
    assert codes(text) == ["KEY001"]
    assert codes(text.replace("--warmup_iters", "--warmup_iterss")) == ["KEY001"]


def test_what_the_program_gets() -> None:
    framework = load_framework("accessory")

    def value(name: str, more: str = "") -> object:
        root = framework.language.read(SourceText(RUN.rstrip() + f" {more}\n")).root
        return value_of(root, name)

    assert value("lr") == 2e-5
    assert value("epochs") == 3
    assert value("accum_iter") == 4  # its default
    assert value("accum_iter", "--accum_iter $1") is UNKNOWN
    assert value("accum_iter", '"$@"') is UNKNOWN
    assert value("accum_iter", "--accum_iter x") is UNKNOWN
    assert value("quant") is False
    assert value("quant", "--quant") is True
    assert value("llama_config") == ["params.json"]
    assert value("warmup_iters") is None  # an option of the other program


def test_how_many_words_each_option_takes() -> None:
    options = arguments_of("main_finetune.py")
    assert options is not None
    assert {name: options.table[name] for name in ("lr", "quant", "llama_config")} == {
        "lr": "1",
        "quant": "0",
        "llama_config": "*",
    }
    pretraining = arguments_of("main_pretrain.py")
    assert pretraining is not None
    assert (options.table["pretrained_path"], pretraining.table["pretrained_path"]) == ("+", "*")
    assert arguments_of("train.py") is None


def test_what_starts_the_processes() -> None:
    def root(text: str) -> Mapping:
        return load_framework("accessory").language.read(SourceText(text)).root

    assert launcher_value(root(RUN), "nproc_per_node", "x") == "8"
    assert launcher_value(root(RUN), "nnodes") is None
    assert launcher_value(root(RUN.replace("=8", "=$N")), "nproc_per_node") is UNKNOWN
    assert launcher_value(root(RUN.replace("torchrun", "torchrun $MORE")), "nnodes") is UNKNOWN
    srun = RUN.replace("torchrun --nproc_per_node=8", "srun")
    assert launcher_value(root(srun), "nproc_per_node") is None
    parts = RUN.replace("--epochs", "--model_parallel_size 3 --epochs")
    assert codes(parts) == ["LAC060"]
    assert codes(parts.replace("=8", "=$N")) == codes(parts.replace("=8", "=9")) == []
    assert codes(parts.replace("torchrun --nproc_per_node=8", "srun")) == []
    assert (whole(3), whole(True), whole("3")) == (3, None, None)


def test_unknown_words_are_not_judged() -> None:
    assert codes(RUN.replace("--lr 2e-5", '--lr "$1"')) == []
    assert codes(RUN.replace("--lr 2e-5", "--lr $LR --quant")) == ["LAC043", "LAC082"]
    assert codes(RUN.replace("--lr 2e-5", '--lr 1e-4 --quant "$@"')) == ["LAC082"]


def test_every_command_of_a_script_is_checked() -> None:
    second = RUN.partition("pipefail\n")[2].replace("--epochs 3", "--epochs three")
    text = RUN + second
    framework = load_framework("accessory")
    target = build_environment(framework.releases, pins=[])
    (found,) = lint_source(
        SourceText(text), Case(framework, target, nowhere(), edges=Edges())
    ).diagnostics
    assert (found.code, found.path) == ("TYP001", ("command 2", "epochs"))
    assert text[slice(*found.span)] == "--epochs three"


def test_fixes_change_the_command_alone() -> None:
    text = RUN.replace("--lr 2e-5", "--lr 2e-5 --quant --dta_config x").replace(
        "--data_config data.yaml ", ""
    )
    assert fixed(text).count("--quant --only_save_trainable --data_config x") == 1
    cut = RUN.replace("--min_lr 0 \\\n", "--min_lr 0 \\ \n")
    assert fixed(cut) == RUN


def test_a_comment_above_the_command_speaks_of_all_its_lines(tmp_path: Path) -> None:
    text = RUN.replace("--epochs 3", "--epochs three")
    quiet = text.replace("torchrun", "# cfglint: ignore[TYP001] a test\ntorchrun")
    assert codes(text) == ["TYP001"]
    assert codes(quiet) == []
    assert codes(quiet.replace("TYP001", "TYP002")) == ["CFG001", "TYP001"]
    path = tmp_path / "run.sh"
    path.write_text(text)
    run("--add-ignores", str(path))
    assert path.read_text().startswith("#!/bin/bash\nset -eo pipefail\n# cfglint: ignore[TYP001]")
    assert run(str(path)).code == 0


def test_a_comment_on_the_file_goes_below_the_first_line(tmp_path: Path) -> None:
    path = tmp_path / "run.sh"
    path.write_text(RUN.replace("set -eo pipefail\n", "").replace(" \\\n--lr", " --lr") + "\n")
    path.write_text(path.read_text().replace("--epochs 3", "--epochs x; \\\n"))
    run("--add-ignores", str(path))
    assert path.read_text().startswith("#!/bin/bash\n")


@pytest.mark.parametrize(("ending", "added"), [("\n", True), ("\r\n", False)])
def test_a_script_with_windows_line_ends_gets_no_line_that_its_shell_cannot_run(
    ending: str, added: bool
) -> None:
    command = RUN.replace("set -eo pipefail\n", "").replace(" \\\n", " ")
    script = command.replace(" out\n", " out | tee log\n").replace("\n", ending)
    assert "LAC008" in codes(script)
    assert ("set -eo pipefail" in fixed(script, unsafe=True)) == added


MIXTRAL = (
    '{"dim": 4096, "n_layers": 32, "hidden_dim": 14336, "n_heads": 32, "n_kv_heads": 8,'
    ' "moe": {"num_experts_per_tok": 2, "num_experts": 8}}'
)
SETUP = 'torch.distributed.init_process_group(backend=args.dist_backend,\n    init_method="x"{})\n'


def project(folder: Path, torch: str, setup: str) -> Path:
    """A project as people have it: the script far below, the model and the sources elsewhere."""
    script = folder / "accessory" / "exps" / "finetune" / "mixtral.sh"
    script.parent.mkdir(parents=True)
    (folder / ".git").mkdir()
    (folder / "requirements.txt").write_text(f"torch=={torch}\nfairscale\n")
    (folder / "models").mkdir()
    (folder / "models" / "params.json").write_text(MIXTRAL)
    (folder / "accessory" / "util").mkdir()
    (folder / "accessory" / "util" / "misc.py").write_text(SETUP.format(setup))
    script.write_text(
        RUN.replace("--llama_type llama", "--llama_type mixtral")
        .replace("params.json", "$llama_config")
        .replace("torchrun", "llama_config=models/params.json\ntorchrun --nnodes=4")
        .replace("--lr", "--model_parallel_size 8 --lr")
    )
    return script


def test_the_optimizer_state_of_mixtral_outlasts_the_default_time_out(tmp_path: Path) -> None:
    script = project(tmp_path, "2.0.1", "")
    found = run("--format", "concise", str(tmp_path)).out
    assert "each checkpoint gathers 374 GB" in found
    assert "needs 208 MB/s (30 minutes, torch before 2.2)" in found
    assert "or 623 MB/s (10 minutes)" in found
    misc = tmp_path / "accessory" / "util" / "misc.py"
    misc.write_text(SETUP.format(", timeout=datetime.timedelta(hours=2)"))
    assert "LAC040" not in run("--format", "concise", str(script)).out


def test_an_adapter_of_mixtral_has_no_such_state(tmp_path: Path) -> None:
    script = project(tmp_path, "2.4.0", "")
    assert "LAC040" in run("--format", "concise", str(script)).out
    text = script.read_text().replace(
        "--llama_type mixtral", "--llama_type mixtral_peft --only_save_trainable"
    )
    script.write_text(text)
    assert run("--format", "concise", str(script)).out.count("LAC") == 0


@pytest.mark.parametrize("llama_type", ["mixtral", "mixtral_peft"])
def test_the_experts_of_mixtral_are_counted(tmp_path: Path, llama_type: str) -> None:
    script = project(tmp_path, "2.4.0", "")
    text = script.read_text().replace("--llama_type mixtral", f"--llama_type {llama_type}")
    script.write_text(text)
    assert "LAC064" not in run("--format", "concise", str(script)).out
    script.write_text(text.replace("--model_parallel_size 8", "--model_parallel_size 3"))
    assert "LAC064" in run("--format", "concise", str(script)).out


def test_broken_files_beside_a_script_are_no_crash(tmp_path: Path) -> None:
    script = project(tmp_path, "2.4.0", "")
    for broken in ("", "[]", "{", '{"dim": "x", "n_heads": 0}', '{"dim": 1e999, "moe": 5}'):
        (tmp_path / "models" / "params.json").write_text(broken)
        assert "CFG" not in run("--format", "concise", str(script)).out


def test_options_of_other_tools_are_named_as_theirs() -> None:
    framework = load_framework("accessory")
    target = build_environment(framework.releases)
    text = (
        "torchrun --nproc_per_node=8 main_finetune.py --llama_type llama --data_config d.yaml"
        " --pretrained_path a --learning_rate 2e-5 --cutoff_len 512\n"
    )
    found = lint_source(SourceText(text), Case.of_text(framework, target)).diagnostics
    messages = [one.message for one in found if one.code == "KEY002"]
    assert ["Use `lr`." in messages[0], "Use `max_words`." in messages[1]] == [True, True]
    assert "is a key of transformers" in messages[0]
    assert "is a key of LLaMA-Factory" in messages[1]

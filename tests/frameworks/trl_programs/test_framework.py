"""Programs that call the classes of TRL, transformers and PEFT: whose they are, what is found, what is repaired."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cfglint import Linter, lint_file
from cfglint.diagnostic import Diagnostic
from cfglint.knowledge.keys.classes import is_below, known_classes, parameters_of, table_of
from cfglint.knowledge.recognition import language_of, of_text
from tests.cli.running import run
from tests.draws import each

NEW = ("trl==1.9.0", "transformers==5.16.1", "peft==0.20.0")
OLD = ("trl==0.12.2", "transformers==4.46.1", "peft==0.13.2")
HEAD = (
    "from peft import LoraConfig\nfrom transformers import BitsAndBytesConfig, Trainer, TrainingArguments\n"
    "from trl import GRPOConfig, SFTConfig, SFTTrainer\n"
)


def findings(body: str, *pins: str, head: str = HEAD, gpus: int | None = None) -> list[Diagnostic]:
    report = Linter(target=pins or NEW, gpus=gpus, settings=False).lint(head + body, "train.py")
    return list(report.diagnostics)


def codes(body: str, *pins: str, head: str = HEAD, gpus: int | None = None) -> list[str]:
    found = (one.code for one in findings(body, *pins, head=head, gpus=gpus))
    # The head imports classes that the older releases do not have.
    return [code for code in found if code != "TRP650"]


def test_whose_a_program_is() -> None:
    assert language_of("a/train.PY") == language_of("b.ipynb") == "python"
    assert of_text("import os\n  from trl import SFTConfig\n", "python") == "trl_programs"
    assert of_text('   "from transformers import X\\n",\n', "python") == "trl_programs"
    assert of_text("from transformersx import y\nx = 'trl'\n", "python") is None


def test_a_folder_has_only_programs_that_call_a_class(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("from trl import SFTConfig\nSFTConfig(foo=1)\n")
    (tmp_path / "b.py").write_text("from trl import SFTConfig\nprint(SFTConfig)\n")
    (tmp_path / "c.py").write_text("def SFTConfig(foo): ...\nSFTConfig(foo=1)\n")
    (tmp_path / "d.py").write_text("from trl import SFTConfig\nSFTConfig(foo=1\n")
    (tmp_path / "latin.py").write_bytes(
        b"# coding: latin-1\nfrom trl import SFTConfig\nx = '\xe4'\n"
    )
    cell = {"cell_type": "code", "source": ["from trl import SFTConfig\n", "SFTConfig(foo=1)"]}
    (tmp_path / "e.ipynb").write_text(json.dumps({"cells": [cell]}, indent=1))
    done = run("--format", "concise", str(tmp_path))
    assert [Path(line.split(":")[0]).name for line in done.out.splitlines()] == ["a.py", "e.ipynb"]
    assert done.code == 1


@each(
    ("call", "new", "old"),
    [
        ("SFTConfig(max_seq_length=1)", ["KEY005"], []),
        ("SFTConfig(max_length=1)", [], ["KEY006"]),
        ("SFTConfig(max_lenght=1)", ["KEY001"], ["KEY001"]),
        ("SFTConfig(dataset_name='x')", ["KEY001"], ["KEY001"]),
        ("TrainingArguments(evaluation_strategy='no')", ["KEY005"], []),
        ("TrainingArguments(max_length=1)", ["KEY001"], ["KEY001"]),
        ("TrainingArguments(bf16=True, fp16=True)", ["OPT351"], ["OPT351"]),
        ("TrainingArguments(warmup_ratio=0.1)", ["KEY005"], []),
        ("Trainer(tokenizer=t)", ["KEY005"], []),
        ("SFTTrainer(processing_class=t)", [], []),
        ("SFTTrainer(dataset_text_field='x')", ["KEY005"], []),
        ("LoraConfig(target_module=[])", ["KEY001"], ["KEY001"]),
        ("LoraConfig(exclude_modules='x')", [], ["KEY006"]),
        ("BitsAndBytesConfig(load_in_4bit=True, of_a_fork=1)", [], []),
        # Whether the word is looked at hangs on a value that is not known.
        ("BitsAndBytesConfig(load_in_4bit=args.x, bnb_4bit_quant_type='nf4')", [], []),
        ("TrainingArguments(num_train_epochs='3')", ["TYP001"], ["TYP001"]),
        ("TrainingArguments(optim='adam')", ["TYP002"], ["TYP002"]),
        ("TrainingArguments(optim=f())", [], []),
        ("TrainingArguments(learning_rate=2e-5, report_to='none', seed=1)", [], []),
    ],
)
def test_parameters_of_a_release(call: str, new: list[str], old: list[str]) -> None:
    call = call.replace("(", "('out', ", 1)
    assert codes(call) == new
    assert codes(call, *OLD) == old


def test_the_finding_is_at_the_keyword() -> None:
    (found,) = findings("x = SFTConfig(output_dir='o', max_seq_length=4)  # 4\n")
    text = HEAD + "x = SFTConfig(output_dir='o', max_seq_length=4)  # 4\n"
    assert text[found.span.start : found.span.end] == "max_seq_length"
    assert found.path == ("SFTConfig", "max_seq_length")
    assert found.title == "`SFTConfig`"
    assert "`SFTConfig` refuses the call. Use `max_length`." in found.message


def test_a_parameter_of_the_config_is_told_at_the_trainer() -> None:
    (found,) = findings("SFTTrainer(packing=True)")
    assert "`SFTConfig` has `packing`." in found.message
    (found,) = findings("Trainer(learning_rate=1)")
    assert "`TrainingArguments` has `learning_rate`." in found.message


@pytest.mark.parametrize(
    ("release", "name"), [("0.15.1", "max_seq_length"), ("1.16.0", "max_length")]
)
def test_the_config_of_an_older_release_has_the_older_name(release: str, name: str) -> None:
    (found,) = findings("SFTTrainer(max_seq_length=4)", f"trl=={release}")
    assert found.message.endswith(f"`SFTConfig` has `{name}`.")


def test_what_a_stated_release_asks_for_decides() -> None:
    """TRL 1.16.0 asks for a transformers that has removed the key, 0.12.2 for one that has it."""
    call = "SFTConfig('o', evaluation_strategy='no')"
    (found,) = findings(call, "trl==1.16.0")
    assert (found.code, found.severity) == ("KEY005", "error")
    assert "if that release" not in found.message
    assert codes(call, "trl==0.12.2") == []


def test_rules_ask_for_values() -> None:
    grpo = "GRPOConfig(num_generations={}, per_device_train_batch_size=4, gradient_accumulation_steps=1{})"
    assert codes(grpo.format(6, ""), gpus=1) == ["TRL041"]
    assert codes(grpo.format("n", ""), gpus=1) == []
    assert codes(grpo.format(6, ", **more"), gpus=1) == []
    assert codes("n = 6\n" + grpo.format("n", ""), gpus=1) == ["TRL041"]
    assert codes(grpo.format(6, ", generation_batch_size=f()"), gpus=1) == []
    # What a call leaves out has its default.
    assert codes("GRPOConfig(num_generations=3)", gpus=1) == ["TRL041"]
    assert codes("GRPOConfig(output_dir='o', num_generations=4)", gpus=1) == []
    assert codes("GRPOConfig(output_dir='o', per_device_train_batch_size=4)", gpus=1) == ["TRL041"]
    assert codes("GRPOConfig(output_dir='o', num_generations=3, **more)", gpus=1) == []
    seventeen = ("trl==0.17.0", "transformers==4.51.3")
    assert codes(grpo.format(6, ""), *seventeen, gpus=1) == ["TRL041"]
    assert codes(grpo.format(4, ""), *seventeen, gpus=1) == []
    old = ("trl==0.19.1", "transformers==4.52.4")
    call = "RLOOConfig('o', per_device_train_batch_size=3)"
    assert codes("from trl import RLOOConfig\n" + call, *old, gpus=1) == []
    assert codes("from trl import RLOOConfig\n" + call, gpus=1) == ["TRL041"]


@each(
    ("call", "instead"),
    [
        ("GRPOTrainer('a/b', [f], tokenizer=t)", "processing_class"),
        ("SFTConfig('o', max_sequence_length=512)", "max_length"),
    ],
)
def test_names_that_trl_has_in_other_words(call: str, instead: str) -> None:
    (found,) = findings(f"from trl import GRPOTrainer\n{call}", "trl==0.17.0")
    assert found.code == "KEY002"
    assert found.message.endswith(f"Use `{instead}`.")
    assert [fix.paths for fix in found.fixes]


def test_a_parameter_that_older_releases_require() -> None:
    assert codes("TrainingArguments(seed=1)") == []
    assert codes("TrainingArguments(seed=1)", *OLD) == ["TYP004"]
    assert codes("TrainingArguments()", *OLD) == ["TYP004"]
    for given in ("'out', seed=1", "**options", "*words", "output_dir=f()"):
        assert codes(f"TrainingArguments({given})", *OLD) == []


def test_what_the_command_has_besides_is_not_missed() -> None:
    # The model, the data and the adapter are elsewhere in the program.
    assert codes("SFTConfig(output_dir='out', learning_rate=2e-4)") == []
    assert codes("BitsAndBytesConfig(load_in_4bit=True)") == []


def test_without_a_stated_release_a_removed_parameter_is_a_note() -> None:
    text = HEAD + "SFTConfig(max_seq_length=1)"
    assert not Linter(settings=False).lint(text, "train.py").diagnostics
    report = Linter(settings=False, min_confidence="low").lint(text, "train.py")
    assert [(one.code, one.severity) for one in report.diagnostics] == [("KEY005", "note")]
    assert report.diagnostics[0].cost == "after the upgrade the run does not start"


def test_packages_that_patch_the_classes() -> None:
    head = "import unsloth\n" + HEAD
    assert codes("SFTTrainer(tokenizer=t, max_seq_length=1)", head=head) == []
    assert codes("TrainingArguments(bf16=True, fp16=True)", head=head) == ["OPT351"]
    # What it adds is neither a letter away from a parameter of TRL's, nor from one of a few words.
    slips = "SFTConfig(gradient_acumulation_steps=4, optim='adamw_8bits', unsloth_num_chunks=2)"
    assert codes(slips, head=head) == ["KEY001", "TYP002"]
    # Unsloth takes the place of TRL's classes, not of transformers'.
    assert codes("TrainingArguments(output_dir='a', evaluation_strategy='no')", head=head) == [
        "KEY005"
    ]


@pytest.mark.parametrize(
    ("line", "module", "is_silent"),
    [
        ("from model import load", "model.py", True),
        ("from common.model import (\n    load,  # one\n)", "common/model.py", True),
        ("import common.model as m", "common/model.py", True),
        ("from common import model", "common/model.py", True),
        ("from .model import load", "training/model.py", True),
        ("from tools import load", "src/tools/__init__.py", True),
        ("from first import load", "model.py", True),
        ("from model import load", "other/model.py", False),
        ("from modelling import load", "model.py", False),
        ("import os", "model.py", False),
    ],
)
def test_packages_that_patch_the_classes_are_imported_by_modules_of_the_project(
    line: str, module: str, is_silent: bool, tmp_path: Path
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "first.py").write_text("from model import load\n")
    (tmp_path / module).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / module).write_text("def load():\n    from unsloth import FastLanguageModel\n")
    program = tmp_path / "training" / "train.py"
    program.parent.mkdir(exist_ok=True)
    program.write_text(f"{line}\n{HEAD}SFTTrainer(tokenizer=t, max_seq_length=1)\n")
    done = run("--format", "concise", *(f"--target={pin}" for pin in NEW), str(program))
    assert ("KEY005" not in done.out) is is_silent


@pytest.mark.parametrize(
    ("importing", "is_silent"),
    [
        ("import unsloth\nfrom sft import train\n", True),
        ("from model import load\nfrom steps import run\n", True),
        (
            "def main():\n    if True:\n        from unsloth import X\n    from sft import train\n",
            True,
        ),
        ("from unsloth import X\n", False),
        ("from sft import train\n", False),
    ],
)
def test_packages_that_patch_the_classes_are_imported_by_what_imports_the_program(
    importing: str, is_silent: bool, tmp_path: Path
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "model.py").write_text("def load():\n    from unsloth import FastLanguageModel\n")
    (tmp_path / "steps.py").write_text("from sft import train\n")
    (tmp_path / "train.py").write_text(importing)
    program = tmp_path / "sft.py"
    program.write_text(f"{HEAD}SFTTrainer(tokenizer=t, max_seq_length=1)\n")
    done = run("--format", "concise", *(f"--target={pin}" for pin in NEW), str(program))
    assert ("KEY005" not in done.out) is is_silent


@each(
    ("code", "pin", "arguments"),
    [
        ("TRL041", "trl==0.19.1", "per_device_train_batch_size=1, num_generations=6"),
        ("TRL114", "trl==0.16.0", "per_device_train_batch_size=1, num_generations=6"),
        ("TRL425", "trl==0.26.0", "per_device_train_batch_size=8, num_generations=8"),
        ("TRL435", "trl==0.26.0", "mask_truncated_completions=True"),
        ("TRL452", "trl==0.15.0", "temperature=0.7"),
        (
            *("TRL426", "trl==0.26.0"),
            "gradient_accumulation_steps=2, steps_per_generation=4, loss_type='dapo'",
        ),
        ("TRL424", "trl==0.26.0", "use_vllm=True"),
    ],
)
def test_what_unsloth_does_in_place_of_the_trainer(code: str, pin: str, arguments: str) -> None:
    body = f"GRPOConfig(output_dir='a', {arguments})"
    pins = (pin, "transformers==5.2.0", "vllm==0.12.0")
    assert code in codes(body, *pins, gpus=1)
    assert code not in codes(body, *pins, head=f"import unsloth\n{HEAD}", gpus=1)


def test_a_copy_of_the_package_has_its_own_parameters(tmp_path: Path) -> None:
    home = tmp_path / "examples"
    home.mkdir()
    program = home / "a.py"
    program.write_text("from trl import SFTConfig\nSFTConfig(of_the_fork=1)\n")
    assert run("--format", "concise", str(program)).code == 1
    (tmp_path / "trl").mkdir()
    (tmp_path / "trl" / "__init__.py").write_text("")
    assert run("--format", "concise", str(program)).code == 0


@pytest.mark.parametrize(
    ("own", "reported"),
    [
        ("class Trainer:\n    def __init__(self, args=None, group=None): ...\n", False),
        ("if 1:\n    class Trainer(X):\n        def __init__(self, *, group): ...\n", False),
        ("class Trainer:\n    def __init__(self, other): ...\n    def f(self, group): ...\n", True),
        ("class TrainerX:\n    def __init__(self, group): ...\n", True),
        ("class Trainer:\n    def __init__(self, group): ...\n  x\n", True),
    ],
)
def test_a_patched_copy_of_a_class_has_its_own_parameters(
    own: str, reported: bool, tmp_path: Path
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "patched").mkdir()
    (tmp_path / "patched" / "trainer.py").write_text(own)
    program = tmp_path / "a.py"
    program.write_text("from transformers import Trainer\nTrainer(group=1, tokenizer=t, xyz=2)\n")
    found = run("--format", "concise", "--target=transformers==5.16.1", str(program)).out
    # What it is called with besides is judged by the release.
    assert "tokenizer" in found
    assert "xyz" in found
    assert ("group" in found) is reported


def test_repairs_and_comments(tmp_path: Path) -> None:
    program = tmp_path / "train.py"
    before = (
        HEAD + "args = SFTConfig(\n    output_dir='out',\n    max_seq_length=4,  # long\n"
        "    eval_stratgey='no',\n    foo=1,  # cfglint: ignore[KEY001]\n)\n"
    )
    program.write_text(before)
    done = run("--fix", *(f"--target={pin}" for pin in NEW), str(program))
    assert done.code == 0, done.out
    assert program.read_text() == before.replace("max_seq_length", "max_length").replace(
        "stratgey", "strategy"
    )


def test_commands_that_need_a_file_say_so(tmp_path: Path) -> None:
    program = tmp_path / "train.py"
    program.write_text(HEAD + "SFTConfig(max_seq_length=1)\n")
    for command in ("effective", "migrate"):
        assert "Traceback" not in run(command, str(program)).out


def test_tables_of_classes() -> None:
    assert {"trl.SFTConfig", "transformers.TrainingArguments", "peft.LoraConfig"} <= set(
        known_classes("trl")
    )
    assert (parameters_of("trl", "trl.SFTConfig") or ())[0] == "output_dir"
    assert parameters_of("trl", "trl.Nothing") is None
    assert is_below("trl", "trl.SFTConfig")
    assert is_below("trl", "transformers.TrainingArguments")
    assert not is_below("trl", "trl.SFTTrainer")
    assert not is_below("trl", "trl.Nothing")
    with pytest.raises(KeyError):
        table_of("trl", "trl.Nothing")
    for name in known_classes("trl"):
        assert table_of("trl", name).names(""), name


def test_the_page_shows_a_real_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = Path(__file__).resolve().parents[3]
    page = (root / "docs" / "python-programs.md").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    program = page.partition("```python\n")[2].partition("```")[0]
    Path("train.py").write_text(program, encoding="utf-8")
    command, _, shown = (
        page.partition("```console\n$ cfglint ")[2].partition("```")[0].partition("\n")
    )
    assert run(*command.split()).out == shown
    lines = [int(line.split(":")[1]) for line in shown.splitlines()]
    assert [program.splitlines()[line - 1].strip() for line in lines[:2]] == [
        "max_seq_length=LENGTH,",
        'save_stratgey="steps",',
    ]


@pytest.mark.parametrize(("value", "fixes"), [("0.1", 1), ("config['share']", 0)])
def test_a_value_that_is_not_known_is_not_thrown_away(value: str, fixes: int) -> None:
    text = HEAD + f"TrainingArguments(warmup_ratio={value}, warmup_steps=steps())"
    report = Linter(settings=False, target=["transformers==5.15.0"]).lint(text, "train.py")
    (finding,) = report.diagnostics
    assert ("both values have to go" in finding.message) is (fixes == 0)
    # A slip, too, may come with a value of its own.
    text = HEAD + f"TrainingArguments(learning_rat={value}, learning_rate=steps())"
    (slip,) = Linter(settings=False).lint(text, "train.py").diagnostics
    assert (slip.severity, slip.fixes) == ("error", ())
    assert len(finding.fixes) == fixes


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        ("trl>=0.15\ntransformers>=4.46,<5\n", 0),
        ("trl>=0.15\ntransformers>=4.46\n", 2),
        ("trl==0.19.0\ntransformers>=4.46,<4.50\n", 0),
        ("trl==0.19.0\ntransformers==5.15.0\n", 2),
    ],
)
def test_a_stated_range_of_transformers_counts(tmp_path: Path, stated: str, expected: int) -> None:
    (tmp_path / "requirements.txt").write_text(stated, encoding="utf-8")
    program = HEAD + "SFTConfig(warmup_ratio=0.1)\n"
    (tmp_path / "train.py").write_text(program, encoding="utf-8")
    recipe = "model_name_or_path: a/b\ndataset_name: c/d\noutput_dir: out\nwarmup_ratio: 0.1\n"
    (tmp_path / "sft.yaml").write_text(recipe, encoding="utf-8")
    done = run("--format", "concise", "--select", "KEY", str(tmp_path))
    assert done.out.count("KEY005") == expected


def test_what_the_newest_refuses_in_a_call_is_one_warning(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("trl\n", encoding="utf-8")
    program = HEAD + "SFTTrainer(tokenizer=t, packing=True)\n"
    (tmp_path / "train.py").write_text(program, encoding="utf-8")
    done = run("--format", "json", str(tmp_path / "train.py"))
    (finding,) = json.loads(done.out)["files"][0]["diagnostics"]
    assert (finding["severity"], finding["upstream"]) == ("warning", "rejects")
    (other,) = finding["related"]
    assert other["message"] == "removed in TRL 0.13.0: `SFTConfig` has `packing`"
    (tmp_path / "requirements.txt").write_text("trl==0.20.0\n", encoding="utf-8")
    done = run("--format", "json", str(tmp_path / "train.py"))
    assert len(json.loads(done.out)["files"][0]["diagnostics"]) == 2


@pytest.mark.parametrize(
    ("body", "fixed"),
    [
        (
            "SFTTrainer(m, args=SFTConfig(output_dir='o'), max_seq_length=9)",
            "SFTTrainer(m, args=SFTConfig(output_dir='o', max_length=9))",
        ),
        (
            "c = SFTConfig(output_dir='o')\nSFTTrainer(m, args=c, dataset_text_field='t')",
            "c = SFTConfig(output_dir='o', dataset_text_field='t')\nSFTTrainer(m, args=c)",
        ),
        # Computed, given to two, of another class, there already, perhaps there already.
        *(
            (text, text)
            for text in (
                "SFTTrainer(m, args=SFTConfig(output_dir='o'), packing=p)",
                "c = SFTConfig(output_dir='o')\nSFTTrainer(m, args=c, packing=True)\nDPOTrainer(m, args=c)",
                "SFTTrainer(m, args=TrainingArguments(output_dir='o'), packing=True)",
                "SFTTrainer(m, args=SFTConfig(output_dir='o', packing=True), packing=True)",
                "SFTTrainer(m, args=SFTConfig(**o), packing=True)",
                "SFTTrainer(m, args=f(), packing=True)",
            )
        ),
    ],
)
def test_what_a_trainer_took_goes_to_its_config(tmp_path: Path, body: str, fixed: str) -> None:
    head = "from transformers import TrainingArguments\nfrom trl import DPOTrainer, SFTConfig, SFTTrainer\n"
    path = tmp_path / "train.py"
    path.write_text(f"{head}{body}\n")
    run(
        "--isolated",
        "--target",
        "trl==1.16.0",
        "--target",
        "transformers==5.20.0",
        "--fix",
        str(path),
    )
    assert path.read_text() == f"{head}{fixed}\n"


@each(
    ("call", "found"),
    [
        ("LoraConfig(layers_pattern='layers')", ["TRC001"]),
        ("LoraConfig(layers_pattern='layers', layers_to_transform=x)", []),
        ("LoraConfig(layers_pattern='layers', **more)", []),
        ("LoraConfig(layers_pattern=x)", []),
        ("LoraConfig(task_type='CASUAL_LM')", ["TRC007"]),
        ("LoraConfig(task_type=TaskType.CAUSAL_LM)", []),
        ("BitsAndBytesConfig(load_in_4bit=True, load_in_8bit=True)", ["TRC005"]),
        ("BitsAndBytesConfig(load_in_4bit=x, load_in_8bit=True)", []),
        ("BitsAndBytesConfig(load_in_8bit=True, llm_int8_threshold=6)", ["TRC006"]),
    ],
)
def test_what_an_adapter_refuses_itself(call: str, found: list[str]) -> None:
    assert codes(call) == found


def test_rules_about_adapters_are_for_calls_of_their_classes_alone() -> None:
    text = "task_type: CASUAL_LM\nmodel_name_or_path: a\ndataset_name: b\noutput_dir: c\nuse_peft: true\n"
    found = Linter(target=NEW, settings=False).lint(text, "sft.yaml").diagnostics
    assert not [one for one in found if one.code.startswith("TRC")]


@pytest.mark.parametrize(
    ("call", "pins", "found"),
    [
        ("Trainer(tokenizer=a, processing_class=b)", OLD, ["TRC008"]),
        ("Trainer(processing_class=b)", OLD, []),
        # There, the older name alone is refused.
        ("Trainer(tokenizer=a, processing_class=b)", NEW, ["KEY005"]),
    ],
)
def test_both_names_of_the_tokenizer(call: str, pins: tuple[str, ...], found: list[str]) -> None:
    assert codes(call, *pins) == found


def test_what_the_newest_release_refuses_beside_a_reported_word_is_reported() -> None:
    body = "TrainingArguments(output_dir='o', evaluation_strategy='no'{})"

    def shown(more: str) -> list[tuple[str, str]]:
        report = Linter(settings=False).lint(HEAD + body.format(more), "train.py")
        return [(one.code, one.severity) for one in report.diagnostics]

    # With nothing but the assumption of the newest release against it, a removed keyword is only counted.
    assert shown("") == []
    assert shown(", optim='adamw_hf'") == [("KEY005", "warning"), ("TYP002", "warning")]
    # A word that no release takes is an error of today.
    assert shown(", save_strategy='oftn'") == [("TYP002", "error")]


def test_a_commit_of_unknown_time_leaves_open_whether_a_keyword_is_refused(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    address = "git+https://github.com/huggingface/transformers@" + "0123456789" * 4
    (tmp_path / "requirements.txt").write_text(f"transformers @ {address}\n")
    path = tmp_path / "train.py"
    path.write_text(f"{HEAD}TrainingArguments(output_dir='o', warmup_ratio=0.1)\n")
    [found] = [one for one in lint_file(path).diagnostics if one.code == "KEY005"]
    assert found.severity == "warning"
    assert "refuses the call, if that release or a later one runs" in found.message


@each("name", ["tokenizer", "processing_class"])
@each(
    ("pins", "has_both"),
    [
        (("trl==0.12.0.dev0", "transformers==4.45.2"), True),
        (("trl==0.11.4", "transformers==4.46.0.dev0"), True),
        (("trl==0.11.4", "transformers==4.45.2"), False),
    ],
)
def test_a_build_between_two_releases_may_have_the_name_of_either(
    name: str, pins: tuple[str, ...], has_both: bool
) -> None:
    """In a requirements file it is no version of the package that counts first, here transformers."""
    trainer = "RewardTrainer" if pins[0] == "trl==0.12.0.dev0" else "Trainer"
    head = "from transformers import Trainer\nfrom trl import RewardTrainer\n"
    body = f"{trainer}(model=model, args=args, {name}=tokenizer, train_dataset=data).train()\n"
    found = [one for one in findings(body, *pins, head=head) if one.code.startswith("KEY")]
    assert bool(found) is (not has_both and name == "processing_class")


def test_what_goes_with_a_release_is_still_in_a_build_before_it() -> None:
    body = 'TrainingArguments(output_dir="out", evaluation_strategy="steps", eval_steps=4)\n'
    for release, found in (("4.50.3", False), ("4.51.0.dev0", False), ("4.51.3", True)):
        assert ("KEY005" in codes(body, "trl==0.16.0", f"transformers=={release}")) is found


def test_the_server_of_vllm_is_named_without_a_model_and_not_where_unsloth_runs_it() -> None:
    body = "args = GRPOConfig(output_dir='out', use_vllm=True, num_generations=8)\n"
    [one] = [one for one in findings(body, "trl==0.19.1") if one.code == "TRL212"]
    assert "start `trl vllm-serve --model MODEL_NAME_OR_PATH` on" in one.message
    head = f"from unsloth import FastLanguageModel\n{HEAD}"
    for release in ("0.19.1", "0.15.0"):
        found = codes(body, f"trl=={release}", head=head, gpus=4)
        assert not {"TRL212", "TRL213"}.intersection(found)
    assert "TRL213" in codes(body, "trl==0.15.0", gpus=4)


def test_the_remark_on_a_cost_does_not_repeat_who_refuses(tmp_path: Path) -> None:
    program = tmp_path / "train.py"
    program.write_text(
        "import torch\nfrom transformers import AutoModelForCausalLM, TrainingArguments\n"
        "AutoModelForCausalLM.from_pretrained('a/b', dtype=torch.bfloat16)\nTrainingArguments('a')\n"
    )
    found = run("--target=transformers==4.46.3", str(program)).out
    assert "TRP002" in found
    assert "then the run stops\n" in found
    assert "TRL programs" not in found

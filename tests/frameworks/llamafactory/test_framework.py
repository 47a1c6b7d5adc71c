"""How LLaMA-Factory's files are read: the language by release, values as they are, its facts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cfglint.environment.environment import Environment
from cfglint.environment.surroundings import nowhere
from cfglint.frameworks.llamafactory.judge import AS_WRITTEN
from cfglint.roles.framework import load_framework
from tests.cli.running import run
from tests.draws import each
from tests.linting import lint

LLAMA_FACTORY = load_framework("llamafactory")
ANY_RELEASE = Environment(LLAMA_FACTORY.releases)
BASE = (
    "model_name_or_path: Qwen/Qwen2-7B\nstage: sft\ndo_train: true\nfinetuning_type: lora\n"
    "dataset: tickets\ntemplate: qwen\noutput_dir: out\n"
)
INFO = """{
  "tickets": {"file_name": "t.json"},
  "answers": {
    "file_name": "a.json",
    "ranking": true,
    "columns": {"chosen": "chosen", "rejected": "rejected"}
  }
}"""


def said(text: str, release: str = "0.9.5", **more: Any) -> list[tuple[str, str]]:
    """Code and severity of each finding."""
    target = [f"llamafactory=={release}"]
    found = lint(text, target=target, framework="llamafactory", **more)
    return [(one.code, one.severity) for one in found]


def test_a_key_written_twice_is_refused_by_some_releases() -> None:
    text = f"{BASE}stage: sft\n"
    assert said(text)[0] == ("YML013", "error")
    # Up to 0.9.3 it is read, and nothing says that this is another one.
    refused = lint(text, framework="llamafactory")[0]
    assert (refused.code, refused.severity) == ("YML013", "warning")
    assert refused.message.endswith("is not known to have this error.")
    # What no release reads is an error with any of them.
    broken = lint(f"{BASE}stage: [sft\n", framework="llamafactory")[0]
    assert broken.severity == "error"


@each(
    ("text", "release", "name"),
    [
        ("a: 1e-4\n", "0.9.3", "PyYAML"),
        ("a: 1e-4\n", "0.9.4", "OmegaConf"),
        ('{"a": 1e-4}', "0.9.3", "OmegaConf"),
        ('\ufeff\n {"a": 1e-4}', "0.6.0", "OmegaConf"),
    ],
)
def test_the_release_says_who_reads_yaml(text: str, release: str, name: str) -> None:
    read = LLAMA_FACTORY.parsing.language_for(text, ANY_RELEASE.at(release), nowhere())
    assert (read is LLAMA_FACTORY.language) is (name == "OmegaConf")


def test_a_number_with_an_exponent_is_text_up_to_093() -> None:
    text = BASE + "learning_rate: 1e-4\n"
    assert said(text) == []
    assert said(text, "0.9.3") == [("YML021", "error")]


def test_the_older_name_of_the_schedule_replaces_the_newer() -> None:
    text = BASE + "eval_dataset: tickets\neval_strategy: bfloat16\nevaluation_strategy: steps\n"
    refused = ("TYP002", "error")
    assert refused not in said(text, "0.9.2")
    assert refused in said(text.replace("steps", "null"), "0.9.2")
    assert refused in said(text, "0.9.3")


def test_nothing_makes_a_number_of_a_text() -> None:
    assert said(BASE + 'learning_rate: "1e-4"\n') == [("TYP001", "error")]
    assert said(BASE + "learning_rate: 0.0001\n") == []
    assert said(BASE + 'bf16: "false"\n') == [("YML022", "warning")]
    assert said(BASE + 'bf16: "true"\n') == [("YML022", "note")]


@each(
    ("kinds", "choices", "value", "taken"),
    [
        (("bool",), (), "false", True),
        (("bool",), (), 0, True),
        (("bool",), (), [True], False),
        (("int",), (), "8", False),
        (("int",), (), 8.0, True),
        (("int",), (), 0.5, False),
        (("float",), (), 3, True),
        (("float", "null"), (), "3.0", False),
        (("float",), (), None, True),
        (("str",), (), 2024, True),
        (("str",), (), ["a"], False),
        (("list<any>", "str"), (), ["a"], True),
        (("dict<str,any>", "str"), (), {"a": 1}, True),
        (("enum:X",), ("no", "steps"), "steps", True),
        (("enum:X",), ("no", "steps"), False, False),
        (("enum:X",), ("no", "steps"), None, False),
        (("enum:X", "null"), ("no", "steps"), None, True),
        (("literal",), ("sft", "dpo"), "sftt", False),
        (("literal",), ("sft", "dpo"), None, True),
        (("ext:datasets.DownloadMode",), (), "force", True),
    ],
)
def test_values_are_judged_as_they_are(
    kinds: tuple[str, ...], choices: tuple[Any, ...], value: Any, taken: bool
) -> None:
    assert AS_WRITTEN.takes(kinds, choices, {}, value) is taken


def test_keys_are_known_as_the_training_arguments_of_transformers_have_them() -> None:
    assert said(BASE + "overwrite_output_dir: true\nddp_timeout: 180000000\n") == []
    assert said(BASE + "evaluation_strategy: 'no'\n", "0.9.2") == []
    assert said(BASE + "evaluation_strategy: 'no'\n", "0.9.4") == [("KEY005", "error")]
    assert said(BASE + "trust_remote_code: true\n", "0.8.3") == [("KEY006", "error")]
    assert said(BASE + "no_such_key: 1\n") == [("KEY001", "error")]


def test_templates_are_those_of_the_release() -> None:
    text = BASE.replace("template: qwen", "template: qwen3_nothink")
    assert said(text, "0.9.4") == []
    assert said(text, "0.9.3") == [("TYP002", "error")]


def test_the_arguments_of_megatron_are_a_note_of_their_own() -> None:
    text = BASE + "tensor_model_parallel_size: 2\nsequence_parallel: true\n"
    assert said(text) == [("LLF118", "note")]


def test_a_template_of_a_script_is_reported_as_one() -> None:
    (found,) = lint(BASE + "lora_rank: $rank\n", framework="llamafactory")
    assert found.message.endswith("but got the placeholder '$rank'.")
    (found,) = lint(BASE + "lora_rank: $5\n", framework="llamafactory")
    assert found.message.endswith("but got the text '$5'.")


def test_placeholders_are_not_reported_in_a_file_named_template(tmp_path: Path) -> None:
    for name, told in {"train.yaml": True, "train_template_7b.yaml": False}.items():
        config = tmp_path / name
        text = BASE + "lora_rank: ${RANK}\nseed: 7\nseed: 7\n"
        config.write_text(text, encoding="utf-8")
        report = run("--format", "concise", "--target", "llamafactory==0.9.3", str(config))
        assert ("CFG004" in report.out) is told
        assert "TYP001" not in report.out


def test_a_template_that_cannot_be_read_is_a_note() -> None:
    (found,) = lint(BASE + "lora_rank: !!int $rank\n", framework="llamafactory")
    assert (found.code, found.severity) == ("YML013", "note")
    (found,) = lint(BASE + "lora_rank: !!int many\n", framework="llamafactory")
    assert (found.code, found.severity) == ("YML013", "error")


def test_a_key_of_others_with_work_to_do_is_not_deleted_safely() -> None:
    """The run does not start with it, and is not what was asked for without it."""
    target = ["llamafactory==0.9.5"]
    for line in ("wandb_project: mine", "cpu_infer: 32", "train_mm_proj_only: true"):
        (found,) = lint(BASE + line + "\n", target=target, framework="llamafactory")
        assert [fix.safety for fix in found.fixes] == ["unsafe"], line
    (found,) = lint(BASE + "train_mm_proj_only: false\n", target=target, framework="llamafactory")
    assert [fix.safety for fix in found.fixes] == ["safe"]


@pytest.mark.parametrize(
    ("line", "package"),
    [
        ("evaluation_strategy: steps", "transformers 4.51"),
        ("tp_size: 2", "transformers 4.52"),
        ("cpu_infer: 32", "LLaMA-Factory 0.9.5"),
    ],
)
def test_a_key_that_is_gone_names_the_package_that_took_it(line: str, package: str) -> None:
    found = lint(BASE + line + "\n", target=["llamafactory==0.9.5"], framework="llamafactory")
    (gone,) = (d for d in found if d.code == "KEY005")
    assert f"was removed in {package};" in gone.message


def test_what_only_the_main_branch_has_is_not_called_unknown() -> None:
    assert said(BASE.replace("template: qwen", "template: moss_vl")) == [("LLF158", "warning")]
    assert said(BASE.replace("template: qwen", "template: moss_vlm")) == [("TYP002", "error")]
    assert said(BASE + "mixed_precision: bf16_mixed\n") == [("LLF157", "warning")]
    assert said(BASE + "mixed_precision: bf16\n") == [("KEY002", "error")]
    assert said(BASE + "export_hf_on_finish: true\n", "0.8.3") == [("LLF157", "warning")]


def test_a_key_of_the_list_of_datasets_is_named_as_that() -> None:
    target = ["llamafactory==0.9.5"]
    (found,) = lint(BASE + "role_tag: from\n", target=target, framework="llamafactory")
    assert found.code == "KEY001"
    assert found.message.endswith("It belongs in `dataset_info.json`, in the entry of its dataset.")


def test_what_is_known_of_a_model_is_known_by_its_name() -> None:
    text = BASE.replace("Qwen/Qwen2-7B", "{}").replace("template: qwen", "template: llama3")
    long = "cutoff_len: 100000\n"
    assert said(text.format("org/Meta-Llama-3-8B-Instruct") + long) == [("LLF132", "note")]
    assert said(text.format("./saves/mine") + long) == []
    assert ("LLF132", "note") not in said("model_name_or_path: [a]\ntemplate: qwen\n" + long)


def write_lists(folder: Path) -> None:
    """The list of datasets, and their files."""
    (folder / "data/dataset_info.json").write_text(INFO, encoding="utf-8")
    rows = [{"instruction": "Hi", "input": "", "output": "", "chosen": "", "rejected": ""}]
    for name in ("t", "a"):
        (folder / f"data/{name}.json").write_text(json.dumps(rows), encoding="utf-8")


@pytest.mark.parametrize(
    ("keys", "codes"),
    [
        ("", []),
        ("eval_dataset: held_out\neval_strategy: epoch\n", ["LLF053"]),
        ("eval_dataset: [tickets, answers]\neval_strategy: epoch\n", ["LLF054"]),
        ("tokenized_path: saved\neval_dataset: held_out\neval_strategy: epoch\n", []),
        ("dataset_dir: ONLINE\neval_dataset: held_out\neval_strategy: epoch\n", []),
        ("dataset_dir: elsewhere\neval_dataset: held_out\neval_strategy: epoch\n", []),
        # A shell's variables and the output of its commands are not known.
        ("eval_dataset: '$(IFS=,; echo held_out)'\neval_strategy: epoch\n", []),
        ("eval_dataset: $NAME-held\neval_strategy: epoch\n", []),
    ],
)
def test_the_list_of_datasets_beside_a_config(tmp_path: Path, keys: str, codes: list[str]) -> None:
    (tmp_path / "data").mkdir()
    write_lists(tmp_path)
    assert [code for code, _ in said(BASE + keys, folder=tmp_path)] == codes


def test_a_dataset_of_the_hub_needs_an_entry(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data/dataset_info.json").write_text(INFO, encoding="utf-8")
    text = BASE.replace("dataset: tickets", "dataset: acme/tickets-2024")
    target = ["llamafactory==0.9.5"]
    (found,) = lint(text, target=target, framework="llamafactory", folder=tmp_path)
    assert found.code == "LLF053"
    assert "needs an entry with `hf_hub_url`" in found.message


def test_a_dataset_of_the_hub_that_an_entry_loads(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    info = {"sorted": {"hf_hub_url": "acme/other"}, "notes": {"ms_hub_url": "acme/tickets-2024"}}
    (tmp_path / "data/dataset_info.json").write_text(json.dumps(info), encoding="utf-8")
    text = BASE.replace("dataset: tickets", "dataset: acme/tickets-2024")
    (found,) = lint(text, select=["LLF053"], framework="llamafactory", folder=tmp_path)
    assert found.message.endswith("`notes` is the entry of this dataset of the Hub.")


def test_a_dataset_that_a_script_adds(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "data").mkdir()
    (tmp_path / "data/dataset_info.json").write_text(INFO, encoding="utf-8")
    text = BASE.replace("dataset: tickets", "dataset: fresh")
    program = tmp_path / "prepare.py"
    adding = "info = json.load(open('data/dataset_info.json'))\ninfo['{}'] = {{}}\njson.dump(info, out)\n"
    for name, severity in (("other", "error"), ("fresh", "warning")):
        program.write_text(adding.format(name), encoding="utf-8")
        (found,) = lint(text, select=["LLF053"], framework="llamafactory", folder=tmp_path)
        assert found.severity == severity
        assert ("`prepare.py` has that name" in found.message) == (severity == "warning")


@pytest.mark.parametrize(
    ("columns", "is_told"),
    [({"chosen": "yes", "rejected": "no"}, True), ({"chosen": "yes"}, False), ({}, False)],
)
def test_an_entry_of_pairs_that_does_not_say_so(
    tmp_path: Path, columns: dict[str, str], is_told: bool
) -> None:
    (tmp_path / "data").mkdir()
    info = {"tickets": {"file_name": "t.json", "columns": columns}}
    (tmp_path / "data/dataset_info.json").write_text(json.dumps(info), encoding="utf-8")
    text = BASE.replace("stage: sft", "stage: dpo")
    (found,) = lint(text, select=["LLF054"], framework="llamafactory", folder=tmp_path)
    assert ("`ranking: true` is missing" in found.message) is is_told


def test_the_stage_says_which_kind_of_dataset(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    write_lists(tmp_path)
    pairs = BASE.replace("stage: sft", "stage: dpo")
    assert said(pairs, folder=tmp_path) == [("LLF054", "error")]
    assert said(pairs.replace("dataset: tickets", "dataset: answers"), folder=tmp_path) == []


@pytest.mark.parametrize("text", ["[1, 2]", '"tickets"', "{", '{"tickets": 3}'])
def test_a_list_of_datasets_that_is_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data/dataset_info.json").write_text(text, encoding="utf-8")
    assert said(BASE, folder=tmp_path) == []


def test_deepspeed_settings_are_read_in_the_file_and_beside_it(tmp_path: Path) -> None:
    (tmp_path / "ds.json").write_text('{"zero_optimization": {"stage": 3}}', encoding="utf-8")
    around = lint_names(BASE + "deepspeed: ds.json\n", tmp_path)
    assert around == [("deepspeed", str(tmp_path / "ds.json"))]
    assert lint_names(BASE + "deepspeed: {zero_optimization: {stage: 3}}\n", tmp_path) == [
        ("deepspeed", None)
    ]
    assert lint_names(BASE + "deepspeed: no.json\n", tmp_path) == []


def lint_names(text: str, folder: Path) -> list[tuple[str, str | None]]:
    """The files that a config names: whose, and where."""
    from cfglint.environment.surroundings import Memory, Surroundings
    from cfglint.source.files.disk import Disk
    from cfglint.source.text import SourceText

    around = Surroundings(Memory(), Disk(), folder=str(folder))
    document = LLAMA_FACTORY.language.read(SourceText(text))
    return [
        (one.framework, one.path) for one in LLAMA_FACTORY.readings.references(document, around)
    ]


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ("learning_rate: 0.1\n", "HPR454"),
        ("lr_scheduler_type: cosine_with_min_lr\n", "OPT462"),
    ],
)
def test_what_shows_in_training_is_nothing_to_a_run_that_only_evaluates(
    more: str, code: str
) -> None:
    text = BASE + "do_predict: true\n" + more
    assert code in [found for found, _ in said(text)]
    assert code not in [found for found, _ in said(text.replace("train: true", "train: false"))]
    # What refuses the arguments at start-up refuses them in any run.
    broken = text.replace("train: true", "train: false") + "bf16: true\nfp16: true\n"
    assert ("OPT351", "error") in said(broken)


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        ("transformers>=4.57\npeft>=0.7\n", " warning KEY005"),
        ("peft>=0.7\n", "because no file states the release: llamafactory 0.9.5"),
    ],
)
def test_a_range_of_the_package_that_takes_a_key_decides(
    tmp_path: Path, stated: str, expected: str
) -> None:
    (tmp_path / "requirements.txt").write_text(stated, encoding="utf-8")
    path = tmp_path / "train.yaml"
    path.write_text(BASE + "evaluation_strategy: steps\n", encoding="utf-8")
    assert expected in run(str(path), "--format", "concise").out + run(str(path)).out


@pytest.mark.parametrize("format_", ["text", "agent"])
def test_a_key_that_depends_on_the_release_is_no_clean_bill(tmp_path: Path, format_: str) -> None:
    path = tmp_path / "train.yaml"
    told = "No problems in 1 file, but 1 key depends on the release"
    path.write_text(BASE + "evaluation_strategy: steps\nval_size: 0.1\n", encoding="utf-8")
    out = run(str(path), "--format", format_).out
    assert told in out
    assert "`evaluation_strategy` is not reported, because no file states the release" in out
    path.write_text(BASE, encoding="utf-8")
    assert "depends on the release" not in run(str(path), "--format", format_).out


def test_a_list_of_another_kind_under_the_same_name(tmp_path: Path) -> None:
    path = tmp_path / "dataset_info.json"
    path.write_text('{"datasets": {"a": {"files": ["a.json"]}}, "note": "b"}')
    assert run("--format", "concise", str(tmp_path)).out.count("LLF200") == 0
    path.write_text('{"a": {"file_name": "a.json"}, "b": {"columns": {"prompt": "x"}}}')
    assert run("--format", "concise", str(tmp_path)).out.count("LLF200") == 1

"""The LLaMA-Factory in a project's own tree: what it has is known, whatever the releases have."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint.environment.surroundings import Memory, Surroundings, nowhere
from cfglint.frameworks.llamafactory.own_copy import copy_around
from cfglint.source.files.disk import Disk
from cfglint.source.files.inside import of_project
from tests.linting import lint

FORKED = (
    "model_name_or_path: Qwen/Qwen2-7B\nstage: cls\ndo_train: true\nfinetuning_type: lora\n"
    "dataset: tickets\ntemplate: tickets_v2\noutput_dir: out\nloss_of_class: focal\n"
)
ARGUMENTS = """
class FinetuningArguments:
    loss_of_class: str = field(default="plain")
    stage: Literal["pt", "sft", "cls"] = field(default="sft")
"""
TEMPLATES = 'register_template(\n    name="tickets_v2",\n)\n'


def copy_in(folder: Path, package: str = "llamafactory") -> None:
    source = folder / "src" / package
    (source / "hparams").mkdir(parents=True)
    (source / "data").mkdir()
    (source / "hparams/finetuning_args.py").write_text(ARGUMENTS, encoding="utf-8")
    (source / "data/template.py").write_text(TEMPLATES, encoding="utf-8")


def codes(folder: Path, *target: str) -> list[str]:
    return [d.code for d in lint(FORKED, target=target, framework="llamafactory", folder=folder)]


@pytest.mark.parametrize(
    ("at", "package", "config"),
    [
        (".", "llamafactory", "examples/mine"),
        (".", "llmtuner", "examples"),
        ("LLaMA-Factory", "llamafactory", "configs"),
        ("third/360_LlamaFactory-x", "llamafactory", "third"),
    ],
)
def test_keys_and_choices_of_a_fork(tmp_path: Path, at: str, package: str, config: str) -> None:
    folder = tmp_path / config
    folder.mkdir(parents=True, exist_ok=True)
    (tmp_path / ".git").mkdir()
    assert codes(folder) == ["TYP002", "TYP002", "KEY001"]
    copy_in(tmp_path / at, package)
    assert codes(folder) == []


def test_parts_of_the_package_without_its_folder(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "hparams").mkdir()
    (tmp_path / "hparams/finetuning_args.py").write_text(ARGUMENTS, encoding="utf-8")
    (tmp_path / "templates.py").write_text(TEMPLATES, encoding="utf-8")
    # Other projects have a folder of that name as well.
    assert codes(tmp_path) == ["TYP002", "TYP002", "KEY001"]
    for name in ("model_args.py", "parser.py"):
        (tmp_path / "hparams" / name).write_text("", encoding="utf-8")
    assert codes(tmp_path) == []


def test_a_release_that_the_user_names_decides_alone(tmp_path: Path) -> None:
    copy_in(tmp_path)
    assert codes(tmp_path, "llamafactory==0.9.5") == ["TYP002", "TYP002", "KEY001"]


def test_a_key_that_the_releases_had_or_will_have(tmp_path: Path) -> None:
    copy_in(tmp_path)
    text = FORKED.replace("loss_of_class: focal", "ray_run_name: one")
    path = tmp_path / "src/llamafactory/hparams/training_args.py"
    found = lint(text, framework="llamafactory", folder=tmp_path, select=("removed-key",))
    assert [d.due for d in found] == [True]
    path.write_text("class RayArguments:\n    ray_run_name: str = None\n", encoding="utf-8")
    assert lint(text, framework="llamafactory", folder=tmp_path) == []


def test_what_is_no_copy_says_nothing(tmp_path: Path) -> None:
    assert not copy_around(nowhere()).is_there
    folder = tmp_path / "project"
    arguments = folder / "src/llamafactory/hparams"
    arguments.mkdir(parents=True)
    (folder / ".git").mkdir()
    copy_in(tmp_path / "elsewhere")
    outside = tmp_path / "elsewhere/src/llamafactory/hparams/finetuning_args.py"
    (arguments / "linked.py").symlink_to(outside)
    (arguments / "notes.txt").write_text(ARGUMENTS, encoding="utf-8")
    (arguments / "broken.py").write_bytes(b"\xff    a: int")
    (arguments / "folder.py").mkdir()
    files = of_project(str(folder), Disk())
    copy = copy_around(Surroundings(Memory(), files, folder=str(folder)))
    assert copy.is_there
    assert not copy.has("a")
    assert not copy.has("loss_of_class")
    assert not copy.takes("stage", "cls", ["sft"])


V1_FILE = (
    "model: Qwen/Qwen3-4B\nmodel_class: llm\ntrain_dataset: data/tickets.yaml\noutput_dir: out\n"
    "optim_config:\n  name: muon\ncp_size: 2\n"
)


def v1_copy_in(folder: Path, plugin: str) -> None:
    package = folder / "src/llamafactory"
    optimizers = package / "v1/plugins/trainer_plugins/optimizers"
    for made in (package / "hparams", package / "v1/config", optimizers):
        made.mkdir(parents=True)
    (package / "v1/config/training_args.py").write_text(
        "class TrainingArguments:\n    cp_size: int = 1\n", encoding="utf-8"
    )
    (optimizers / "optimizer.py").write_text(
        f'@OptimizerPlugin("{plugin}").register()\ndef create(): ...\n', encoding="utf-8"
    )


def test_arguments_and_plugins_of_the_v1_layout(tmp_path: Path) -> None:
    def found() -> list[str]:
        return [d.code for d in lint(V1_FILE, framework="llamafactory", folder=tmp_path)]

    assert found() == ["LFV010", "KEY003"]
    v1_copy_in(tmp_path, "muon")
    assert found() == []


def test_another_plugin_does_not_count(tmp_path: Path) -> None:
    v1_copy_in(tmp_path, "lion")
    assert [d.code for d in lint(V1_FILE, framework="llamafactory", folder=tmp_path)] == ["LFV010"]


def test_a_key_of_the_main_branch_in_a_clone_of_it(tmp_path: Path) -> None:
    text = FORKED + "kt_cpu_activation: recompute\n"

    def told() -> bool:
        return "LLF157" in {d.code for d in lint(text, framework="llamafactory", folder=tmp_path)}

    assert told()
    copy_in(tmp_path)
    assert told()
    (tmp_path / "src/llamafactory/hparams/model_args.py").write_text(
        "class ModelArguments:\n    kt_cpu_activation: str = 'none'\n", encoding="utf-8"
    )
    assert not told()


def test_a_key_that_a_fork_takes_away_before_parsing(tmp_path: Path) -> None:
    text = FORKED + "evaluators: [boxes]\n"
    copy_in(tmp_path)
    (tmp_path / "src/llamafactory/train").mkdir()
    tuner = tmp_path / "src/llamafactory/train/tuner.py"
    for line, left in (('args.get("evaluators")', ["KEY001"]), ('args.pop("evaluators", 0)', [])):
        tuner.write_text(f"def run(args):\n    {line}\n", encoding="utf-8")
        found = lint(text, framework="llamafactory", folder=tmp_path)
        assert [d.code for d in found] == left


def test_a_stage_that_only_the_fork_s_tuner_compares(tmp_path: Path) -> None:
    text = FORKED.replace("stage: cls", "stage: distill")

    def refused() -> list[str]:
        return [d.code for d in lint(text, framework="llamafactory", folder=tmp_path)]

    copy_in(tmp_path)
    assert refused() == ["TYP002"]
    (tmp_path / "src/llamafactory/train").mkdir()
    tuner = tmp_path / "src/llamafactory/train/tuner.py"
    tuner.write_text('def run(a):\n    if a.stage == "distill":\n        pass\n', "utf-8")
    assert refused() == []


def test_in_a_file_with_a_key_of_the_fork_none_counts_as_missing(tmp_path: Path) -> None:
    text = FORKED.replace("model_name_or_path: Qwen/Qwen2-7B\n", "")

    def missing(text: str) -> bool:
        return "TYP004" in {d.code for d in lint(text, framework="llamafactory", folder=tmp_path)}

    assert missing(text)
    copy_in(tmp_path)
    assert not missing(text)
    assert missing(text.replace("loss_of_class: focal\n", ""))


def test_the_name_of_a_quantization_method(tmp_path: Path) -> None:
    text = FORKED.replace(
        "loss_of_class: focal", "quantization_bit: 4\nquantization_method: bitsandbytes"
    )

    def told() -> bool:
        return "LLF011" in {d.code for d in lint(text, framework="llamafactory", folder=tmp_path)}

    copy_in(tmp_path)
    assert told()
    (tmp_path / "src/llamafactory/hparams/model_args.py").write_text(
        'class M:\n    quantization_method: Literal["bitsandbytes", "hqq"] = None\n', "utf-8"
    )
    assert not told()


def in_copy(folder: Path, **sources: str) -> None:
    """Files of the package, each named `folder__module`."""
    copy_in(folder)
    for name, text in sources.items():
        path = folder / "src/llamafactory" / f"{name.replace('__', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


RENAMED = """
class CustomDPOTrainer(DPOTrainer):
    def __init__(self, finetuning_args):
        self.loss_type = finetuning_args.pref_loss
"""
BELOW = """
def dpo_loss(self):
    if self.loss_type == "ropo":
        return 0
"""


def refused(folder: Path, text: str) -> list[str]:
    found = lint(FORKED + text, framework="llamafactory", folder=folder)
    return [d.message for d in found if d.code in ("TYP001", "TYP002", "KEY001")]


def test_a_loss_that_a_vendored_trl_has_under_another_name(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    text = "pref_loss: ropo\n"
    in_copy(tmp_path, train__dpo__trainer=RENAMED)
    assert len(refused(tmp_path, text)) == 1
    trainer = tmp_path / "trl/trl/trainer/dpo_trainer.py"
    trainer.parent.mkdir(parents=True)
    trainer.write_text(BELOW, encoding="utf-8")
    assert refused(tmp_path, text) == []
    assert len(refused(tmp_path, "pref_loss: ripo\n")) == 1
    (tmp_path / "src/llamafactory/train/dpo/trainer.py").unlink()
    assert len(refused(tmp_path, text)) == 1


@pytest.mark.parametrize(
    "source",
    [
        'if args.pref_loss == "ropo":\n    pass\n',
        'if args.pref_loss in ("ipo2", "ropo"):\n    pass\n',
        'if args.get("pref_loss") == "ropo":\n    pass\n',
        'match args.pref_loss:\n    case "ropo" | "other":\n        pass\n',
        'LOSSES = {"sigmoid": one, "ropo": two}\n',
        'LOSSES = ["sigmoid", "ropo"]\n',
        'class Loss(Enum):\n    A = "sigmoid"\n    B = "ropo"\n',
        'class More:\n    pref_loss: Optional[Literal["ropo"]] = None\n',
        'register_pref_loss("ropo")\n',
        'if args.pref_loss == "ropo"\n',
    ],
)
def test_words_of_a_copy(tmp_path: Path, source: str) -> None:
    in_copy(tmp_path, hparams__more=source)
    assert refused(tmp_path, "pref_loss: ropo\n") == []


@pytest.mark.parametrize(
    "source",
    [
        'if args.template == "ropo":\n    pass\n',
        'LOSSES = ["one", "ropo"]\n',
        'def f(loss: Literal["sigmoid", "ropo"]): ...\n',
        'class More:\n    template: Optional[Literal["ropo"]] = None\n',
        'register_template("ropo")\n',
        '"""How to use "ropo"."""\n',
    ],
)
def test_the_words_of_something_else_do_not_count(tmp_path: Path, source: str) -> None:
    in_copy(tmp_path, hparams__more=source)
    assert len(refused(tmp_path, "pref_loss: ropo\n")) == 1


def test_an_argument_of_another_type(tmp_path: Path) -> None:
    text = "warmup_steps: [1, 2]\n"
    in_copy(tmp_path)
    assert len(refused(tmp_path, text)) == 1
    path = tmp_path / "src/llamafactory/hparams/more.py"
    for annotation, left in (("int", 1), ("Union[int, List[int]]", 0), ("int | list[int]", 0)):
        path.write_text(f"class More:\n    warmup_steps: {annotation} = 0\n", "utf-8")
        assert len(refused(tmp_path, text)) == left


def test_an_invented_key_in_the_project_of_a_fork(tmp_path: Path) -> None:
    in_copy(tmp_path, hparams__more="class More:\n    first_layer: int = 0\n")
    (message,) = refused(tmp_path, "first_layer: 1\nlast_layer: 2\n")
    assert "last_layer" in message


LISTED = (
    '{"first": {"file_name": "first.json", "formatting": "la_align", "columns": {"messages": "q"}}}'
)


def of_list(folder: Path) -> list[str]:
    (folder / "data").mkdir(exist_ok=True)
    (folder / "data/first.json").write_text('[{"question": 1}]', encoding="utf-8")
    path = folder / "data/dataset_info.json"
    path.write_text(LISTED, encoding="utf-8")
    text = FORKED.replace("tickets\ntemplate", "first\ntemplate")
    found = lint(text, framework="llamafactory", folder=folder)
    return [d.code for d in found if d.code.startswith("LLF2")]


def test_a_format_of_datasets_that_a_copy_converts(tmp_path: Path) -> None:
    in_copy(tmp_path)
    assert of_list(tmp_path) == ["LLF201", "LLF205"]
    aligner = tmp_path / "src/llamafactory/data/aligner.py"
    aligner.write_text('if attr.formatting == "la_align":\n    pass\n', encoding="utf-8")
    assert of_list(tmp_path) == []
    aligner.write_text('CONVERTERS = {"alpaca": one, "la_align": two}\n', encoding="utf-8")
    assert of_list(tmp_path) == []


def test_in_a_file_with_a_key_of_the_fork_its_data_may_come_from_elsewhere(tmp_path: Path) -> None:
    text = FORKED + "eval_strategy: steps\neval_steps: 10\n"

    def found(text: str) -> bool:
        return "LLF041" in {d.code for d in lint(text, framework="llamafactory", folder=tmp_path)}

    assert found(text)
    in_copy(tmp_path)
    assert not found(text)
    assert found(text.replace("loss_of_class: focal\n", ""))


def test_a_key_that_a_copy_has_a_default_for(tmp_path: Path) -> None:
    text = FORKED.replace("model_name_or_path: Qwen/Qwen2-7B\n", "").replace(
        "loss_of_class: focal\n", ""
    )

    def missing() -> bool:
        return "TYP004" in {d.code for d in lint(text, framework="llamafactory", folder=tmp_path)}

    in_copy(tmp_path)
    for source, left in (
        ("model_name_or_path: str = field(metadata={})", True),
        ("model_name_or_path: Optional[str] = field(default=None)", False),
        ("model_name_or_path: str = 'a/b'", False),
        (
            "model_name_or_path: Optional[str] = field(default=None)\n"
            "    error = 'Please provide `model_name_or_path`.'",
            True,
        ),
    ):
        path = tmp_path / "src/llamafactory/hparams/model_args.py"
        path.write_text(f"class M:\n    {source}\n", encoding="utf-8")
        assert missing() == left


@pytest.mark.parametrize(
    "source",
    [
        "class More:\n    a: " + " | ".join(["int"] * 900) + " = 0\n",
        "class More:\n    a: " + "Optional[" * 90 + "int" + "]" * 90 + " = 0\n",
        "f" + "()" * 900 + ' == "ropo"\n',
        "[" * 90 + '"ropo"' + "]" * 90 + "\n",
        "(" * 5_000 + '"ropo"\n',
    ],
)
def test_deep_sources(tmp_path: Path, source: str) -> None:
    in_copy(tmp_path, hparams__more=source)
    found = lint(FORKED + "pref_loss: ropo\na: [b]\n", framework="llamafactory", folder=tmp_path)
    assert "CFG003" not in [d.code for d in found]


@pytest.mark.parametrize("literal", ['Literal["pt", "sft", "rm", "ampo"]', "str"])
def test_the_words_of_a_copy_are_the_valid_ones(tmp_path: Path, literal: str) -> None:
    (tmp_path / ".git").mkdir()
    copy_in(tmp_path)
    arguments = tmp_path / "src/llamafactory/hparams/finetuning_args.py"
    arguments.write_text(f"class FinetuningArguments:\n    stage: {literal} = 'sft'\n", "utf-8")
    text = FORKED.replace("stage: cls", "stage: rampo").replace("loss_of_class: focal\n", "")
    found = lint(text, framework="llamafactory", folder=tmp_path)
    (one,) = (one for one in found if one.code == "TYP002")
    is_listed = literal != "str"
    expected = "ampo, pt, rm or sft. Did you mean `ampo`?" if is_listed else "dpo, ppo, pt, rm, sft"
    assert expected in one.message
    assert ("Write ampo" in [fix.title for fix in one.fixes]) is is_listed

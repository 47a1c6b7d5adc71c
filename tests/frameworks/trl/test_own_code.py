"""Whether a program whose classes extend TRL's reads a file, and what it has."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cfglint import lint_file
from cfglint.checks.context import CheckContext
from cfglint.checks.written_keys import file_keys
from cfglint.frameworks.trl.own_code import TrlOwnCode
from cfglint.roles.key_policy import WrittenKey
from tests.draws import each
from tests.linting import case_in

RECIPE = "model_name_or_path: a/b\ndataset_name: c\noutput_dir: o\nloss_type: ranked\n"
HEAD = "from dataclasses import dataclass\nfrom trl import ModelConfig, SFTConfig, SFTTrainer, TrlParser\n"
CLASS = "@dataclass\nclass Own(SFTConfig):\n    keep_ranks: int = 1\n    other_ranks: int = 1\n"
PARSES = "(args, _) = TrlParser((Own, ModelConfig)).parse_args_and_config()\nSFTTrainer(args=args).train()\n"
PROGRAM = HEAD + CLASS + PARSES


def contexts(
    lines: str, program: str = PROGRAM, *, name: str = "recipe.yaml", text: str = RECIPE
) -> tuple[CheckContext, TrlOwnCode]:
    files = {".git/HEAD": "", "train.py": program, "requirements.txt": "trl==0.24.0\n"}
    case, source = case_in(files, text + lines, name=name, framework="trl")
    language = case.framework.parsing.language_for(source.text, case.target, case.around)
    ctx = CheckContext(language.read(source), case.framework, case.target, case.around)
    own = case.framework.own_code
    assert isinstance(own, TrlOwnCode)
    return ctx, own


def key(ctx: CheckContext, name: str) -> WrittenKey:
    entry = ctx.document.entry((name,))
    assert entry is not None
    info = ctx.framework.keys.info("", name)
    return WrittenKey("", (name,), entry, name, info, ctx.document.root)


@each(
    ("lines", "program", "has", "lacks"),
    [
        ("keep_ranks: 2\n", PROGRAM, True, False),
        ("keep_rank: 2\n", PROGRAM, False, False),
        ("keep_rank: 2\nkeep_ranks: 1\n", PROGRAM, False, True),
        ("keep_ranks: 2\n", "", False, False),
        ("keep_rank: 2\n", "", False, False),
        # A key of the release that the classes need not have.
        ("learning_rate: 2\n", PROGRAM, False, False),
        # Most of the strange keys are of no class: another program reads the file.
        ("keep_rank: 2\nb_b: 1\nc_c: 1\n", PROGRAM, False, False),
        ("keep_rank: 2\nkeep_ranks: 1\nother_ranks: 1\n", PROGRAM, False, True),
    ],
)
def test_keys_of_classes(lines: str, program: str, has: bool, lacks: bool) -> None:
    ctx, own = contexts(lines, program)
    first = key(ctx, lines.partition(":")[0])
    assert (own.has(first, ctx), own.lacks(first, ctx)) == (has, lacks)


def test_a_word_that_a_program_compares() -> None:
    program = PROGRAM + 'if args.loss_type == "ranked":\n    pass\n'
    ctx, own = contexts("", program)
    assert own.has(key(ctx, "loss_type"), ctx)
    ctx, own = contexts("", program.replace("ranked", "sorted"))
    assert not own.has(key(ctx, "loss_type"), ctx)


@each(
    ("program", "expected"),
    [
        (PROGRAM, True),
        ("from trl import SFTTrainer\n", False),
        ("", False),
    ],
)
def test_programs_that_parse(program: str, expected: bool) -> None:
    ctx, own = contexts("", program)
    assert own.is_there(ctx) is expected
    assert own.is_script(ctx) is expected
    assert not own.reads(ctx.document)


def test_scripts_start_what_trl_has() -> None:
    text = "trl sft --model_name_or_path a/b --dataset_name c --output_dir o --keep_ranks 2\n"
    ctx, own = contexts("", name="run.sh", text=text)
    assert ctx.framework.in_scripts
    assert not own.reads(ctx.document)
    asked: list[Any] = [own.is_there(ctx), own.is_strict(ctx), own.is_loaded(ctx)]
    for one in file_keys(ctx).unknown:
        asked += [own.has(one, ctx), own.lacks(one, ctx), own.may_have(one, ctx)]
    assert asked == [False] * len(asked)


def test_loaders_that_name_most_keys() -> None:
    names = ("model_name_or_path", "dataset_name", "output_dir", "loss_type")
    reads = "".join(f'cfg["{name}"]\n' for name in names)
    loader = f"import yaml\ncfg = yaml.safe_load(open(path))\n{reads}"
    ctx, own = contexts("", loader)
    assert own.is_loaded(ctx)
    ctx, own = contexts("", loader[: loader.index('cfg["dataset_name')])
    assert not own.is_loaded(ctx)


_PROGRAM = """
from dataclasses import dataclass
from trl import GRPOConfig, GRPOTrainer, TrlParser

@dataclass
class Ours{base}:
    learning_rate: float
    num_generations: int
    max_completion_length: int
    beta: float
    output_dir: str
    report_to: str
    per_device_train_batch_size: int
    eval_strategy: str = None

args = TrlParser(dataclass_types=[Ours]).parse_args_and_config()[0]
config = GRPOConfig(learning_rate=args.learning_rate, eval_strategy={strategy})
"""


@pytest.mark.parametrize(
    ("base", "strategy", "expected"),
    [
        ("", '"no"', []),
        ("", "args.eval_strategy", ["YML023"]),
        ("(GRPOConfig)", '"no"', ["YML023"]),
    ],
)
def test_a_word_for_a_field_that_the_program_makes_nothing_of(
    base: str, strategy: str, expected: list[str], tmp_path: Path
) -> None:
    (tmp_path / ".git").mkdir()
    program = _PROGRAM.format(base=base, strategy=strategy)
    (tmp_path / "train.py").write_text(program, encoding="utf-8")
    (tmp_path / "run.sh").write_text("python train.py --config grpo.yaml\n", encoding="utf-8")
    config = tmp_path / "grpo.yaml"
    config.write_text(
        "learning_rate: 1.0e-6\nnum_generations: 8\nmax_completion_length: 8\nbeta: 0.0\noutput_dir: out\n"
        "report_to: wandb\nper_device_train_batch_size: 8\neval_strategy: no\n",
        "utf-8",
    )
    found = lint_file(config, target=["trl==0.16.0"]).diagnostics
    assert [one.code for one in found if one.code.startswith("YML")] == expected

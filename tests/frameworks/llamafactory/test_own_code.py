"""What the project's own code says against a finding: copies, programs of its own, older releases."""

from __future__ import annotations

from collections.abc import Mapping

from tests.draws import each
from tests.linting import lint_in

CONFIG = (
    "model_name_or_path: Qwen/Qwen3-8B\ntemplate: qwen3\nstage: sft\ndo_train: true\n"
    "finetuning_type: lora\ndataset: one\ncutoff_len: 2048\noutput_dir: ./out\n"
)
SCRIPT = (
    "python src/train.py --model_name_or_path Qwen/Qwen3-8B --template qwen3 --stage sft --do_train"
    " --finetuning_type lora --dataset one --cutoff_len 2048 --output_dir out "
)


def codes(words: str, files: Mapping[str, str], release: str = "") -> list[str]:
    """What is found in a file with further lines, or in a script with further options."""
    is_script = words.startswith("--")
    target = (f"llamafactory=={release}",) if release else ()
    found = lint_in(
        {".git/HEAD": "", **files},
        f"{SCRIPT}{words}\n" if is_script else f"{CONFIG}{words}\n",
        name="run.sh" if is_script else "train.yaml",
        framework="llamafactory",
        target=target,
    )
    return sorted({one.code for one in found if one.severity != "note"})


COPY = {
    "src/llamafactory/__init__.py": "",
    "src/llamafactory/hparams/finetuning_args.py": (
        "@dataclass\nclass FinetuningArguments:\n    own_rank: int = 3\n"
        "    pref_loss: Literal['sigmoid', 'mine'] = 'sigmoid'\n    cutoff_len: Optional[str] = None\n"
    ),
    "src/llamafactory/hparams/parser.py": "x = 1\n",
    "src/llamafactory/model/loader.py": "if finetuning_args.finetuning_type == 'own': pass\n",
    "src/llamafactory/train/tuner.py": "x = 1\n",
}
EXTENDED = {
    "mine.py": "from llamafactory.hparams import DataArguments\nclass Mine(DataArguments):\n    own_rank: int = 1\n"
}
READER = {
    "other.py": "import yaml\nc = yaml.safe_load(open('train.yaml'))\nprint(c['own_rank'], c['stage'])\n"
}
OWN_PROGRAM = {
    "src/train.py": "import argparse\np = argparse.ArgumentParser()\np.add_argument('--own_rank')\n"
}
SHIPPED_PROGRAM = {"src/train.py": "from llamafactory.train.tuner import run_exp\nrun_exp()\n"}


@each(
    ("words", "files", "release", "expected"),
    [
        ("own_rank: 1", {}, "0.9.3", ["KEY001"]),
        ("own_rank: 1", COPY, "", []),
        ("own_rank: 1", COPY, "0.9.3", ["KEY001"]),
        ("other_rank: 1", COPY, "", ["KEY001"]),
        ("own_rank: 1", EXTENDED, "0.9.3", []),
        ("own_rank: 1", READER, "0.9.3", ["KEY001"]),
        ("other_rank: 1", READER, "0.9.3", ["KEY001"]),
        ("pref_loss: mine", {}, "0.9.3", ["TYP002"]),
        ("pref_loss: mine", COPY, "", []),
        ("pref_loss: other", COPY, "", ["TYP002"]),
        ("finetuning_type: own", {}, "0.9.3", ["TYP002"]),
        ("finetuning_type: own", COPY, "", ["YML013"]),
        ("--own_rank 1", {}, "0.9.3", ["KEY001"]),
        ("--own_rank 1", COPY, "", []),
        ("--own_rank 1", OWN_PROGRAM, "0.9.3", []),
        ("--own_rank 1", SHIPPED_PROGRAM, "0.9.3", ["KEY001"]),
        ("--lora_rank x", OWN_PROGRAM, "0.9.3", []),
        ("--lora_rank x", SHIPPED_PROGRAM, "0.9.3", ["TYP001"]),
        ("--max_source_length 512", {}, "0.9.3", ["KEY001"]),
        ("--max_source_length 512", {}, "", ["KEY001"]),
        ("--flash_attn", {}, "", ["LCH812"]),
        ("--flash_attn", {}, "0.9.3", ["LCH812"]),
        ("--lora_rnk 8 --max_source_length 512", {}, "", ["KEY001"]),
    ],
)
def test_findings(words: str, files: Mapping[str, str], release: str, expected: list[str]) -> None:
    assert codes(words, files, release) == expected


@each(
    ("words", "expected"),
    [
        ("--lora_rnk 8", ["KEY001"]),
        ("--lora_rank 8", []),
        # Options of releases before the known ones, and what was a switch then.
        ("--max_source_length 512", []),
        ("--flash_attn", []),
    ],
)
def test_a_program_of_older_releases(words: str, expected: list[str]) -> None:
    script = SCRIPT.replace("src/train.py", "src/train_bash.py")
    found = lint_in({}, f"{script}{words}\n", name="run.sh", framework="llamafactory")
    own = [
        one
        for one in found
        if one.severity != "note" and words.split(maxsplit=1)[0][2:] in one.path
    ]
    assert [one.code for one in own] == expected

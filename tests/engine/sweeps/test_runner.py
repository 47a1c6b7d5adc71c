"""A run with a sweep file: what is reported, where, and what silences it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from cfglint.engine.case import Case
from cfglint.engine.settings.selection import Selection
from cfglint.engine.sweeps.runner import sweep_findings
from cfglint.environment.surroundings import nowhere
from cfglint.roles.framework import load_framework
from cfglint.runs.settings.sweeps import sweep_from_bytes
from cfglint.source.languages.yaml import compose
from cfglint.source.text import SourceText
from tests.cli.running import run
from tests.draws import each
from tests.engine.sweeps.test_combinations import CONFIG
from tests.linting import environment

SWEEP = """\
# what we vary
_:
  - adapter: qlora
    load_in_8bit: true
    lora_r: 16
    lora_alpha: 32
    lora_target_linear: true
  - num_epochs: 2
optimzer: [adamw_torch, sgd]
warmup_steps:
  - 0
  - 10
"""
TRAIN = CONFIG + "warmup_ratio: 0.1\n"

TEXT = """\
sweep.yml:4:19  error  PEF102 qlora-in-8bit
  `adapter: qlora` means a base in 4 bits; with `load_in_8bit` Axolotl refuses it. Use
  `load_in_4bit: true`, or `adapter: lora` for a base in 8 bits. With `adapter: qlora` and
  `load_in_8bit: true`, in 4 of 8 combinations.
  3 │   - adapter: qlora
    │              ----- beside this `adapter`
  4 │     load_in_8bit: true
    │                   ^^^^
    cost: the run does not start, with an error that names neither key nor line

sweep.yml:12:5  error  OPT104 two-warm-ups
  `warmup_steps` and `warmup_ratio` both set the length of the warm-up and cannot be combined. Keep
  one of them. With `warmup_steps: 10`, in 4 of 8 combinations (train.yml, line 13).
  12 │   - 10
     │     ^^
     cost: the run does not start (Axolotl refuses it)

sweep.yml:9:1  error  KEY001 unknown-key
  No release of Axolotl has a key `optimzer` at the top level; Axolotl silently ignores it. Did you
  mean `optimizer`? That is set as well. In all 8 combinations.
  9 │ optimzer: [adamw_torch, sgd]
    │ ^^^^^^^^
    cost: the setting has no effect; the default is used instead

3 errors in 2 files · checked for axolotl 0.21.0 (the newest known)
`cfglint explain CODE` says why, with the evidence.
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("train.yml").write_text(TRAIN)
    Path("sweep.yml").write_text(SWEEP)
    return tmp_path


def concise(*arguments: str, stdin: bytes = b"") -> list[str]:
    result = run(*arguments, "--format", "concise", stdin=stdin)
    assert result.err == ""
    return [line.partition(" ")[0] + line.split(" ")[2] for line in result.out.splitlines()]


def test_the_text_that_people_read() -> None:
    select = ("--select", "PEF102,KEY,OPT104,SWP")
    result = run("train.yml", "--sweep", "sweep.yml", *select)
    assert (result.out, result.code) == (TEXT, 1)


def test_every_format_has_the_path_and_the_line() -> None:
    arguments = ("train.yml", "--sweep", "sweep.yml", "--select", "OPT104")
    assert concise(*arguments) == ["sweep.yml:12:5:OPT104"]
    report = json.loads(run(*arguments, "--format", "json").out)
    config, sweep = report["files"]
    assert (config["path"], config["diagnostics"]) == ("train.yml", [])
    assert (sweep["path"], sweep["framework"]) == ("sweep.yml", None)
    (found,) = sweep["diagnostics"]
    assert found["path"] == ["warmup_steps", 1]
    assert found["range"]["start"] == {"line": 12, "column": 5, "offset": SWEEP.index("10\n")}
    assert found["fixes"] == []
    assert "file=sweep.yml,line=12,endLine=12,col=5" in run(*arguments, "--format", "github").out
    assert "sweep.yml:12" in run(*arguments, "--format", "markdown").out
    assert "in 1 file " in run(*arguments, "--statistics").out


def test_paths_lead_into_the_sweep_file() -> None:
    run_ = run("train.yml", "--sweep", "sweep.yml", "--select", "PEF102,KEY001", "--format", "json")
    paths = [found["path"] for found in json.loads(run_.out)["files"][1]["diagnostics"]]
    assert paths == [["_", 0, "load_in_8bit"], ["optimzer"]]


def test_each_config_gets_the_sweep_and_the_same_finding_is_one() -> None:
    Path("other.yml").write_text(CONFIG)
    arguments = ("train.yml", "other.yml", "--sweep", "sweep.yml", "--select", "KEY001,OPT104")
    assert concise(*arguments) == ["sweep.yml:9:1:KEY001", "sweep.yml:12:5:OPT104"]


def test_configs_of_a_folder_and_not_the_sweep_itself() -> None:
    Path("runs").mkdir()
    Path("runs/a.yml").write_text(TRAIN)
    looks_like_a_config = "base_model: [a/b]\nsequence_len: [1]\nmicro_batch_size: 1\nadapter: x\n"
    Path("runs/sweep.yml").write_text(looks_like_a_config)
    assert "runs/sweep.yml:3:1:SWP002" in concise("runs", "--sweep", "runs/sweep.yml")
    assert all("TYP004" not in line for line in concise("runs", "--sweep", "runs/sweep.yml"))
    Path("runs/sweep.yml").write_text(
        "base_model: [a/b]\nsequence_len: [1]\nmicro_batch_size: [1]\n"
    )
    assert concise("runs", "--select", "TYP") == []


def test_standard_input() -> None:
    found = concise("-", "--sweep", "sweep.yml", "--select", "OPT104", stdin=TRAIN.encode())
    assert found == ["sweep.yml:12:5:OPT104"]


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("missing.yml", "No such file or directory"),
        (".", "Is a directory"),
        ("a\0b", "not a valid path"),
    ],
)
def test_a_sweep_file_that_is_not_there(path: str, why: str) -> None:
    result = run("train.yml", f"--sweep={path}")
    assert (result.code, result.out) == (2, "")
    assert result.err.endswith(f"cannot be read: {why}\n")


def test_a_sweep_file_that_cannot_be_read_is_a_finding() -> None:
    Path("sweep.yml").write_text("a: [1\nb: ]\n")
    assert [line[-6:] for line in concise("train.yml", "--sweep", "sweep.yml")] == ["SWP001"]
    Path("sweep.yml").write_bytes(b"\xff\xfe\x00")
    assert [line[-6:] for line in concise("train.yml", "--sweep", "sweep.yml")] == ["SWP001"]


def test_a_config_that_cannot_be_read_leaves_the_sweep_file() -> None:
    Path("train.yml").write_text("base_model: [\n")
    Path("sweep.yml").write_text("a: 1\n")
    found = concise("train.yml", "--sweep", "sweep.yml", "--target", "axolotl==0.18.0")
    assert [line[-6:] for line in found] == ["YML001", "SWP002"]


def test_fixes_are_made_in_the_config_only() -> None:
    Path("train.yml").write_text(TRAIN + "eval_table_max_new_tokens: 256\n")
    result = run("train.yml", "--sweep", "sweep.yml", "--fix", "--unsafe-fixes")
    assert "optimzer" in result.out
    assert Path("sweep.yml").read_text() == SWEEP
    assert "eval_table_max_new_tokens" not in Path("train.yml").read_text()
    assert run("train.yml", "--sweep", "sweep.yml", "--diff").out == ""


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("sweep.yml", "  - 10\n", "  - 10  # cfglint: ignore[OPT104] on purpose\n"),
        ("sweep.yml", "  - 10\n", "  # cfglint: ignore[two-warm-ups]\n  - 10\n"),
        ("sweep.yml", "# what we vary", "# cfglint: ignore-file[OPT104]"),
        ("train.yml", "warmup_ratio: 0.1", "warmup_ratio: 0.1  # cfglint: ignore[OPT104]"),
        ("train.yml", "base_model", "# cfglint: ignore-file[OPT104]\nbase_model"),
    ],
)
def test_comments_of_both_files_silence(file: str, old: str, new: str) -> None:
    text = Path(file).read_text()
    assert old in text
    Path(file).write_text(text.replace(old, new))
    result = run("train.yml", "--sweep", "sweep.yml", "--select", "OPT104")
    assert "OPT104" not in result.out
    assert "1 finding suppressed by comments." in result.out


def test_comments_elsewhere_do_not() -> None:
    Path("sweep.yml").write_text(SWEEP.replace("  - 0\n", "  - 0  # cfglint: ignore[OPT104]\n"))
    assert concise("train.yml", "--sweep", "sweep.yml", "--select", "OPT104") != []


def test_what_only_a_file_of_a_combination_says_is_reported_there() -> None:
    Path(".git").mkdir()
    settings = '{"zero_optimization": {"stage": %d}, "gradient_clipping": "auto"}\n'
    Path("good.json").write_text(settings % 2)
    Path("bad.json").write_text(settings % 3)
    Path("sweep.yml").write_text("deepspeed: [good.json, bad.json]\nseed: [1, 2]\n")
    result = run("train.yml", "--sweep", "sweep.yml", "--select", "DST554", "--format", "concise")
    assert result.out.startswith("bad.json:1:")
    assert result.out.endswith("With `deepspeed: bad.json`, in 2 of 4 combinations.\n")


def test_ends_of_the_report(capsys: pytest.CaptureFixture[str]) -> None:
    Path("sweep.yml").write_text("learning_rate: [0.00002, 0.00001]\n")
    Path("train.yml").write_text(CONFIG)
    result = run("train.yml", "--sweep", "sweep.yml")
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith("No problems in 1 file")


@pytest.mark.parametrize("release", ["0.7.0", "0.9.2", "0.12.2", "0.13.0", "0.21.0"])
def test_releases_that_overwrite(release: str) -> None:
    Path("sweep.yml").write_text("learning_rate: [0.00002, 0.00001]\n")
    found = concise("train.yml", "--sweep", "sweep.yml", "--target", f"axolotl=={release}")
    overwrites = ["sweep.yml:1:1:SAV380"] if release in ("0.7.0", "0.9.2", "0.12.2") else []
    assert [line for line in found if "SAV380" in line] == overwrites


def test_many_configs_in_workers() -> None:
    Path("many").mkdir()
    for number in range(70):
        Path(f"many/{number}.yml").write_text(TRAIN)
    found: Any = concise("many", "--sweep", "sweep.yml", "--select", "KEY001")
    assert found == ["sweep.yml:9:1:KEY001"]


def test_hostile_words_are_shown_escaped() -> None:
    Path("sweep.yml").write_text('output_dirr: ["\\u202Ex", "::error::y"]\nseed: ["\x1b[31m"]\n')
    for format_ in ("text", "concise", "github", "json", "markdown"):
        result = run("train.yml", "--sweep", "sweep.yml", "--format", format_)
        assert "\x1b" not in result.out
        assert "\u202e" not in result.out
        assert not any(line.startswith("::error::y") for line in result.out.splitlines())


CUT = ("seed", "warmup_steps", "lora_r", "lora_alpha", "max_steps", "logging_steps")
BASE = """\
base_model: NousResearch/Llama-3.2-1B
datasets:
  - path: acme/support-tickets
    type: alpaca
sequence_len: 2048
micro_batch_size: 1
gradient_accumulation_steps: 4
num_epochs: 1
learning_rate: 0.00001
output_dir: ./out
"""
WARM = f"{BASE}warmup_ratio: 0.1\n"


def told(sweep: str, config: str | None) -> tuple[list[str], int]:
    """Code, path, the marked words, the last words of the message and other places; and how many are silenced."""
    axolotl = load_framework("axolotl")
    selection = Selection(("OPT104", "KEY001", "TYP001", "SWP"))
    case = Case(axolotl, environment(), nowhere(), selection)
    file = sweep_from_bytes("/sweep.yml", sweep.encode())
    document = None if config is None else compose(SourceText(config))
    found = sweep_findings(file, document, case, config_path="train.yml")
    lines = []
    for one in found.diagnostics:
        assert one.file is not None
        text, path = one.file.source.text, ".".join(map(str, one.path))
        words = re.split(r"(?<=[.?`]) (?=With |In )", one.message)[-1]
        also = [f"{place.note}: {text[place.span.start : place.span.end]}" for place in one.related]
        marked = text[one.span.start : one.span.end]
        lines.append(" | ".join([f"{one.code} {path}", marked, words, *also]))
    return lines, found.suppressed


@each(
    ("sweep", "config", "expected", "silenced"),
    [
        (
            "warmup_steps: [0, 10]\n",
            WARM,
            [
                "OPT104 warmup_steps.1 | 10 | With `warmup_steps: 10`, in 1 of 2 combinations (train.yml, line 11)."
            ],
            0,
        ),
        (
            "warmup_steps: [10]\n",
            WARM,
            [
                "OPT104 warmup_steps.0 | 10 | With `warmup_steps: 10`, in the only combination (train.yml, line 11)."
            ],
            0,
        ),
        (
            "warmup_steps: [10, 20]\nlearning_rate: [1.0, 2.0]\n",
            WARM,
            [
                "OPT104 warmup_steps | warmup_steps | With any `warmup_steps`, in all 4 combinations (train.yml, line 11). | sets the same, in steps: 10"
            ],
            0,
        ),
        (
            "warmup_steps: [10, null]\nwarmup_ratio: [0.1, null]\n",
            BASE,
            [
                "OPT104 warmup_ratio.0 | 0.1 | With `warmup_steps: 10` and `warmup_ratio: 0.1`, in 1 of 4 combinations. | beside this `warmup_steps`: 10"
            ],
            0,
        ),
        (
            "lerning_rate: [1.0, 2.0]\n",
            BASE,
            ["KEY001 lerning_rate | lerning_rate | In all 2 combinations."],
            0,
        ),
        (
            "micro_batch_size: [1, two]\n",
            BASE,
            [
                "TYP001 micro_batch_size.1 | two | With `micro_batch_size: two`, in 1 of 2 combinations."
            ],
            0,
        ),
        (
            "micro_batch_size: [one, two]\nseed: [1, 2]\n",
            BASE,
            [
                "TYP001 micro_batch_size.0 | one | With `micro_batch_size: one`, in 2 of 4 combinations.",
                "TYP001 micro_batch_size.1 | two | With `micro_batch_size: two`, in 2 of 4 combinations.",
            ],
            0,
        ),
        (
            "_:\n  - micro_batch_size: two\n    seed: 1\n  - seed: 2\n",
            BASE,
            [
                "TYP001 _.0.micro_batch_size | two | With `micro_batch_size: two`, in 1 of 2 combinations."
            ],
            0,
        ),
        (
            "seed: 1\n",
            BASE,
            [
                "SWP002 seed | seed: 1 | `seed` in a sweep file expects a list of values but got the single value `1`: the command fails with a TypeError. Put the value in brackets."
            ],
            0,
        ),
        (
            "seed: 1\n",
            None,
            [
                "SWP002 seed | seed: 1 | `seed` in a sweep file expects a list of values but got the single value `1`: the command fails with a TypeError. Put the value in brackets."
            ],
            0,
        ),
        (
            "a: [1\n",
            BASE,
            [
                "SWP001  | [1 | The sweep file cannot be used. The [ that opens here is never closed: write the ] after its last item."
            ],
            0,
        ),
        ("seed: [1, 2]\n", BASE, [], 0),
        ("warmup_steps: [10]  # cfglint: ignore[OPT104] on purpose\n", WARM, [], 1),
        (
            "warmup_steps: [10]  # cfglint: ignore[KEY] on purpose\n",
            WARM,
            [
                "OPT104 warmup_steps.0 | 10 | With `warmup_steps: 10`, in the only combination (train.yml, line 11)."
            ],
            0,
        ),
        (
            "datasets:\n  - - path: a\n      type: alpaca\n      nothing: 1\n  - - path: b\n      type: alpaca\n",
            BASE,
            [
                "KEY001 datasets.0.0.nothing | nothing | With the `datasets` of line 2, in 1 of 2 combinations."
            ],
            0,
        ),
        (
            "micro_batch_size: [xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx, 2]\n",
            BASE,
            [
                "TYP001 micro_batch_size.0 | xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx | With `micro_batch_size: xxxxxxxxxxxxxxxxxxxxx…`, in 1 of 2 combinations."
            ],
            0,
        ),
    ],
)
def test_in_which_combinations(
    sweep: str, config: str | None, expected: list[str], silenced: int
) -> None:
    assert told(sweep, config) == (expected, silenced)


def test_a_sweep_that_is_too_large() -> None:
    lines = [f"{name}: [{', '.join(map(str, range(9)))}]" for name in CUT]
    found, _ = told("\n".join(lines), WARM)
    assert found[0].startswith("SWP010  | seed | ")
    assert (
        " of 531,441 combinations were checked; each value is in at least one of them." in found[0]
    )
    assert len(found) == 9
    assert all("combinations that were checked (train.yml, line 11)." in one for one in found[1:])
    wide = [f"lora_{number}: [{', '.join(map(str, range(500)))}]" for number in range(5)]
    found, _ = told("\n".join(wide), WARM)
    assert any("of more than 10¹² combinations" in one for one in found)
    assert any("not every value of `lora_" in one for one in found)

"""What a command or a script names."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint.answers.preflight.launched import Launched, of_command, of_path
from cfglint.engine.session import RunError
from cfglint.source.files.disk import Disk

ACCELERATE = "accelerate launch --config_file acc.yaml train.py --config x.yaml"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("acc.yaml", "x.yaml", "train.py", "ds.json"):
        (tmp_path / name).write_text("")
    return tmp_path


def command(text: str) -> Launched:
    return of_command(text.split(), Disk())


def rows(launched: Launched) -> list[tuple[str, str, str]]:
    """(path, role, framework) of the files of a run."""
    return [(part.path, part.role, part.framework) for part in launched.parts]


def test_the_settings_the_program_and_its_config() -> None:
    assert rows(command(ACCELERATE)) == [
        ("command-line.sh", "command", ""),
        ("acc.yaml", "launcher settings", "accelerate"),
        ("train.py", "program", ""),
        ("x.yaml", "file", ""),
    ]
    assert [part.by for part in command(ACCELERATE).parts] == [
        "",
        "accelerate",
        "accelerate",
        "train.py",
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("trl sft --config x.yaml", ("x.yaml", "config", "trl")),
        ("env A=1 axolotl train x.yaml --lora-r 8", ("x.yaml", "config", "axolotl")),
        ("llamafactory-cli train x.yaml", ("x.yaml", "config", "llamafactory")),
        ("accelerate launch -m axolotl.cli.train x.yaml", ("x.yaml", "config", "axolotl")),
        ("python train.py --config=x.yaml", ("train.py", "program", "")),
        ("deepspeed train.py --deepspeed=ds.json", ("train.py", "program", "")),
    ],
)
def test_what_reads_a_file(text: str, found: tuple[str, str, str]) -> None:
    assert rows(command(text))[1] == found


@pytest.mark.parametrize(
    "text", ["python train.py --config=x.yaml", "deepspeed train.py --deepspeed=ds.json"]
)
def test_the_files_that_a_program_is_given(text: str) -> None:
    assert rows(command(text))[2][1:] == ("file", "")


@pytest.mark.parametrize(
    ("text", "path", "fails"),
    [
        ("trl sft --config no.yaml", "no.yaml", True),
        ("axolotl train /no/no.yaml", "/no/no.yaml", False),
        ("axolotl train https://example.com/no.yaml", "https://example.com/no.yaml", False),
        ("torchrun --nproc_per_node=8 src/train.py --a b", "src/train.py", True),
    ],
)
def test_a_file_that_is_missing(text: str, path: str, fails: bool) -> None:
    (part,) = command(text).parts[1:]
    assert (part.path, part.fails, bool(part.missing)) == (path, fails, True)


def test_the_value_of_an_option_is_no_program() -> None:
    assert rows(command("mytool --out no.py")) == [("command-line.sh", "command", "")]


def test_a_script_of_that_name_is_not_replaced(here: Path) -> None:
    (here / "command-line.sh").write_text("echo\n")
    launched = command("trl sft --config x.yaml")
    assert launched.parts[0].path == "command-line-2.sh"
    assert [path for path, _ in launched.texts] == [str(here / "command-line-2.sh")]


def test_a_script(here: Path) -> None:
    (here / "jobs").mkdir()
    (here / "jobs" / "run.sh").write_text(f"# trl sft --config ds.json\n{ACCELERATE} $1\n")
    for launched in (of_path("jobs/run.sh", Disk()), command("bash jobs/run.sh y.yaml")):
        assert rows(launched) == [
            ("jobs/run.sh", "script", ""),
            ("acc.yaml", "launcher settings", "accelerate"),
            ("train.py", "program", ""),
            ("x.yaml", "file", ""),
        ]
        assert launched.script == str(here / "jobs" / "run.sh")


def test_a_script_decides_what_is_missing_when_it_runs(here: Path) -> None:
    (here / "run.sh").write_text('cd "$1"\ntrl sft --config no.yaml\naxolotl train $2.yaml\n')
    parts = of_path("run.sh", Disk()).parts[1:]
    assert [(part.path, part.fails) for part in parts] == [("no.yaml", False), ("$2.yaml", False)]


def test_a_config_and_a_program_alone() -> None:
    assert rows(of_path("x.yaml", Disk())) == [("x.yaml", "config", "")]
    assert rows(of_path("train.py", Disk())) == [("train.py", "program", "")]


@pytest.mark.parametrize("path", [".", "no.yaml"])
def test_what_is_no_file(path: str) -> None:
    with pytest.raises(RunError, match="name a config, a script or a program"):
        of_path(path, Disk())


def test_odd_words() -> None:
    for words in ([""], ["\0.yaml"], ["trl", "sft", "--config", "\udcff.yaml"], ["'", "a b.yaml"]):
        assert of_command(words, Disk()).parts[0].role == "command"


def test_what_a_program_starts(here: Path) -> None:
    (here / "go.py").write_text(
        "import subprocess\n"
        f"subprocess.run({ACCELERATE.split()})\n"
        'subprocess.run("axolotl trian x.yaml", shell=True)\n'
    )
    found = of_path("go.py", Disk())
    assert rows(found) == [
        ("go.py", "program", ""),
        ("acc.yaml", "launcher settings", "accelerate"),
        ("train.py", "program", ""),
    ]
    (slip,) = found.unknown
    assert slip.text.startswith("`trian` is not a command of `axolotl`")


def test_a_program_that_is_the_command(here: Path) -> None:
    assert [part.by for part in command("train.py --deepspeed=ds.json").parts] == [
        "",
        "",
        "train.py",
    ]


def test_the_arguments_of_a_script(here: Path) -> None:
    (here / "run.sh").write_text('CFG=${1:-x.yaml}\naxolotl train "$CFG"\n')
    (here / "y.yaml").write_text("")
    assert [one.path for one in command("bash run.sh").parts] == ["run.sh", "x.yaml"]
    launched = command("bash run.sh y.yaml")
    assert [one.path for one in launched.parts] == ["run.sh", "y.yaml"]
    assert launched.filled
    assert not command("bash run.sh").filled


def test_the_files_of_a_pattern(here: Path) -> None:
    (here / "y.yaml").write_text("")
    (here / "run.sh").write_text("for one in *.yaml; do axolotl train $one; done\n")
    found = [one for one in of_path("run.sh", Disk()).parts if one.role == "config"]
    assert [one.path for one in found] == ["acc.yaml", "x.yaml", "y.yaml"]
    (here / "run.sh").write_text("for one in none/*.yaml; do axolotl train $one; done\n")
    (gone,) = [one for one in of_path("run.sh", Disk()).parts if one.role == "config"]
    assert gone.missing

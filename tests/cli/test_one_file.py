"""What commands about one file have in common: their options, and which file they read."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint.cli.one_file import pins, read_bytes, read_config, read_run
from cfglint.engine.session import Options, RunError, Session
from cfglint.engine.settings.nearest import SettingsFinder
from cfglint.source.files.memory import InMemory
from cfglint.source.text import MAX_BYTES
from tests.cli.files import CLEAN
from tests.cli.running import run
from tests.draws import each

START = "axolotl train train.yml\n"
FILES = {
    "train.yml": CLEAN,
    "run.sh": START,
    "both.sh": f"{START}axolotl train other.yml\n",
    "lost.sh": "axolotl train none.yml\n",
    "sft.sh": "trl sft --model_name_or_path a/b --dataset_name c\n",
    "other.yml": CLEAN,
}


def session() -> Session:
    contents = {f"/p/{name}": text.encode() for name, text in FILES.items()}
    return Session(Options(), SettingsFinder(files=InMemory({**contents, "/p/.git/HEAD": b""})))


@each(
    ("file", "path", "framework"),
    [
        ("train.yml", "train.yml", "axolotl"),
        ("sft.sh", "sft.sh", "trl"),
        # A script that only starts one config stands for it.
        ("run.sh", "train.yml", "axolotl"),
        ("both.sh", None, "it starts train.yml; name that instead of the script"),
        ("lost.sh", None, "it starts none.yml; name that instead of the script"),
        ("none.yml", None, "cannot be read"),
    ],
)
def test_which_file_is_read(file: str, path: str | None, framework: str) -> None:
    if path is None:
        with pytest.raises(RunError, match=framework):
            read_run(session(), f"/p/{file}")
        return
    found, document, by = read_run(session(), f"/p/{file}")
    assert (found, by.name) == (f"/p/{path}", framework)
    assert document.text == FILES[path]


@each("file", ["run.sh", "both.sh", "lost.sh"])
def test_a_script_is_no_config(file: str) -> None:
    with pytest.raises(RunError, match="name that instead of the script"):
        read_config(session(), f"/p/{file}")


def test_one_byte_too_many_is_enough() -> None:
    files = InMemory({"/p/large": b"x" * (MAX_BYTES + 9), "/p/small": b"x"})
    assert len(read_bytes("/p/large", files)) == MAX_BYTES + 1
    assert read_bytes("/p/small", files) == b"x"


@each(
    ("given", "expected"),
    [
        ((), ()),
        (("a==1",), ("a==1",)),
        (("a==1,b==2 c==3", "d==4"), ("a==1", "b==2", "c==3", "d==4")),
        (("a==1,, ",), ("a==1",)),
    ],
)
def test_several_versions(given: tuple[str, ...], expected: tuple[str, ...]) -> None:
    assert pins(given) == expected


@each("command", ["effective", "fit"])
@each(("number", "code"), [("0", 2), ("-1", 2), ("many", 2), ("1", 0)])
def test_numbers_of_gpus(command: str, number: str, code: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(Path(__file__).parent)
        result = run(
            *(command, "-", "--gpus", number, "--target", "axolotl==0.18.0", "--isolated"),
            stdin=CLEAN.encode(),
        )
    if code:
        assert result.code == code
        assert "--gpus" in result.err
    else:
        assert "--gpus" not in result.err


def test_errors_end_the_command(tmp_path: Path) -> None:
    result = run("effective", str(tmp_path / "none.yml"))
    assert (result.code, result.out) == (2, "")
    assert (
        result.err == f"cfglint: {tmp_path}/none.yml: cannot be read: No such file or directory\n"
    )

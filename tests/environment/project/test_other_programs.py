"""Programs that read a config in place of the framework whose keys it has."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from cfglint.environment.project.other_programs import (
    are_in_sources,
    is_written_beside,
    programs_named_with,
    reads_such_files,
)
from cfglint.environment.surroundings import Memory, Surroundings
from cfglint.source.files.disk import Disk
from cfglint.source.files.memory import InMemory
from cfglint.source.languages.named import language
from cfglint.source.text import SourceText
from tests.draws import each

LOADER = """
import yaml

def main(path):
    cfg = yaml.safe_load(open(path))
    run(cfg["model"], cfg.get("save_name"), lr=get_or(cfg, 'rate', 1))
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    for name, text in (
        ("src/ours/cli.py", "from ours import more\n"),
        ("src/ours/more.py", 'if key == "trainer":\n    pass\n'),
        ("src/ours/__main__.py", ""),
        ("tools/run.py", LOADER),
        ("one/twice.py", ""),
        ("two/twice.py", ""),
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (tmp_path / "configs").mkdir()
    return tmp_path


def named(project: Path, text: str) -> list[str]:
    path = project / "configs/first.yaml"
    path.write_text(text, encoding="utf-8")
    around = Surroundings(Memory(), Disk(), str(path), str(path.parent))
    programs = programs_named_with(language("yaml").read(SourceText(text)), around)
    return [Path(one.path).relative_to(project).as_posix() for one in programs]


@pytest.mark.parametrize(
    ("command", "program"),
    [
        ("python -m ours.cli --config configs/first.yaml", "src/ours/cli.py"),
        ("python -m ours configs/first.yaml", "src/ours/__main__.py"),
        ("torchrun --nproc_per_node=2 -m ours.cli ./configs/first.yaml", "src/ours/cli.py"),
        ("deepspeed --num_gpus=2 --module ours.cli -- --config first.yaml", "src/ours/cli.py"),
        ('python3 ./tools/run.py "configs/first.yaml"', "tools/run.py"),
        ("python tools/run.py \\\n#   --config=configs/first.yaml", "tools/run.py"),
        ("python tools/run.py configs/second.yaml", ""),
        ("python tools/run.py other/first.yaml", ""),
        ("python tools/run.py\n# and configs/first.yaml", ""),
        ("python twice.py configs/first.yaml", ""),
        ("python -m elsewhere configs/first.yaml", ""),
        ("see configs/first.yaml", ""),
    ],
)
def test_the_program_of_a_comment(project: Path, command: str, program: str) -> None:
    assert named(project, f"# {command}\nmodel: a/b\n") == ([program] if program else [])
    # What is a value is no command.
    line = command.replace("\n#", "")
    assert named(project, f"model: {line!r}\n") == []


def test_the_program_of_a_script(project: Path) -> None:
    script = project / "tools/start.sh"
    script.write_text("python tools/run.py configs/first.yaml\n", encoding="utf-8")
    assert named(project, "model: a/b\n") == ["tools/run.py"]
    script.write_text("python tools/run.py configs/second.yaml\n", encoding="utf-8")
    assert named(project, "model: a/b\n") == []


def test_what_a_program_names(project: Path) -> None:
    path = project / "configs/first.yaml"
    text = "# python -m ours.cli first.yaml\nmodel: a/b\n"
    path.write_text(text, encoding="utf-8")
    around = Surroundings(Memory(), Disk(), str(path), str(path.parent))
    (program,) = programs_named_with(language("yaml").read(SourceText(text)), around)
    assert program.names("trainer")
    assert not program.names("key")
    assert not program.names("train")


def test_a_program_that_asks_for_most_keys(project: Path) -> None:
    around = Surroundings(Memory(), Disk(), folder=str(project / "configs"))
    assert reads_such_files(["model", "save_name", "rate", "seed"], ["save_name"], around)
    assert reads_such_files(["model", "rate", "seed", "beta"], [], around)
    assert not reads_such_files(["model", "save_name", "seed"], ["seed"], around)
    assert not reads_such_files(["model", "seed", "beta"], ["model"], around)
    assert not reads_such_files([], [], around)
    (project / "tools/run.py").write_text(LOADER.replace("yaml.safe_load", "load"), "utf-8")
    around = Surroundings(Memory(), Disk(), folder=str(project / "configs"))
    assert not reads_such_files(["model", "save_name"], ["save_name"], around)


def test_a_text_without_a_place_has_no_other_reader() -> None:
    around = Surroundings(Memory(), Disk())
    assert (
        programs_named_with(
            language("yaml").read(SourceText("# python a.py b.yaml\nmodel: a/b\n")), around
        )
        == ()
    )
    assert not reads_such_files(["model"], ["model"], around)


@pytest.mark.parametrize("part", ["first.yaml ", "\\\n#", "a/", "-m a "])
def test_long_comments_take_no_time(project: Path, part: str) -> None:
    begin = time.perf_counter()
    assert named(project, f"# {part * 20_000}\nmodel: a/b\n") == []
    assert time.perf_counter() - begin < 5


def around_files(files: dict[str, str], path: str = "/p/configs/first.yaml") -> Surroundings:
    contents = {f"/p/{name}": text.encode() for name, text in {".git/HEAD": "", **files}.items()}
    disk = InMemory({path: b"model: a/b\n", **contents})
    return Surroundings(Memory(), disk, path, os.path.dirname(path))


@each(
    ("files", "words", "expected"),
    [
        ({"a.py": "import Special\n"}, ("special",), True),
        ({"a.py": "import Special\n"}, ("other", "special"), True),
        ({"a.py": "import other\n"}, ("special",), False),
        ({"a.txt": "special\n"}, ("special",), False),
        ({}, ("special",), False),
        # One that is not read may have it.
        ({"a.py": "x = 1\n" * 200_000}, ("special",), True),
    ],
)
def test_words_in_sources(files: dict[str, str], words: tuple[str, ...], expected: bool) -> None:
    assert are_in_sources(words, around_files(files)) is expected
    assert are_in_sources(words, Surroundings(Memory(), around_files(files).files)) is False


@each(
    ("files", "expected"),
    [
        ({"a.py": "--my_option 1\n"}, True),
        ({"run.sh": "python a.py --my_option 1\n"}, True),
        ({"README.md": "`my_option`\n"}, True),
        ({"other.yaml": "my_option: 1\n"}, True),
        ({"a.py": "not_my_option_either\n"}, False),
        ({"a.py": "generated: my_option\n"}, False),
        ({"a.py": "generated: my_option\n", "run.sh": "--my_option\n"}, True),
        ({}, False),
    ],
)
def test_a_name_that_is_written_beside(files: dict[str, str], expected: bool) -> None:
    around = around_files(files)
    assert is_written_beside("my_option", around, "/p", but="generated") is expected


@each(
    ("files", "program"),
    [
        ({"a/run.py": "", "go.sh": "python a/run.py configs/first.yaml\n"}, "/p/a/run.py"),
        ({"a/run.py": "", "go.sh": "python run.py \\\n  --x 1 \\\r\n  configs/first.yaml\n"}, "/p/a/run.py"),
        ({"a/run.py": "", "go.sh": f"python run.py {'x ' * 290} configs/first.yaml\n"}, "/p/a/run.py"),
        ({"a/run.py": "", "go.sh": f"python run.py {'x ' * 310} configs/first.yaml\n"}, ""),
        # The nearest one before the file.
        ({"a/run.py": "", "b/go.py": "", "go.sh": "python go.py && python run.py configs/first.yaml\n"}, "/p/a/run.py"),
        ({"a/run.py": "", "README.md": "    python run.py --config=configs/first.yaml\n"}, "/p/a/run.py"),
        ({"a/run.py": "", "go.sh": "python run.py configs/not_first.yaml; ls configs/first.yaml\n"}, "/p/a/run.py"),
        ({"a/run.py": "", "go.sh": "ls configs/first.yaml\n"}, ""),
        ({"a/run.py": "", "go.sh": "python -m a.run configs/first.yaml\n"}, "/p/a/run.py"),
        ({"a/run.py": "", "a/run/__main__.py": "", "go.sh": "python -m a.run configs/first.yaml\n"}, ""),
        ({"go.sh": "python run.py configs/first.yaml\n"}, ""),
    ],
)  # fmt: skip
def test_the_program_that_a_script_starts(files: dict[str, str], program: str) -> None:
    document = language("yaml").read(SourceText("model: a/b\n"))
    found = programs_named_with(document, around_files(files))
    assert [one.path for one in found] == ([program] if program else [])


def test_what_lies_beside_a_program() -> None:
    files = {
        "a/run.py": 'x["mine"]\n',
        "a/beside.py": "args.other\n",
        "b/elsewhere.py": 'x["far"]\n',
        "go.sh": "python run.py configs/first.yaml\n",
    }
    document = language("yaml").read(SourceText("model: a/b\n"))
    (program,) = programs_named_with(document, around_files(files))
    assert len(program.beside) == 2
    assert [program.names(name) for name in ("mine", "other", "far")] == [True, True, False]

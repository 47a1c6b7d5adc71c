"""What scripts install for other experiments of a repository."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint.environment.project.projects import Projects
from cfglint.source.files.disk import Disk

INSTALL = "pip install trl==0.17.0\n"


@pytest.mark.parametrize(
    ("started", "counts"),
    [
        # Another experiment's, whichever folder it starts from,
        ("python second/train.py\n", False),
        ("cd second\npython train.py --config own.yaml\n", False),
        ("# once: python first/train.py\npython second/train.py\n", False),
        # that of the file itself, or of a folder that is around it,
        ("python first/train.py\n", True),
        ("python first/other.py\n", True),
        ("python main.py second/own.yaml\n", True),
        ("cp first/train.py x\npython second/train.py\n", True),
        # and one that starts nothing that is there.
        ("", True),
        ("python /opt/third/run.py\n", True),
    ],
)
def test_whose_installation_it_is(started: str, counts: bool, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    texts = {
        "first/train.py": "",
        "first/other.py": "",
        "second/train.py": "",
        "second/own.yaml": "a: 1\n",
        "main.py": "",
        "scripts/run_all.sh": INSTALL + started,
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    projects = Projects(Disk())
    other = projects.for_file(str(tmp_path / "main.py"), "trl")
    assert other is not None
    assert other.pins["trl"].version == "0.17.0"
    project = projects.for_file(str(tmp_path / "first" / "train.py"), "trl")
    pins = {} if project is None else project.pins
    assert ("trl" in pins) is counts


COPIED = "COPY requirements.txt /app/\nCOPY --chown=me second/train.py /app/train.py\n"
START = 'CMD ["python", "train.py"]\n'


@pytest.mark.parametrize(
    ("lines", "counts"),
    [
        # The image has another program alone, and starts it.
        (COPIED + START, False),
        (f"COPY \\\n  second/train.py \\\n  /app/\n{START}", False),
        ("COPY second second\nCOPY second/own.sh .\nENTRYPOINT ./own.sh\n", False),
        ("COPY second/own.sh /app/start.sh\nCOPY second /app/second\nCMD /app/start.sh\n", False),
        # It has the file, or may have it,
        (COPIED + "COPY first /app/first\n" + START, True),
        (COPIED + "COPY . /app\n" + START, True),
        (COPIED + "ADD f*/ /app\n" + START, True),
        (COPIED + "COPY $CODE /app\n" + START, True),
        (COPIED + "RUN git clone https://example.org/code\n" + START, True),
        # names it, starts what is mounted, or is an environment and no more.
        (COPIED + "CMD python first/train.py second/train.py\n", True),
        (COPIED + "CMD bash\n", True),
        ("COPY requirements.txt /app/\n" + START, True),
        ("COPY --link\n" + START, True),
    ],
)
def test_whose_image_it_is(lines: str, counts: bool, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    for name in ("first/train.py", "second/train.py"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text("")
    (tmp_path / "Dockerfile").write_text(f"FROM ubuntu\nRUN {INSTALL}{lines}")
    project = Projects(Disk()).for_file(str(tmp_path / "first" / "train.py"), "trl")
    pins = {} if project is None else project.pins
    assert ("trl" in pins) is counts


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("first/setup_env.sh", True),
        ("first/install.sh", True),
        # It starts another program, and its name says no more.
        ("first/run_all.sh", False),
        ("scripts/setup_env.sh", False),
    ],
)
def test_a_script_that_is_there_to_install(name: str, counts: bool, tmp_path: Path) -> None:
    """What it prepares besides, such as data, is no experiment of its own."""
    (tmp_path / ".git").mkdir()
    for one in ("first/train.py", "second/data.py", name):
        (tmp_path / one).parent.mkdir(exist_ok=True)
        (tmp_path / one).write_text("")
    (tmp_path / name).write_text(f"{INSTALL}python second/data.py\n")
    project = Projects(Disk()).for_file(str(tmp_path / "first" / "train.py"), "trl")
    pins = {} if project is None else project.pins
    assert ("trl" in pins) is counts

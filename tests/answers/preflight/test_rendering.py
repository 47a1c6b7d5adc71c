"""A preflight in words, from parts made by hand."""

from __future__ import annotations

import json
from typing import Any

from cfglint.answers.preflight.judging import MemoryVerdict, Preflight
from cfglint.answers.preflight.launched import Launched, RunPart
from cfglint.answers.preflight.rendering import render_agent, render_json, render_text
from cfglint.engine.file_report import FileReport, Named
from cfglint.report.run import RunReport
from cfglint.report.style import Style
from cfglint.source.document import Document
from cfglint.source.languages.named import language
from cfglint.source.text import SourceText, Span
from tests.report.building import check_snapshot, finding, report

TEXT = "a: 1\nb: 2\n"


def document() -> Document:
    found = language("yaml").read(SourceText(TEXT))
    assert isinstance(found, Document)
    return found


#: As long as a line is, with its indentation.
UNREAD = "no training config, as far as its keys show, and not checked!"
PARTS = (
    RunPart("run.sh", "script"),
    RunPart("a.yml", "config", "axolotl"),
    RunPart("acc.yaml", "launcher settings", "accelerate"),
    RunPart("data.json", "file", "axolotl"),
    RunPart("gone.yml", "config", "axolotl", missing="there is no such file"),
    RunPart("odd.bin", "file"),
    RunPart("command", "command"),
)
DEEPSPEED = Named("ds.json", "deepspeed", "DeepSpeed", frozenset())
OTHER = Named("acc.yaml", "accelerate", "accelerate", frozenset())


def of_file(*found: Any, **fields: Any) -> FileReport:
    return report("a.yml", TEXT, *found, names=(DEEPSPEED, OTHER), **fields)


def preflight(
    *files: FileReport, title: str = "./run.sh", parts: tuple[RunPart, ...] = PARTS, **fields: Any
) -> Preflight:
    return Preflight(
        launched=Launched(title=title, parts=parts),
        run=RunReport(files, []),
        **{"memory": (), "unread": (), "against": (), "doubts": (), **fields},
    )


MEMORY = MemoryVerdict(
    path="a.yml",
    release="0.18.0",
    answer=None,
    document=document(),
    words="nothing is known",
    fits="perhaps",
)
CASES = {
    "nothing was found": preflight(of_file()),
    "errors": preflight(
        of_file(finding("X1", Span(0, 1))),
        memory=(MEMORY,),
        unread=(("odd.bin", UNREAD),),
        against=("1 error", "a file is missing"),
        doubts=("it is not known",),
    ),
    "doubts": preflight(of_file(), doubts=("one thing", "another")),
    "no file": preflight(title="x" * 401, parts=PARTS[:1]),
    "the command itself": preflight(
        report("command", "", found_with=()), title="y" * 400, parts=PARTS[-1:]
    ),
}


def test_as_text() -> None:
    plain = Style(color=False)
    shown = [f"--- {name}\n{render_text(one, plain, 78)}" for name, one in CASES.items()]
    check_snapshot("preflight.txt", "\n".join(shown))


def test_as_lines_for_agents() -> None:
    shown = [f"--- {name}\n{render_agent(one)}" for name, one in CASES.items()]
    check_snapshot("preflight.agent.txt", "\n".join(shown))


def test_colors() -> None:
    style = Style(color=True)
    assert render_text(CASES["nothing was found"], style).endswith(
        "\x1b[32mStart: no problem was found.\x1b[0m\n"
    )
    assert "\x1b[1;31mDo not start: 1 error; a file is missing.\x1b[0m\n" in render_text(
        CASES["errors"], style
    )
    assert "\x1b[1;33mNot decided: one thing; another.\x1b[0m\n" in render_text(
        CASES["doubts"], style
    )


def test_as_json() -> None:
    data = json.loads(render_json(CASES["errors"]))
    assert (data["run"], data["verdict"], data["exit_code"]) == ("./run.sh", "do not start", 1)
    assert (data["against"], data["undecided"]) == (
        ["1 error", "a file is missing"],
        ["it is not known"],
    )
    assert data["files"][1] == {
        "path": "a.yml",
        "role": "config",
        "by": "axolotl",
        "framework": "Axolotl",
        "problem": None,
    }
    assert [one["problem"] for one in data["files"][4:6]] == [
        "there is no such file",
        UNREAD,
    ]
    assert data["files"][0]["by"] is None
    assert data["memory"] == [{"path": "a.yml", "summary": "nothing is known", "fit": None}]

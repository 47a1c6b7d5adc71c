"""The code of a notebook: what of it is Python, and where it is in the JSON."""

from __future__ import annotations

import json

from cfglint.source.languages.python import Python
from cfglint.source.notebook import cell_at, code_of
from cfglint.source.python_program import program_of
from cfglint.source.text import SourceText

PYTHON = Python({"pkg.Config": ("rate", "name")}.get)


def notebook(*cells: str, indent: int | None = 1) -> str:
    """A notebook with cells of code, and one of text."""
    made = [
        {"cell_type": "code", "outputs": [{"text": "x"}], "source": cell.splitlines(keepends=True)}
        for cell in cells
    ]
    text = {"cell_type": "markdown", "source": ["from pkg import Other"]}
    return json.dumps({"cells": [text, *made], "nbformat": 4}, indent=indent)


def code(text: str) -> str:
    found = code_of(text)
    assert found is not None
    return found[0]


def test_cells_are_one_program() -> None:
    text = notebook("from pkg import Config\n", 'x = "é\\n"\nConfig(\n    rate=1,  # "fast"\n)')
    document = PYTHON.read(SourceText(text))
    entry = document.entry(("Config", "rate"))
    assert entry is not None
    assert text[entry.span.start : entry.span.end] == "rate=1"
    assert (
        document.source.line(document.line_at(entry.span.start)).strip().startswith('"    rate=1,')
    )
    (comment,) = PYTHON.comments(document)
    assert text[comment.span.start : comment.span.end] == '# \\"fast\\"'


def test_a_source_may_be_one_text() -> None:
    text = json.dumps(
        {"cells": [{"cell_type": "code", "source": "from pkg import Config\nConfig(rate=1)"}]}
    )
    entry = PYTHON.read(SourceText(text)).entry(("Config", "rate"))
    assert entry is not None
    assert text[entry.span.start : entry.span.end] == "rate=1"


def test_what_jupyter_runs_is_left_out() -> None:
    text = notebook(
        "%%capture\n!pip install -U pkg \\\n  other\nif x:\n    %cd /tmp\nfiles = !ls\n%ls",
        "%%bash\nfor x in 1; do echo; done\n",
        "?help\n",
    )
    assert code(text).split("\n")[4].strip() == "pass"
    assert program_of(text).tree is not None
    assert len(code(text)) == sum(
        map(
            len,
            (
                "%%capture\n!pip install -U pkg \\\n  other\nif x:\n    %cd /tmp\nfiles = !ls\n%ls\n",
                "%%bash\nfor x in 1; do echo; done\n\n",
                "?help\n",
            ),
        )
    )


def test_commands_are_where_they_are_in_the_code() -> None:
    text = notebook(
        "%%capture\nx = 1\n!pip install pkg \\\n  'é' other\n",
        "%%bash\npip install more\n",
        "%%writefile install.sh\npip install less\n",
        "if x:\n    %pip install last\n# !pip install nothing\n'pip install nothing'\n",
    )
    program = program_of(text)
    lines = program.commands.split("\n")
    assert [line.strip() for line in lines if line.strip()] == [
        *("%%capture", "!pip install pkg \\", "'é' other"),
        *("%%bash", "pip install more", "%pip install last"),
    ]
    assert len(program.commands) == len(program.code)
    place = program.place(program.commands.index("last"))
    assert text[place:].startswith('last\\n"')


def test_a_cell_that_is_no_python_does_not_hide_the_others() -> None:
    text = notebook("from pkg import Config\n", "print 1\n", "Config(rate=2)\n")
    assert PYTHON.read(SourceText(text)).entry(("Config", "rate")) is not None


def test_surrogates_and_escapes() -> None:
    text = json.dumps(
        {
            "cells": [
                {
                    "cell_type": "code",
                    "source": ["from pkg import Config\n", 'Config(name="😀\t", rate=1)'],
                }
            ]
        }
    )
    assert "\\ud83d" in text
    entry = PYTHON.read(SourceText(text)).entry(("Config", "rate"))
    assert entry is not None
    assert text[entry.span.start : entry.span.end] == "rate=1"


def test_other_json_is_no_notebook() -> None:
    for text in ("{", "{}", '{"cells": 1}', '{"cells": [1, {"cell_type": "code"}]}'):
        assert code_of(text) is None
        assert PYTHON.read(SourceText(text)).root.entries == []


def test_the_cell_and_the_line_of_a_place() -> None:
    text = notebook("a = 1\nb = 2\n", "c = '\\\\'\nd = 4")
    assert cell_at(text, text.index("a = 1")) == (2, 1)
    assert cell_at(text, text.index("b = 2")) == (2, 2)
    assert cell_at(text, text.index("d = 4")) == (3, 2)
    assert cell_at(text, text.index("cell_type")) is None
    one = json.dumps({"cells": [{"cell_type": "code", "source": "a = 1\nb = 2\nc = 3"}]})
    assert cell_at(one, one.index("c = 3")) == (1, 3)
    assert cell_at("{", 0) is None
    assert cell_at('{"cells": 1}', 0) is None

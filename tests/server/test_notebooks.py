"""An editor's own notebooks: their cells are checked, explained and repaired as those of the file."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp

from cfglint.server.notebooks import Notebook, changed_cells
from tests.server.client import Editor, editor

FIRST, SECOND = "cell:a#1", "cell:a#2"
CELLS = {
    FIRST: "from trl import SFTConfig\n%matplotlib inline\n",
    SECOND: "x = '\"🚀'\nargs = SFTConfig(output_dir='o', max_lengthh=4,\n  eval_strategy='step')",
}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_places_are_those_of_the_file_and_back(encoding: str) -> None:
    book = Notebook("file:///a.ipynb", 1, CELLS)
    file = json.loads(book.text)
    assert ["".join(cell["source"]) for cell in file["cells"]] == list(CELLS.values())
    size = {"utf-8": 10, "utf-16": 8, "utf-32": 7}[encoding]
    for cell, line, column in ((FIRST, 1, 5), (SECOND, 0, 4), (SECOND, 0, size), (SECOND, 2, 23)):
        place = lsp.Position(line, column)
        there = book.place(cell, place, encoding)
        assert book.place_in_cell(there, encoding) == (cell, place)
    assert book.place_in_cell(lsp.Position(0, 0), encoding) is None
    assert (
        book.place(SECOND, lsp.Position(99, 0), encoding).line
        == book.place(SECOND, lsp.Position(0, 0), encoding).line
    )


def test_a_place_behind_the_cell_is_its_first_line() -> None:
    book = Notebook("file:///a.ipynb", 1, CELLS)
    for cell, text in CELLS.items():
        first = book.place(cell, lsp.Position(0, 0), "utf-16").line
        for line in range(len(text.split("\n")), 40):
            there = book.place(cell, lsp.Position(line, 3), "utf-16")
            assert there == lsp.Position(first, 1)
    last = book.text.count("\n")
    inside = [
        line for line in range(last + 9) if book.place_in_cell(lsp.Position(line, 2), "utf-8")
    ]
    assert len(inside) == sum(text.count("\n") + 1 for text in CELLS.values())


def test_cells_are_put_in_moved_and_changed() -> None:
    book = Notebook("file:///a.ipynb", 1, CELLS)

    def cell(uri: str) -> lsp.NotebookCell:
        return lsp.NotebookCell(lsp.NotebookCellKind.Code, uri)

    array = lsp.NotebookCellArrayChange(0, 2, [cell(SECOND), cell("new"), cell(FIRST)])
    opened = [lsp.TextDocumentItem("new", "python", 1, "a = 1\n🚀 b")]
    structure = lsp.NotebookDocumentCellChangeStructure(array, did_open=opened)
    part = lsp.TextDocumentContentChangePartial(
        lsp.Range(lsp.Position(1, 3), lsp.Position(1, 4)), "c"
    )
    content = lsp.NotebookDocumentCellContentChanges(
        lsp.VersionedTextDocumentIdentifier(2, "new"), [part]
    )
    change = lsp.NotebookDocumentCellChanges(structure, text_content=[content])
    found = changed_cells(book, change, "utf-16")
    assert list(found) == [SECOND, "new", FIRST]
    assert found["new"] == "a = 1\n🚀 c"
    gone = lsp.NotebookDocumentCellChangeStructure(lsp.NotebookCellArrayChange(0, 1))
    assert list(changed_cells(book, lsp.NotebookDocumentCellChanges(gone), "utf-16")) == [SECOND]


async def _shown(editor_: Editor, uri: str) -> None:
    cells = [lsp.NotebookCell(lsp.NotebookCellKind.Code, cell) for cell in CELLS]
    told = lsp.NotebookDocument(uri, "jupyter-notebook", 1, cells)
    items = [lsp.TextDocumentItem(cell, "python", 1, text) for cell, text in CELLS.items()]
    editor_.client.notebook_document_did_open(lsp.DidOpenNotebookDocumentParams(told, items))


def test_a_notebook_in_an_editor(tmp_path: Path) -> None:
    uri = (tmp_path / "train.ipynb").as_uri()
    published: dict[str, list[lsp.Diagnostic]] = {}

    async def tell() -> tuple[Any, list[Any]]:
        async with editor(tmp_path, options={"target": ["trl==1.0.0"]}) as shown:
            await _shown(shown, uri)
            await shown.until(lambda: len(_last(shown, SECOND)) == 2)
            published.update({cell: _last(shown, cell) for cell in CELLS})
            hover = await shown.at(SECOND, 1, 20, "hover")
            where = lsp.Range(lsp.Position(1, 36), lsp.Position(1, 36))
            actions = await shown.actions(SECOND, where)
            name = lsp.NotebookDocumentIdentifier(uri)
            closing = lsp.DidCloseNotebookDocumentParams(name, [])
            shown.client.notebook_document_did_close(closing)
            await shown.until(lambda: not _last(shown, SECOND))
            return hover, actions

    hover, actions = asyncio.run(tell())
    assert published[FIRST] == []
    typed, chosen = sorted(published[SECOND], key=lambda one: one.range.start.line)
    assert (typed.code, typed.range.start, typed.range.end) == (
        "KEY001",
        lsp.Position(1, 33),
        lsp.Position(1, 44),
    )
    assert (chosen.code, chosen.range.start.line) == ("TYP002", 2)
    assert "**`output_dir`** (`SFTConfig`)" in hover.contents.value
    assert "Since transformers 4.36.0." in hover.contents.value
    assert (hover.range.start, hover.range.end) == (lsp.Position(1, 17), lsp.Position(1, 27))
    (rename,) = [one for one in actions if one.title.startswith("Rename it to max_length")]
    assert list(rename.edit.changes) == [SECOND]
    assert list(rename.edit.changes[SECOND]) == [lsp.TextEdit(typed.range, "max_length")]
    assert rename.diagnostics[0].range == typed.range


#: What is typed in a cell -> what is offered at the end of the first line, and what is inserted for one.
TYPED = {
    "args = SFTConfig(output_dir='o', max_len": ("max_length", "max_length="),
    "args = SFTConfig(output_dir='o', eval_strategy='st": ("steps", "steps'"),
    'args = SFTConfig(output_dir="o", eval_strategy="st")': ("steps", "steps"),
    "args = SFTConfig(output_dir='o', eval_strategy=": ("steps", '"steps"'),
    "args = SFTConfig(max_len=4)": ("max_length", "max_length"),
}


def test_keywords_and_values_are_completed_in_cells(tmp_path: Path) -> None:
    offered: dict[str, dict[str, Any]] = {}

    async def tell() -> None:
        async with editor(tmp_path, options={"target": ["trl==1.0.0"]}) as shown:
            for number, text in enumerate(TYPED):
                uri = (tmp_path / f"{number}.ipynb").as_uri()
                cell = f"cell:{number}"
                cells = [lsp.NotebookCell(lsp.NotebookCellKind.Code, cell)]
                told = lsp.NotebookDocument(uri, "jupyter-notebook", 1, cells)
                whole = f"from trl import SFTConfig\n{text}\n"
                items = [lsp.TextDocumentItem(cell, "python", 1, whole)]
                shown.client.notebook_document_did_open(
                    lsp.DidOpenNotebookDocumentParams(told, items)
                )
                column = len(text.rstrip('=4)"')) if text[-1] == ")" else len(text)
                found = await shown.at(cell, 1, column, "completion")
                offered[text] = {one.label: one.text_edit for one in found.items}

    asyncio.run(tell())
    for text, (label, inserted) in TYPED.items():
        edit = offered[text].get(label)
        assert edit is not None, (text, sorted(offered[text])[:9])
        assert edit.new_text == inserted, text
        assert edit.range.start.line == 1


def test_all_fixes_of_a_notebook_are_made_at_once(tmp_path: Path) -> None:
    uri = (tmp_path / "train.ipynb").as_uri()

    async def tell() -> list[lsp.CodeAction]:
        async with editor(tmp_path, options={"target": ["trl==1.0.0"]}) as shown:
            await _shown(shown, uri)
            await shown.until(lambda: len(_last(shown, SECOND)) == 2)
            where = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))
            return await shown.actions(SECOND, where, ["source.fixAll"])

    (fix,) = asyncio.run(tell())
    assert isinstance(fix.edit, lsp.WorkspaceEdit)
    assert fix.edit.changes is not None
    (edit,) = fix.edit.changes[SECOND]
    assert edit == lsp.TextEdit(
        lsp.Range(lsp.Position(1, 0), lsp.Position(2, 0)),
        "args = SFTConfig(output_dir='o', max_length=4,\n",
    )


def _last(shown: Editor, cell: str) -> list[lsp.Diagnostic]:
    for name, params in shown.published.items():
        if params.uri == cell or name == cell:
            return list(params.diagnostics)
    return []

"""The notebooks of an editor, whose cells are texts of their own.

A notebook is checked as its file is: as JSON that has a line for each line of a cell. Places are
translated between the two, and what is asked about a cell is asked about that JSON.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import attrs
from lsprotocol import types as lsp

from cfglint.base.record import NamedTuple
from cfglint.diagnostic import Edit
from cfglint.server import conversion
from cfglint.server.positions import UNITS, Positions, Units
from cfglint.server.repairs import line_edits
from cfglint.source.text import SourceText

#: The cells that are sent: those of Python, in the notebooks of Jupyter.
SYNC = lsp.NotebookDocumentSyncOptions(
    [
        lsp.NotebookDocumentFilterWithNotebook(
            lsp.NotebookDocumentFilterNotebookType("jupyter-notebook"),
            [lsp.NotebookCellLanguage("python")],
        )
    ]
)
_BEGIN, _CELL, _CELL_END, _END = '{"cells": [', '{"cell_type": "code", "source": [', "]}", "]}"

_Asked = TypeVar("_Asked", lsp.HoverParams, lsp.CompletionParams, lsp.CodeActionParams)


class CellLine(NamedTuple):
    """A line of the JSON that is a line of a cell."""

    cell: str
    #: Its number in the cell, from 0.
    number: int
    text: str


class Notebook:
    """An open notebook.

    Args:
        cells: the texts of its cells, by their URIs, in their order.
    """

    def __init__(self, uri: str, version: int, cells: dict[str, str]) -> None:
        self.uri = uri
        self.version = version
        self._lines: list[CellLine | None] = [None]
        self._first: dict[str, int] = {}
        written = [_BEGIN]
        for number, (cell, text) in enumerate(cells.items()):
            written.append(_CELL)
            self._lines.append(None)
            self._first[cell] = len(written)
            rows = text.split("\n")
            for at, row in enumerate(rows):
                is_last = at == len(rows) - 1
                self._lines.append(CellLine(cell, at, row))
                written.append(_string(row if is_last else f"{row}\n") + ("" if is_last else ","))
            written.append(_CELL_END + ("," if number < len(cells) - 1 else ""))
            self._lines.append(None)
        self.cells = cells
        self.text = "\n".join([*written, _END, ""])

    # ------------------------------------------------------------------ places

    def place(self, cell: str, place: lsp.Position, encoding: str) -> lsp.Position:
        """The place in the JSON of a place in a cell."""
        at = self._first[cell] + place.line
        line = self._lines[at] if at < len(self._lines) else None
        if line is None or line.cell != cell:
            return lsp.Position(self._first[cell], 1)
        return lsp.Position(at, _written(line.text, place.character, UNITS[encoding]))

    def place_in_cell(self, place: lsp.Position, encoding: str) -> tuple[str, lsp.Position] | None:
        """The cell, and the place in it, of a place in the JSON; None for a place between cells."""
        line = self._lines[place.line] if place.line < len(self._lines) else None
        if line is None:
            return None
        column = _read(line.text, place.character, UNITS[encoding])
        return line.cell, lsp.Position(line.number, column)

    def range_in_cell(self, where: lsp.Range, encoding: str) -> tuple[str, lsp.Range] | None:
        """The cell, and the range in it, of a range in the JSON; None for one of several cells."""
        start, end = (self.place_in_cell(one, encoding) for one in (where.start, where.end))
        if start is None or end is None or start[0] != end[0]:
            return None
        return start[0], lsp.Range(start[1], end[1])

    # ------------------------------------------------------------------ questions and answers

    def asked(self, params: _Asked, encoding: str) -> _Asked:
        """A question about a cell as one about the JSON."""
        cell = params.text_document.uri
        name = lsp.TextDocumentIdentifier(self.uri)
        if not isinstance(params, lsp.CodeActionParams):
            place = self.place(cell, params.position, encoding)
            return attrs.evolve(params, text_document=name, position=place)
        start, end = params.range.start, params.range.end
        where = lsp.Range(self.place(cell, start, encoding), self.place(cell, end, encoding))
        return attrs.evolve(params, text_document=name, range=where)

    def hover(self, found: lsp.Hover | None, encoding: str) -> lsp.Hover | None:
        """A hover text at its place in a cell."""
        where = self.range_in_cell(found.range, encoding) if found and found.range else None
        return attrs.evolve(found, range=where[1]) if found is not None and where else None

    def completion(self, found: lsp.CompletionList, encoding: str) -> lsp.CompletionList:
        """Completions at their place in a cell. What they insert is Python, not JSON."""
        items = []
        for one in found.items:
            edit = one.text_edit
            if not isinstance(edit, lsp.TextEdit):
                continue
            where = self.range_in_cell(edit.range, encoding)
            if where is not None:
                edit = lsp.TextEdit(where[1], edit.new_text)
                items.append(attrs.evolve(one, text_edit=edit))
        return attrs.evolve(found, items=items)

    def findings(
        self, found: Iterable[lsp.Diagnostic], encoding: str
    ) -> dict[str, list[lsp.Diagnostic]]:
        """Cell -> its findings; one that is in no cell is at the beginning of the first."""
        spread: dict[str, list[lsp.Diagnostic]] = {cell: [] for cell in self.cells}
        for one in found:
            beginning = lsp.Position(0, 0)
            nowhere = next(iter(self.cells), ""), lsp.Range(beginning, beginning)
            cell, where = self.range_in_cell(one.range, encoding) or nowhere
            related = [self._related(other, encoding) for other in one.related_information or ()]
            moved = attrs.evolve(one, range=where, related_information=related or None)
            spread.setdefault(cell, []).append(moved)
        return spread

    def _related(
        self, one: lsp.DiagnosticRelatedInformation, encoding: str
    ) -> lsp.DiagnosticRelatedInformation:
        if one.location.uri != self.uri:
            return one
        found = self.range_in_cell(one.location.range, encoding)
        return one if found is None else attrs.evolve(one, location=lsp.Location(*found))

    def actions(self, found: Iterable[lsp.CodeAction], encoding: str) -> list[lsp.CodeAction]:
        """The code actions whose edits are edits of cells."""
        out = []
        for one in found:
            edit = self._edit(one.edit, encoding) if one.edit is not None else None
            if one.edit is not None and edit is None:
                continue
            about = self.findings(one.diagnostics or (), encoding).values()
            diagnostics = [each for some in about for each in some]
            out.append(attrs.evolve(one, edit=edit, diagnostics=diagnostics or None))
        return out

    def _edit(self, edit: lsp.WorkspaceEdit, encoding: str) -> lsp.WorkspaceEdit | None:
        """An edit of the JSON as one of cells; None where it is more than that."""
        return self._within_lines(edit, encoding) or self._of_lines(edit, encoding)

    def _of_lines(self, edit: lsp.WorkspaceEdit, encoding: str) -> lsp.WorkspaceEdit | None:
        """The lines that an edit of the JSON changes in each cell; None where cells come or go."""
        positions, text = _positions(self.text, encoding), self.text
        spans = [
            (positions.offset(one.range.start), positions.offset(one.range.end), one.new_text)
            for one in self._edits_of(edit)
            if isinstance(one, lsp.TextEdit)
        ]
        for start, end, new in sorted(spans, reverse=True):
            text = text[:start] + new + text[end:]
        try:
            made = ["".join(cell["source"]) for cell in json.loads(text)["cells"]]
        except (ValueError, TypeError, KeyError):
            return None
        if len(made) != len(self.cells):
            return None
        changes = {
            cell: list(conversion.text_edits(_changed_lines(old, new), _positions(old, encoding)))
            for (cell, old), new in zip(self.cells.items(), made, strict=True)
            if old != new
        }
        return lsp.WorkspaceEdit(changes=changes) if changes else None

    def _edits_of(self, edit: lsp.WorkspaceEdit) -> list[Any]:
        """The edits of the notebook in an edit of the workspace."""
        whole: list[Any] = [*(edit.changes or {}).get(self.uri, ())]
        for change in edit.document_changes or ():
            whole += getattr(change, "edits", ())
        return whole

    def _within_lines(self, edit: lsp.WorkspaceEdit, encoding: str) -> lsp.WorkspaceEdit | None:
        """An edit that changes parts of single lines; None for another one."""
        changes: dict[str, list[lsp.TextEdit]] = {}
        for one in self._edits_of(edit):
            found = self.range_in_cell(one.range, encoding)
            text = _decoded(getattr(one, "new_text", ""))
            if found is None or text is None or not isinstance(one, lsp.TextEdit):
                return None
            if found[1].start.line != found[1].end.line:
                return None  # it takes quotes and commas of the JSON along
            changes.setdefault(found[0], []).append(lsp.TextEdit(found[1], text))
        return lsp.WorkspaceEdit(changes=changes)


class Notebooks:
    """All open notebooks."""

    def __init__(self) -> None:
        self._open: dict[str, Notebook] = {}

    def get(self, uri: str) -> Notebook | None:
        """A notebook by its own URI."""
        return self._open.get(uri)

    def with_cell(self, cell: str) -> Notebook | None:
        """The notebook with a cell."""
        return next((one for one in self._open.values() if cell in one.cells), None)

    def put(self, uri: str, version: int, cells: dict[str, str]) -> Notebook:
        """Add a notebook, or replace it by its next version."""
        self._open[uri] = Notebook(uri, version, cells)
        return self._open[uri]

    def close(self, uri: str) -> None:
        """Take a notebook for closed."""
        self._open.pop(uri, None)

    def spread(
        self, found: dict[str, list[lsp.Diagnostic]], encoding: str
    ) -> dict[str, list[lsp.Diagnostic]]:
        """Findings by URI, with those of open notebooks by the URIs of their cells."""
        out = {uri: some for uri, some in found.items() if uri not in self._open}
        for uri, notebook in self._open.items():
            out |= notebook.findings(found.get(uri, ()), encoding)
        return out


def changed_cells(
    notebook: Notebook, change: lsp.NotebookDocumentCellChanges, encoding: str
) -> dict[str, str]:
    """The cells of a notebook after a change."""
    texts = dict(notebook.cells)
    order = list(texts)
    structure = change.structure
    if structure is not None:
        for opened in structure.did_open or ():
            texts[opened.uri] = opened.text
        array = structure.array
        put = [cell.document for cell in array.cells or ()]
        order[array.start : array.start + array.delete_count] = put
    for content in change.text_content or ():
        cell = content.document.uri
        for one in content.changes:
            texts[cell] = _changed(texts.get(cell, ""), one, encoding)
    return {cell: texts[cell] for cell in order if cell in texts}


def _changed(text: str, change: lsp.TextDocumentContentChangeEvent, encoding: str) -> str:
    """A text after the change of a part of it, or of all."""
    if isinstance(change, lsp.TextDocumentContentChangeWholeDocument):
        return change.text
    positions = Positions(SourceText.from_str(text), encoding)
    start, end = (positions.offset(one) for one in (change.range.start, change.range.end))
    return text[:start] + change.text + text[end:]


def texts_of(cells: Sequence[lsp.TextDocumentItem]) -> dict[str, str]:
    """The texts of cells, by their URIs."""
    return {cell.uri: cell.text for cell in cells}


def _changed_lines(old: str, new: str) -> tuple[Edit, ...]:
    return line_edits(SourceText.from_str(old), SourceText.from_str(new))


def _positions(text: str, encoding: str) -> Positions:
    return Positions(SourceText.from_str(text), encoding)


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _written(text: str, character: int, units: Units) -> int:
    """The column in a string of JSON of a column of its text."""
    seen, column = 0, 1
    for char in text:
        if seen >= character:
            break
        seen += units(char)
        column += units(_string(char)) - 2
    return column


def _read(text: str, column: int, units: Units) -> int:
    """The column in a text of a column in its string of JSON."""
    seen, at = 0, 1
    for char in text:
        at += units(_string(char)) - 2
        if at > column:
            break
        seen += units(char)
    return seen


def _decoded(text: str) -> str | None:
    """What a part of a string of JSON means; None for what is none."""
    try:
        found = json.loads(f'"{text}"')
    except ValueError:
        return None
    return str(found)

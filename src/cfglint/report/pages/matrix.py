"""Which framework has which shared rule, and what it lacks for the others."""

from __future__ import annotations

from cfglint.base.record import Record
from cfglint.base.type_names import Any
from cfglint.knowledge import compiled


class Cell(Record):
    """Whether one framework has one rule, and what it lacks."""

    #: The concepts that it lacks.
    lacks: tuple[str, ...]
    #: Why the rule does not apply to it, though it may have all concepts.
    not_for: str
    #: The number of examples of the rule that are files of this framework.
    examples: int

    @property
    def has_it(self) -> bool:
        """Whether the rule is one of the framework's."""
        return not self.lacks and not self.not_for


class Row(Record):
    """A rule that is written with concepts."""

    code: str
    name: str
    summary: str
    concepts: tuple[str, ...]
    #: Framework -> whether it has the rule, and if not, why.
    cells: dict[str, Cell]


class Matrix(Record):
    """The shared rules, as they were compiled."""

    #: Framework -> its title, in the order of titles.
    titles: dict[str, str]
    rows: tuple[Row, ...]
    #: The codes of the rules that every framework has, because they need no concept.
    everywhere: tuple[str, ...]


def known() -> Matrix:
    """The shared rules that come with cfglint."""
    module = compiled.load("shared")
    titles = sorted(module.FRAMEWORKS.items(), key=lambda item: str(item[1]).lower())
    rows = tuple(
        Row(code, name, summary, concepts, {part[0]: Cell(*part[1:]) for part in standings})
        for code, name, summary, concepts, standings in module.SHARED
    )
    return Matrix(dict(titles), rows, module.EVERYWHERE)


def as_json(matrix: Matrix) -> dict[str, Any]:
    """The table as JSON."""
    return {
        "frameworks": matrix.titles,
        "everywhere": list(matrix.everywhere),
        "rules": [
            {
                "code": row.code,
                "name": row.name,
                "concepts": list(row.concepts),
                "frameworks": {name: _cell_json(row.cells[name]) for name in matrix.titles},
            }
            for row in matrix.rows
        ],
    }


def _cell_json(cell: Cell) -> dict[str, Any]:
    return {
        "has": cell.has_it,
        "lacks": list(cell.lacks),
        "not_for": cell.not_for or None,
        "examples": cell.examples,
    }


def as_text(matrix: Matrix) -> str:
    """A table, and below it the missing concepts, one per line."""
    width = max((len(row.name) for row in matrix.rows), default=0)
    columns = {name: max(len(title), len("untried")) for name, title in matrix.titles.items()}
    head = [f"{matrix.titles[name]:{size}}" for name, size in columns.items()]
    lines = ["  ".join([" " * (len("OPT000  ") + width), *head]).rstrip()]
    for row in matrix.rows:
        cells = [f"{_short(row.cells[name]):{size}}" for name, size in columns.items()]
        lines.append("  ".join([f"{row.code}  {row.name:{width}}", *cells]).rstrip())
    missing = [
        f"{row.code}  {matrix.titles[name]}: {_in_full(row.cells[name])}"
        for row in matrix.rows
        for name in matrix.titles
        if not row.cells[name].has_it
    ]
    if missing:
        lines += ["", *missing]
    lines += ["", f"Every framework has: {', '.join(matrix.everywhere)}."]
    return "\n".join(lines) + "\n"


def as_markdown(matrix: Matrix) -> str:
    """The table for the documentation."""
    lines = [
        "| rule | " + " | ".join(matrix.titles.values()) + " |",
        "|---|" + "---|" * len(matrix.titles),
    ]
    for row in matrix.rows:
        cells = [_in_full(row.cells[name], code="`") for name in matrix.titles]
        rule = f"`{row.code}` {row.name}: {row.summary}"
        lines.append("| " + " | ".join([rule, *cells]) + " |")
    return "\n".join(lines) + "\n"


def _short(cell: Cell) -> str:
    if cell.has_it:
        return "yes" if cell.examples else "untried"
    return "no" if cell.not_for else f"lacks {len(cell.lacks)}"


def _in_full(cell: Cell, code: str = "") -> str:
    if cell.has_it:
        return "yes" if cell.examples else "yes, without an example"
    if cell.not_for:
        return f"no: {cell.not_for}"
    return "lacks " + ", ".join(f"{code}{name}{code}" for name in cell.lacks)

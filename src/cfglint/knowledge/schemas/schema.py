"""One JSON Schema of a project: what it finds in a file, and which keys it declares."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cfglint.base.record import Record
from cfglint.diagnostic import Related
from cfglint.knowledge.rules.patterns import linear_pattern
from cfglint.knowledge.schemas.budget import Budget, TooMuchWork, limited
from cfglint.knowledge.schemas.plain import Plain
from cfglint.knowledge.schemas.reading import FORBIDDEN, REFERENCES, SchemaFiles
from cfglint.knowledge.schemas.words import SchemaProblem, problems
from cfglint.source.document import Path
from cfglint.source.files.base import Files
from cfglint.source.text import Span


class Violation(Record):
    """A violation of a schema by a file, with the place in the schema that states it."""

    problem: SchemaProblem
    #: In the file.
    span: Span
    related: tuple[Related, ...]
    #: The `description` of that part of the schema; empty if it has none.
    description: str


class GivenUp(Exception):
    """The file was not checked to the end; the message says why."""


class UserSchema:
    """A schema for some keys of a file.

    Args:
        path: the schema, absolute.
        at: the key whose value it describes, as in `datasets[].own`; empty for the whole file.
        root: the folder of the project.
        files: where to read.
        shown: what the schema is called in messages.

    Raises:
        SchemaError: it cannot be used.
    """

    def __init__(self, path: str, at: str, root: str, files: Files, shown: str) -> None:
        self.name = shown
        self._at = tuple(part for name in at.split(".") if name for part in _steps(name))
        self._files = SchemaFiles(path, root, files, shown)
        self._budget = Budget()
        whole = limited(self._files.draft, self._budget)
        self._validator = whole({"$ref": self._files.uri}, registry=self._files.registry)

    def violations(self, plain: Plain) -> Iterator[Violation]:
        """The violations of the schema by a file.

        Raises:
            GivenUp: the schema asks for too many steps, or refers to itself without end.
        """
        self._budget.renew()
        seen = set()
        try:
            for path, part in _parts(plain.data, self._at, ()):
                for error in self._validator.iter_errors(part):
                    for problem in problems(error):
                        whole = problem.replaced(path=(*path, *problem.path))
                        key = (whole.kind, whole.path, whole.words)
                        if key not in seen:
                            seen.add(key)
                            yield self._violation(whole, plain)
        except TooMuchWork:
            raise GivenUp("it takes too many steps") from None
        except RecursionError:
            raise GivenUp(
                "it refers to itself endlessly, or the file is nested too deeply"
            ) from None

    def _violation(self, problem: SchemaProblem, plain: Plain) -> Violation:
        span = plain.span(problem.path, key=problem.kind == "unexpected")
        keyword = problem.keyword
        place = self._files.place(problem.schema, keyword) if keyword is not None else None
        related = (Related(place[1], "the schema says so", place[0]),) if place is not None else ()
        description = (
            problem.schema.get("description", "") if isinstance(problem.schema, dict) else ""
        )
        return Violation(
            problem, span, related, description if isinstance(description, str) else ""
        )

    # ------------------------------------------------------------------ declared keys

    def declares(self, path: Path) -> bool:
        """Whether the schema describes a key by its name, or by a pattern for names."""
        generic = tuple("[]" if isinstance(part, int) else part for part in path)
        above = self._at[: len(generic)] == generic
        if above or generic[: len(self._at)] != self._at:
            return above
        found: list[Any] = [self._files.data]
        inner = path[len(self._at) :]
        for number, step in enumerate(inner, 1):
            parts = list(self._together(found))
            found = [below for part in parts for below in _below(part, step)]
            if number < len(inner):
                # Keys that have no name of their own in the schema may have described contents.
                found += [part.get("additionalProperties") for part in parts]
        return bool(found)

    def _together(self, parts: list[Any]) -> Iterator[dict[str, Any]]:
        """The parts of the schema that refer to the same value as these."""
        waiting, seen = list(parts), set()
        while waiting:
            part = waiting.pop()
            if not isinstance(part, dict) or id(part) in seen:
                continue
            seen.add(id(part))
            yield part
            for keyword in REFERENCES:
                if isinstance(part.get(keyword), str):
                    waiting.append(self._files.target(part, keyword))
            for keyword in ("allOf", "anyOf", "oneOf"):
                waiting += part.get(keyword, ())
            waiting += (part.get("then"), part.get("else"))
            waiting += part.get("dependentSchemas", {}).values()


def _below(part: dict[str, Any], step: str | int) -> Iterator[Any]:
    """The parts of a schema about a key of the value, or an item; none that forbid it."""
    found: list[Any] = []
    if isinstance(step, int):
        first, others = part.get("prefixItems", []), part.get("items")
        if isinstance(others, list):
            first, others = others, part.get("additionalItems")
        found.append(first[step] if step < len(first) else others)
    else:
        found.append(part.get("properties", {}).get(step))
        patterns = part.get("patternProperties", {})
        found += [
            inner for pattern, inner in patterns.items() if linear_pattern(pattern).search(step)
        ]
    yield from (inner for inner in found if inner is not None and inner is not FORBIDDEN)


def _steps(name: str) -> tuple[str, ...]:
    """A name of a path with what follows it: `datasets[]` are two steps."""
    return (name.removesuffix("[]"), "[]") if name.endswith("[]") else (name,)


def _parts(value: Any, at: Path, path: Path) -> Iterator[tuple[Path, Any]]:
    """The values below a path, each with its own path."""
    if not at:
        yield path, value
    elif at[0] == "[]":
        for index, item in enumerate(value if isinstance(value, list) else ()):
            yield from _parts(item, at[1:], (*path, index))
    elif isinstance(value, dict) and at[0] in value:
        yield from _parts(value[at[0]], at[1:], (*path, at[0]))

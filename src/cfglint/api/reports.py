"""What the public questions return."""

from __future__ import annotations

import json
from typing import Any

from cfglint.answers.resolved.made import Made
from cfglint.answers.resolved.resolve import EffectiveValue, Undecided
from cfglint.base.record import Record
from cfglint.diagnostic import Diagnostic
from cfglint.engine.advice import Advice
from cfglint.engine.migration.steps import Left, Step
from cfglint.report.effective import render_json
from cfglint.report.fit import Answer
from cfglint.report.migration import MigratedFile
from cfglint.runs.memory.estimate import Estimate
from cfglint.runs.memory.measured import Near
from cfglint.runs.memory.terms import Term
from cfglint.source.document import Path, format_path


class EffectiveReport(Record):
    """The configuration that a release makes of a file."""

    path: str
    #: The package and its version, with a blank between them, and where the version is from.
    release: str
    release_origin: str
    #: The configuration as nested data.
    data: dict[str, Any]
    #: Each value with the reason of it.
    values: tuple[EffectiveValue, ...]
    #: Values that depend on what is not known.
    undecided: tuple[Undecided, ...]
    #: Keys of the file that the release does not read.
    unread: tuple[Path, ...]
    #: Why the release refuses the file; the values are those up to then.
    refusals: tuple[Diagnostic, ...]
    #: The same as the command's `--format json`.
    json: str

    @classmethod
    def of(cls, path: str, document: Any, made: Made) -> EffectiveReport:
        """The report on a file."""
        found = made.found
        return cls(
            path,
            made.release,
            made.release_origin,
            found.data,
            found.entries,
            found.undecided,
            found.dropped,
            made.refusals,
            render_json(made, document, path),
        )

    @property
    def refused(self) -> bool:
        """Whether the release does not start with this file."""
        return bool(self.refusals)

    @property
    def changed(self) -> tuple[EffectiveValue, ...]:
        """The values that differ from the file and are no defaults of the release."""
        return tuple(one for one in self.values if one.part == "changed")

    def value(self, key: str, default: Any = None) -> Any:
        """The value under a path such as `datasets[0].type`; the default where there is none."""
        found = (one.value for one in self.values if format_path(one.path) == key)
        return next(found, default)

    def to_dict(self) -> dict[str, Any]:
        """As `cfglint effective --format json` has it (docs/json-effective.schema.json)."""
        found: dict[str, Any] = json.loads(self.json)
        return found


class FitReport(Record):
    """The memory that a run needs on each GPU, in bytes."""

    path: str
    #: The package and its version, with a blank between them.
    release: str
    answer: Answer
    #: The measured runs that are the nearest to it; none where there is no estimate.
    measured: tuple[Near, ...]
    #: The changes with which it fits, if these were asked for; None also where there is no estimate.
    advice: Advice | None

    @property
    def gpus(self) -> int:
        """How many GPUs the run has."""
        return self.answer.gpus

    @property
    def certain(self) -> int:
        """What each GPU needs at the least."""
        return self.answer.needed.total

    @property
    def parts(self) -> tuple[Term, ...]:
        """What that is made of: `name`, `size`, and `because` with the reason and the key."""
        return self.answer.needed.terms

    @property
    def expected(self) -> Estimate | None:
        """What it probably needs: `likely`, between `low` and `high`; None without an estimate."""
        return self.answer.expected

    @property
    def memory(self) -> int | None:
        """What each GPU has; None where that is not known."""
        return None if self.answer.memory is None else self.answer.memory << 30

    @property
    def fits(self) -> bool | None:
        """True when it probably fits, False when it certainly or probably does not; else None."""
        if self.memory is None or self.answer.fits is False:
            return self.answer.fits
        expected = self.expected
        if expected is None:
            return None
        if expected.high <= self.memory:
            return True
        return False if expected.low > self.memory else None


class MigrationReport(Record):
    """A config on its way to another release."""

    path: str
    #: The release that it is from, how that is known, and the one that it goes to.
    source: str
    source_origin: str
    target: str
    #: The text after the steps that were taken, and after those that are proposed, too.
    text: str
    whole: str
    #: The steps that were taken, those to review first, and what no step resolves.
    steps: tuple[Step, ...]
    proposed: tuple[Step, ...]
    left: tuple[Left, ...]

    @classmethod
    def of(cls, file: MigratedFile) -> MigrationReport:
        """The report on a file."""
        found = file.migration
        ends = (file.path, file.source, file.source_origin, file.target)
        texts = (found.result.text, found.whole.text)
        return cls(*ends, *texts, found.steps, found.proposed, found.left)

    @property
    def complete(self) -> bool:
        """Whether nothing is left to do."""
        return not self.proposed and not self.left


class ExplainReport(Record):
    """What is known about a rule, a key or a symptom."""

    subject: str
    #: One for each rule, or for each framework that has the key.
    pages: tuple[str, ...]

    @property
    def text(self) -> str:
        """All pages."""
        return "\n".join(self.pages)

    def __str__(self) -> str:
        return self.text

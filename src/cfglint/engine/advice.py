"""Which changes of a config, a script or a program make its run fit the GPUs: written, checked, and estimated again.

Nothing is advised that was not tried: the file is edited as a fix would edit it, the result is
checked like any other file, and its need is the estimate of what is then written in it.
"""

from __future__ import annotations

from collections.abc import Sequence

from cfglint.base.record import Record
from cfglint.base.type_names import Any
from cfglint.diagnostic import Diagnostic, Edit
from cfglint.engine.case import Case
from cfglint.engine.launches.overrides import as_started
from cfglint.engine.lint import lint_document
from cfglint.fixes.actions import Action, AppendItem, DeleteKey, SetValue
from cfglint.fixes.applying import apply_edits
from cfglint.fixes.consequences import undeclared
from cfglint.fixes.planning import plan
from cfglint.fixes.verification import examine
from cfglint.frameworks.for_files import run_of
from cfglint.roles.reading.base import NotDeterminedError
from cfglint.runs.memory.estimate import Estimate, estimate
from cfglint.runs.memory.measures import Choice, Measure, combinations, together
from cfglint.runs.memory.planning import Planner, gib
from cfglint.source.calls import Call, call_of
from cfglint.source.document import Document, Path
from cfglint.source.text import SourceText

#: So many combinations are written and checked at most; the estimate alone judges all of them.
_MOST_TRIED = 50
#: The rule about runs that do not fit.
_SUBJECT = "does-not-fit"
#: What saves less is not worth a change.
_LEAST_SAVED = 1 << 26


class Advised(Record):
    """One change, or several together, of the file."""

    measures: tuple[Measure, ...]
    #: The file after it.
    after: SourceText
    #: What the run needs then.
    expected: Estimate
    #: Bytes less than the file as it is.
    saves: int
    #: Whether the run probably fits then.
    fits: bool


class NotAdvised(Record):
    """A change that would save memory and is not advised."""

    measure: Measure
    #: Why, as a clause.
    reason: str


class Advice(Record):
    """What the file could say for its run to fit."""

    #: Bytes of each GPU.
    memory: int
    gpus: int
    original: SourceText
    #: What the file needs as it is.
    expected: Estimate
    #: Each change by itself, the cheapest first.
    changes: tuple[Advised, ...]
    #: The cheapest changes with which the run probably fits: none when it does as it is, or nothing is
    #: enough.
    enough: Advised | None
    #: What needs the least of all, where nothing is enough.
    least: Advised | None
    left_out: tuple[NotAdvised, ...]

    @property
    def fits(self) -> bool:
        """Whether the run probably fits as it is."""
        return self.expected.high <= self.memory


class Advisor:
    """Advises on one file.

    Args:
        case: what the file is checked with.
        memory: of each GPU, in bytes.
        run: what its run is counted with, where that is put together from the calls of a program.
        started: the run is that of the command which starts the file, with what it lays over it.
    """

    def __init__(
        self,
        document: Document,
        case: Case,
        gpus: int,
        memory: int,
        run: Case | None = None,
        *,
        started: bool = False,
    ) -> None:
        self._document, self._case, self._started = document, case, started
        self._gpus, self._memory = gpus, memory
        self._run = run
        self._before = self._findings(document)

    def advice(self) -> Advice | None:
        """The advice; None where there is no estimate."""
        planner = self._planner(self._document)
        usual = None if planner is None else planner.usual(self._gpus)
        now = None if usual is None else estimate(usual)
        if planner is None or now is None:
            return None
        choices, changes, left_out = self._alone(planner, now)
        enough = least = None
        if now.high > self._memory:
            enough = self._cheapest(planner, choices, now)
            least = None if enough is not None else self._least(planner, choices, now)
        source = self._document.source
        memory, found = self._memory, (tuple(changes), enough, least, tuple(left_out))
        return Advice(memory, self._gpus, source, now, *found)

    def _alone(
        self, planner: Planner, now: Estimate
    ) -> tuple[list[Choice], list[Advised], list[NotAdvised]]:
        """The measures that can be taken, each of the shown ones by itself, and the others."""
        choices: list[Choice] = []
        shown: list[Advised] = []
        left_out: list[NotAdvised] = []
        for choice in planner.choices(self._gpus):
            kept: list[Measure] = []
            advised: list[Advised] = []
            for measure in choice:
                need = self._need(planner, (measure,))
                if need is None or now.likely - need.likely < _LEAST_SAVED:
                    # It may save something beside others.
                    kept += [] if need is None or need.likely > now.likely else [measure]
                    continue
                found = self._written((measure,), now)
                if isinstance(found, str):
                    left_out.append(NotAdvised(measure, found))
                    continue
                kept.append(measure)
                advised.append(found)
            choices.append(kept)
            fitting = [one for one in advised if one.fits]
            shown += fitting[:1] or _saving_most(advised)
        shown.sort(key=lambda one: one.measures[0].cost)
        return choices, shown, left_out

    def _cheapest(
        self, planner: Planner, choices: Sequence[Choice], now: Estimate
    ) -> Advised | None:
        """The cheapest measures with which the run probably fits."""
        tried = 0
        for chosen in combinations(choices):
            need = self._need(planner, chosen)
            if need is None or need.high > self._memory:
                continue
            found = self._written(chosen, now)
            if not isinstance(found, str) and found.fits:
                return found
            tried += 1
            if tried == _MOST_TRIED:
                break
        return None

    def _least(self, planner: Planner, choices: Sequence[Choice], now: Estimate) -> Advised | None:
        """The measures with which the run needs the least."""
        needs = [
            (need.likely, number, chosen)
            for number, chosen in enumerate(combinations(choices))
            if (need := self._need(planner, chosen)) is not None and need.likely < now.likely
        ]
        for _, _, chosen in sorted(needs)[:_MOST_TRIED]:
            found = self._written(chosen, now)
            if not isinstance(found, str):
                return found
        return None

    def _need(self, planner: Planner, chosen: Sequence[Measure]) -> Estimate | None:
        run = planner.changed(together(chosen), self._gpus)
        return None if run is None else estimate(run)

    def _written(self, chosen: Sequence[Measure], now: Estimate) -> Advised | str:
        """The file with some measures, or why they cannot be taken, as a clause."""
        changes = together(chosen)
        at: Path = ()
        if self._run is not None:
            config = self._config_of(self._document)
            if config is None or not config.unset.issuperset(str(path[0]) for path in changes):
                return self._of_other_calls(chosen)
            at = (config.section,)
        actions = _actions(self._document, changes, at)
        planned = plan(self._document, actions)
        if planned.refused is not None:
            return f"it cannot be written into the file: {planned.refused.rstrip('.')}"
        after = self._read(planned.edits, planned.paths)
        if isinstance(after, str):
            return after
        new = undeclared(self._before, self._findings(after), ())
        if new is not None:
            return f"it would lead to {new.code} ({new.name})"
        if self._case.around.launches and not _holds(as_started(after, self._case), changes):
            return "a command that starts the file sets the same key"
        planner = self._planner(after)
        run = None if planner is None else planner.usual(self._gpus)
        need = None if run is None else estimate(run)
        if need is None:
            return "there is no estimate of the run with it"
        fits = need.high <= self._memory
        return Advised(tuple(chosen), after.source, need, now.likely - need.likely, fits)

    def _findings(self, document: Document) -> list[Diagnostic]:
        """What is found in the file, apart from whether it fits, which the advice is about."""
        found = lint_document(document, self._case).diagnostics
        return [one for one in found if one.name != _SUBJECT]

    def _read(self, edits: Sequence[Edit], paths: Sequence[Path]) -> Document | str:
        """The file after some edits, which change nothing but some paths."""
        text = apply_edits(self._document.text, edits)
        reason, after = examine(self._document, text, paths, edits, ())
        return f"it cannot be written into the file: {reason}" if after is None else after

    def _of_other_calls(self, chosen: Sequence[Measure]) -> str:
        """Why changes of other calls than that of the config are not written, with what they would do."""
        planner = self._planner(self._document)
        need = None if planner is None else self._need(planner, chosen)
        would = "" if need is None else f"; with it the run probably needs about {gib(need.likely)}"
        return f"it is for other calls of the program than that of the config, which --advise does not write{would}"

    def _config_of(self, document: Document) -> Call | None:
        """The call of the config of a program's run."""
        run = run_of(document)
        return None if run is None else call_of(run[1].root)

    def _planner(self, document: Document) -> Planner | None:
        case = self._run or self._case
        if self._run is not None:
            try:
                run = run_of(document)
            except NotDeterminedError:
                return None
            document = document if run is None else run[1]
        elif self._started:
            document = as_started(document, case)
        return case.framework.readings.planner(document, case.target, case.around)


def _saving_most(advised: list[Advised]) -> list[Advised]:
    """The one that saves the most; of those that save about as much the cheapest."""
    most = max((one.saves for one in advised), default=0)
    return [one for one in advised if most - one.saves < _LEAST_SAVED][:1]


def _actions(document: Document, changes: dict[Path, Any], at: Path) -> list[Action]:
    """The changes as actions of a fix: items are added to a list that is there already.

    Args:
        at: where the config is in the document.
    """
    actions: list[Action] = []
    for key, value in changes.items():
        path = (*at, *key)
        node = document.node(path)
        if value is None:
            actions += [DeleteKey(path)] if node is not None else []
        elif isinstance(value, list) and node is not None and len(value) > 1:
            actions.append(AppendItem(path, value[-1]))
        else:
            actions.append(SetValue(path, value))
    return actions


def _holds(started: Document, changes: dict[Path, Any]) -> bool:
    """Whether the file that a command starts has the changed values."""
    for path, value in changes.items():
        node = started.node(path)
        target = None if node is None else node.target()
        held = getattr(target, "value", None)
        if isinstance(value, (dict, list)) or (value is None and target is None):
            continue
        if held != value:
            return False
    return True

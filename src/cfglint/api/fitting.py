"""How much memory the run of one file needs, and what would need less."""

from __future__ import annotations

from cfglint.base.record import Record
from cfglint.base.type_names import Any
from cfglint.engine.advice import Advice, Advisor
from cfglint.engine.case import Case
from cfglint.engine.files_together.edges import Edges
from cfglint.engine.launches.overrides import as_started
from cfglint.engine.one_file import environment, known_facts
from cfglint.engine.session import RunError, Session
from cfglint.frameworks.for_files import run_of
from cfglint.knowledge import compiled
from cfglint.report.fit import Answer, answer, render_advised, render_json, render_text
from cfglint.report.fit_advice import advice_data
from cfglint.report.fit_measured import measured_data, measured_text
from cfglint.report.style import Style
from cfglint.roles.framework import Framework
from cfglint.roles.reading.base import NotDeterminedError
from cfglint.roles.readings import Readings
from cfglint.runs.memory.measured import Measured, Near, nearest, traits
from cfglint.runs.memory.planning import Planner
from cfglint.runs.memory.run import GIB
from cfglint.source.document import Document

#: The answer where advice was asked for.
NO_ADVICE = "There is no advice, as a change could not be compared without an estimate."


class FitRequest(Record):
    """What is asked for beside the need itself."""

    advised: bool = False
    #: None where there is no estimate.
    advice: Advice | None = None
    #: Measured runs; None if they were not asked for.
    near: tuple[Near, ...] | None = None


NEED_ALONE = FitRequest()


def _unsupported(framework: Framework) -> str:
    """Why a file has no planner: all of its framework have none, or one of its commands."""
    has_one = type(framework.readings).planner is not Readings.planner
    if not (framework.in_scripts and has_one):
        return framework.readings.not_answered("fit")
    return f"`fit` does not support this command of {framework.title} yet, as it is not known what divides its run over the GPUs"


class Fitting:
    """How much memory one file's run needs, and what is asked of it beside that."""

    def __init__(
        self,
        file: str,
        document: Document,
        case: Case,
        planner: Planner,
        found: Answer,
        program: tuple[Document, Case] | None = None,
        *,
        started: bool = False,
        counted: bool = True,
    ) -> None:
        self.file, self._document, self._case, self._planner = file, document, case, planner
        self.answer = found
        self._program, self._started = program, started
        #: Whether something states how many GPUs the run has.
        self.counted = counted

    @classmethod
    def of_document(
        cls,
        session: Session,
        file: str,
        document: Document,
        framework: Framework,
        *,
        started: bool = False,
    ) -> Fitting:
        """What is known of a config among the files of a session.

        Args:
            started: as the commands start it that the session knows, with what they lay over it.

        Raises:
            RunError: nothing is certain about it, or its settings are broken.
        """
        try:
            run = run_of(document)
        except NotDeterminedError as error:
            raise RunError(f"{file}: {error}") from None
        program = None if run is None else (document, session.case(framework.name, file))
        framework, document = run or (framework, document)
        target, around = environment(session, framework, file)
        settings = session.settings(file)
        selection = session.selection(settings, framework, file)
        edges = Edges(lambda other: session.framework(other, settings))
        case = Case(framework, target, around, selection, edges)
        # As in `preflight`: a config is the one that its only command makes of it.
        started = program is None and (started or not framework.in_scripts)
        whole = as_started(document, case) if started else document
        planner = framework.readings.planner(whole, target, around)
        if planner is None:
            raise RunError(f"{file}: {_unsupported(framework)}")
        facts = known_facts(whole, target, around)
        found = answer(planner, facts)
        if found is None:
            reason = planner.obstacle(facts.get("gpus", 1))
            raise RunError(f"{file}: nothing is certain: {reason}")
        counted = "gpus" in facts
        return cls(file, document, case, planner, found, program, started=started, counted=counted)

    @property
    def release(self) -> str:
        target = self._case.target
        return f"{target.releases.package} {target.release}"

    def advice(self) -> Advice | None:
        """The changes with which it fits; None where there is no estimate.

        Raises:
            RunError: the memory of the GPUs is not known.
        """
        found = self.answer
        if found.memory is None:
            state = "" if found.gpu is None else f"; the memory of {found.gpu} is not a limit"
            raise RunError(f"--advise needs to know the GPUs: --gpu NAME{state}")
        document, case = self._program or (self._document, self._case)
        run = None if self._program is None else self._case
        memory = found.memory * GIB
        return Advisor(document, case, found.gpus, memory, run, started=self._started).advice()

    def measured(self) -> tuple[Near, ...]:
        """The measured runs that are the nearest to it; none where there is no estimate."""
        run = self._planner.usual(self.answer.gpus)
        of_run = None if run is None else traits(run)
        if of_run is None:
            return ()
        rows = [Measured.of_row(row) for row in compiled.load("measured").RUNS]
        return tuple(nearest(of_run, rows))

    def text(self, style: Style, request: FitRequest = NEED_ALONE) -> str:
        """The report for people."""
        name, release = self.file, self.release
        if request.advice is not None:
            parts = (self.answer, request.advice, self._document, name, release, style)
            text = render_advised(*parts)
        else:
            text = render_text(self.answer, self._document, name, release, style)
        if request.advised and request.advice is None:
            text += f"\n{NO_ADVICE}\n"
        return text if request.near is None else f"{text}\n{measured_text(request.near, style)}"

    def json(self, request: FitRequest = NEED_ALONE) -> str:
        """The report for programs."""
        beside: dict[str, Any] = {}
        if request.advised:
            beside["advice"] = request.advice and advice_data(request.advice, self.file)
        if request.near is not None:
            beside["measured"] = measured_data(request.near)
        return render_json(self.answer, self._document, self.release, beside)

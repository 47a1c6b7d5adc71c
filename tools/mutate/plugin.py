"""The part of pytest: which tests run and in which order, what they cover, and who failed.

It is loaded with `-p tools.mutate.plugin`, and told what to do by the JSON file that the variable
`MUTATE_PLAN` names (see `Plan`).
"""

from __future__ import annotations

import json
import os
import resource
import signal
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

if TYPE_CHECKING:
    from coverage import Coverage

VARIABLE = "MUTATE_PLAN"
#: The exit code of a run in which a test took too long.
TOO_LONG = 99
#: What a run may hold: a mutant that collects without end must not take the machine with it.
_MEMORY = 4 << 30


class Plan(NamedTuple):
    """What one run of pytest is to do."""

    #: Where to write what came of it.
    report: str
    #: The tests to run, in this order; None: all that were collected, as they come.
    only: list[str] | None = None
    #: Tests to leave out.
    without: Sequence[str] = ()
    #: Test -> CPU seconds after which the run ends.
    limits: dict[str, float] | None = None
    #: CPU seconds for tests that `limits` does not name.
    limit: float = 60.0
    #: CPU seconds for the whole run.
    seconds: float | None = None
    #: The package whose lines are recorded for each test; None: none are.
    measured: str | None = None

    def write(self, path: Path) -> None:
        path.write_text(json.dumps(self._asdict()), encoding="utf-8")


def pytest_configure(config: pytest.Config) -> None:
    plan = Plan(**json.loads(Path(os.environ[VARIABLE]).read_text(encoding="utf-8")))
    config.pluginmanager.register(_Selecting(plan))
    if plan.measured is not None:
        config.pluginmanager.register(_Measuring(plan.report, plan.measured))
    else:
        config.pluginmanager.register(_Limiting(plan))


class _Selecting:
    """Leaves the planned tests, in the planned order."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        without = set(self._plan.without)
        kept = [item for item in items if item.nodeid not in without]
        if self._plan.only is not None:
            order = {name: number for number, name in enumerate(self._plan.only)}
            kept = [item for item in kept if item.nodeid in order]
            kept.sort(key=lambda item: order[item.nodeid])
        chosen = set(kept)
        config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
        items[:] = kept


class _Limiting:
    """Ends the run at the first test that takes too long, and tells which test failed first."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._limits = plan.limits or {}
        self._running = ""
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        if plan.seconds is not None:
            most = int(plan.seconds) + 1
            resource.setrlimit(resource.RLIMIT_CPU, (most, most + 1))
        signal.signal(signal.SIGPROF, self._too_long)

    def _too_long(self, number: int, frame: FrameType | None) -> None:
        # No exception: what is mutated might catch it.
        self._tell(self._running)
        os._exit(TOO_LONG)

    def _tell(self, failed: str) -> None:
        report = Path(self._plan.report)
        if not report.exists():
            report.write_text(json.dumps({"failed": failed}), encoding="utf-8")

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self._running = item.nodeid
        signal.setitimer(signal.ITIMER_PROF, self._limits.get(item.nodeid, self._plan.limit))
        try:
            return (yield)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._tell(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._tell(report.nodeid)


class _Measuring:
    """Records for each test how long it takes, whether it fails, and the lines that it runs."""

    def __init__(self, report: str, package: str) -> None:
        from coverage import Coverage

        self._report = report
        self._package = os.path.abspath(package)
        self._seconds: dict[str, float] = {}
        self._failed: set[str] = set()
        self._coverage: Coverage = Coverage(
            data_file=None, source=[self._package], config_file=False, messages=False
        )
        self._coverage.start()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self._coverage.switch_context(item.nodeid)
        start = time.process_time()
        try:
            return (yield)
        finally:
            self._seconds[item.nodeid] = time.process_time() - start
            self._coverage.switch_context("")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._failed.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        self._coverage.stop()
        data = self._coverage.get_data()
        lines: dict[str, dict[int, list[str]]] = {}
        for path in data.measured_files():
            covered = {
                line: sorted(set(tests) - {""})
                for line, tests in data.contexts_by_lineno(path).items()
            }
            name = Path(path).relative_to(self._package).as_posix()
            lines[name] = {line: tests for line, tests in covered.items() if tests}
        breadth = Counter(
            test for rows in lines.values() for tests in rows.values() for test in tests
        )
        told: dict[str, Any] = {
            "seconds": self._seconds,
            "breadth": {test: breadth[test] for test in self._seconds},
            "failed": sorted(self._failed),
            "lines": _numbered(lines, list(self._seconds)),
        }
        Path(self._report).write_text(json.dumps(told), encoding="utf-8")


def _numbered(lines: dict[str, dict[int, list[str]]], tests: list[str]) -> dict[str, Any]:
    """Line -> one bit for each test, as hexadecimal digits."""
    bit = {test: 1 << number for number, test in enumerate(tests)}
    return {
        path: {
            str(line): f"{sum(bit[test] for test in set(names)):x}" for line, names in rows.items()
        }
        for path, rows in lines.items()
    }

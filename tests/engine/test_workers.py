"""Many files on all processors: the same answers, in the same order, whatever a worker does."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from cfglint.engine import workers
from cfglint.engine.file_report import FileReport
from cfglint.engine.files_together.discovery import FoundFile
from cfglint.engine.runner import Runner
from cfglint.engine.session import Options
from cfglint.engine.settings.nearest import SettingsFinder
from cfglint.engine.workers import Outcome, check_files

TEXTS = (
    "base_model: a/b\nsequence_lenn: 2\nsequence_len: 10\nmicro_batch_size: 1\n",
    "a: [",
    "base_model: é\nval_set_size: 0.1\nmicro_batch_size: '1'\nsequence_len: 1\n",
    "",
)


@pytest.fixture
def files(tmp_path: Path) -> list[FoundFile]:
    made = []
    for number in range(workers.MIN_FILES + 13):
        path = tmp_path / f"{number:03}.yml"
        path.write_text(TEXTS[number % len(TEXTS)], encoding="utf-8")
        made.append(FoundFile(str(path), True, str(path)))
    missing = str(tmp_path / "missing.yml")
    made.insert(30, FoundFile(missing, True, missing))
    return made


def outcomes(files: list[FoundFile], monkeypatch: pytest.MonkeyPatch, count: int) -> list[Outcome]:
    monkeypatch.setattr(workers, "_workers", lambda _: count)
    runner = Runner(Options(), SettingsFinder(isolated=True))
    found = list(check_files(runner, files, trim=True))
    assert [file for file, _ in found] == files
    return [outcome for _, outcome in found]


def comparable(outcome: Outcome) -> object:
    if not isinstance(outcome, FileReport):
        return outcome
    return (
        outcome.path,
        outcome.source.text,
        [(d.key, d.message, d.fixes) for d in outcome.diagnostics],
        outcome.target.release,
        outcome.fail_on,
    )


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("count", [2, 3, 8])
def test_same_as_alone(files: list[FoundFile], monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    alone = outcomes(files, monkeypatch, 1)
    assert [comparable(o) for o in outcomes(files, monkeypatch, count)] == [
        comparable(o) for o in alone
    ]
    assert len(alone) == len(files)
    assert isinstance(alone[30], str)
    assert "missing.yml" in alone[30]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_worker_that_dies_costs_nothing(
    files: list[FoundFile], monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = [comparable(o) for o in outcomes(files, monkeypatch, 1)]
    here = os.getpid()
    check_file = Runner.check_file

    def dying(self: Runner, path: str, *, named: bool) -> FileReport | None:
        if os.getpid() != here and path.endswith("040.yml"):
            os.kill(os.getpid(), signal.SIGKILL)
        return check_file(self, path, named=named)

    monkeypatch.setattr(Runner, "check_file", dying)
    assert [comparable(o) for o in outcomes(files, monkeypatch, 2)] == alone


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("count", [1, 2])
def test_a_mistake_of_our_own_costs_one_file(
    files: list[FoundFile], monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    expected = [comparable(o) for o in outcomes(files, monkeypatch, count)]
    check_file = Runner.check_file

    def failing(self: Runner, path: str, *, named: bool) -> FileReport | None:
        if path.endswith("040.yml"):
            raise IndexError("list index out of range")
        return check_file(self, path, named=named)

    monkeypatch.setattr(Runner, "check_file", failing)
    found = outcomes(files, monkeypatch, count)
    position = next(n for n, file in enumerate(files) if file.path.endswith("040.yml"))
    said = found.pop(position)
    assert isinstance(said, str)
    assert "040.yml: not checked" in said
    assert "IndexError in test_workers.py:" in said
    del expected[position]
    assert [comparable(o) for o in found] == expected


def test_no_process_to_be_had(files: list[FoundFile], monkeypatch: pytest.MonkeyPatch) -> None:
    alone = [comparable(o) for o in outcomes(files, monkeypatch, 1)]

    def refused() -> int:
        raise BlockingIOError("no more processes")

    monkeypatch.setattr(os, "fork", refused, raising=False)
    assert [comparable(o) for o in outcomes(files, monkeypatch, 2)] == alone


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize(("processors", "count"), [(1, 1), (3, 3), (8, 8), (64, 8)])
def test_as_many_workers_as_processors(
    processors: int, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    few, enough = workers.MIN_FILES - 1, workers.MIN_FILES
    monkeypatch.setattr(
        os, "sched_getaffinity", lambda process: set(range(processors)), raising=False
    )
    assert (workers._workers(few), workers._workers(enough)) == (1, count)
    # Where nobody says which of them are free, all count.
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: processors)
    assert workers._workers(enough) == count
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert workers._workers(enough) == 1


def test_without_processes_all_stay_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "fork", raising=False)
    assert workers._workers(10_000) == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("count", [1, 2, 3])
def test_an_interrupt_leaves_what_was_found(
    files: list[FoundFile], monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    monkeypatch.setattr(workers, "_workers", lambda _: count)
    runner = Runner(Options(framework="axolotl"), SettingsFinder(isolated=True))
    started = os.getpid()
    check, calls = runner.check_file, iter(range(1_000))

    def interrupted(path: str, *, named: bool) -> FileReport | None:
        # The user interrupts this process only, in the middle of its share.
        if os.getpid() == started and next(calls) == 10:
            time.sleep(0.5)
            raise KeyboardInterrupt
        if os.getpid() != started:
            time.sleep(0.1)
        return check(path, named=named)

    monkeypatch.setattr(runner, "check_file", interrupted)
    found: list[str] = []

    def collect() -> None:
        for file, outcome in check_files(runner, files):
            assert isinstance(outcome, FileReport)
            found.append(file.path)

    with pytest.raises(KeyboardInterrupt):
        collect()
    known = [file.path for file in files]
    assert found == [path for path in known if path in found]
    # Each of the others was stopped, and gave back what it had.
    assert (len(found) == 10) if count == 1 else (10 < len(found) < len(files))

"""Lists of packages that are weak evidence."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint.environment.project import kept_lists
from cfglint.environment.project.kept_lists import lists_beside, record_in
from cfglint.source.files.disk import Disk


def write(root: Path, *names: str) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("trl\n")


def beside(root: Path, *folders: str) -> list[str]:
    found = lists_beside(tuple(str(root / one) for one in folders), Disk())
    return [Path(path).relative_to(root).as_posix() for path in found]


def test_lists_in_folders_beside_the_nearest_first(tmp_path: Path) -> None:
    write(
        tmp_path,
        "requirements.txt",
        "b/requirements.txt",
        "a/requirements.txt",
        "a/x/requirements.txt",
    )
    write(tmp_path, "c/x/other.txt", "c/x/y/requirements.txt", "c/w/requirements.txt")
    assert beside(tmp_path, "c/x", "c", ".") == [
        *("c/x/y/requirements.txt", "c/w/requirements.txt"),
        *("a/requirements.txt", "b/requirements.txt"),
    ]


def test_what_is_retired_hidden_or_of_others_is_none(tmp_path: Path) -> None:
    names = (".hidden", "old", "third_party", "training")
    write(tmp_path, *(f"{name}/requirements.txt" for name in names))
    assert beside(tmp_path, ".") == ["training/requirements.txt"]


def test_a_folder_that_cannot_be_listed_or_is_large_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_lists, "_MAX_FOLDERS", 3)
    write(tmp_path, *(f"many/{name}/requirements.txt" for name in "abcd"), "x/requirements.txt")
    found = ["many/a/requirements.txt", "many/b/requirements.txt", "many/c/requirements.txt"]
    assert beside(tmp_path, "gone", "many", ".") == ["x/requirements.txt"]
    (tmp_path / "many" / "d" / "requirements.txt").unlink()
    (tmp_path / "many" / "d").rmdir()
    assert beside(tmp_path, "gone", "many", ".") == [*found, "x/requirements.txt"]


@pytest.mark.parametrize(
    ("runs", "expected"),
    [
        ([], None),
        (["run-20250101_000000-a"], "run-20250101_000000-a"),
        (["run-20250101_000000-a", "run-20250102_000000-a"], "run-20250102_000000-a"),
        (
            ["run-20250102_000000-a", "offline-run-20250103_000000-b"],
            "offline-run-20250103_000000-b",
        ),
        (["latest-run", "run-2025-a", "debug.log"], None),
    ],
)
def test_the_newest_run_that_kept_a_list(
    tmp_path: Path, runs: list[str], expected: str | None
) -> None:
    write(tmp_path, *(f"wandb/{run}/files/requirements.txt" for run in runs))
    # A later one without a list does not count.
    (tmp_path / "wandb" / "run-20260101_000000-z").mkdir(parents=True)
    found = record_in(str(tmp_path), Disk())
    path = tmp_path / "wandb" / str(expected) / "files" / "requirements.txt"
    assert found == (None if expected is None else str(path))


def test_without_runs_there_is_no_list(tmp_path: Path) -> None:
    assert record_in(str(tmp_path), Disk()) is None

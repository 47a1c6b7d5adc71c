"""Names of folders and files out of use."""

from __future__ import annotations

from cfglint.source.files.retired import (
    holds_others,
    is_copied,
    is_kept_aside,
    is_retired,
    may_be_set_aside,
)
from tests.draws import each


@each(
    "name",
    [
        *("archive", "Archived", "old", "OLD", "_old", "recipes_old", "configs.bak", "backup-2024"),
        *("logs", "log-0816-2-nodes", "buried", "_buried"),
        *("legacy", "train_deprecated", "deprecate", "archive_1", "train_thuglm(作废)", "已弃用"),
    ],
)
def test_out_of_use(name: str) -> None:
    assert is_retired(name)


@each(
    "name",
    [
        "threshold",
        "gold",
        "older",
        "old_growth",
        "legacydata",
        "archive_reader",
        "configs",
        "login",
        "logger",
        "",
    ],
)
def test_in_use(name: str) -> None:
    assert not is_retired(name)


@each(
    ("name", "expected"),
    [
        *(("train.orig.yml", True), ("a.b.BAK.json", True), ("ds.old.json", True)),
        *(("train.yml", False), ("bold.yml", False), ("orig.yml", False), ("x.orig", False)),
    ],
)
def test_kept_aside(name: str, expected: bool) -> None:
    assert is_kept_aside(name) is expected


@each(
    ("name", "expected"),
    [
        *(("lora-old.yml", True), ("lora-old2.yml", True), ("ds_BAK.json", True)),
        *(("run_backup_3.sh", True), ("a.deprecated.py", True), ("train_old-2024.py", True)),
        *(("bold.yml", False), ("old.yml", False), ("five-year-old.yml", False)),
        *(("older-lora.yml", False), ("old-lora.yml", False), ("x_old", False)),
    ],
)
def test_set_aside(name: str, expected: bool) -> None:
    assert may_be_set_aside(name) is expected


@each(
    ("name", "expected"),
    [
        *(
            ("a-Copy1.ipynb", True),
            ("a copy.py", True),
            ("A Copy 2.yml", True),
            ("a (1).ipynb", True),
        ),
        *(("a - Copy.yml", True), ("a - Copy (2).yml", True), ("a(12).yml", True)),
        *(("Copy of a.ipynb", True), ("“a_ipynb”的副本.ipynb", True), ("“a”的副本.py", True)),
        # What it was copied from is not there,
        *(("Copy of b.ipynb", False), ("“b_ipynb”的副本.ipynb", False)),
        *(("b-Copy1.ipynb", False), ("b (1).ipynb", False), ("a (1).py", True)),
        # and names that say something else.
        *(("a_copy.py", False), ("a1.yml", False), ("acopy.yml", False), ("copy.py", False)),
    ],
)
def test_a_copy_of_a_file_beside_it(name: str, expected: bool) -> None:
    beside = frozenset({"a.ipynb", "a.py", "a.yml"})
    assert is_copied(name, beside) is expected


def test_a_folder_of_old_files() -> None:
    assert is_retired("olds")
    assert not is_retired("oldsmobile")


@each(
    ("name", "expected"),
    [
        *(("external", True), ("Vendor", True), ("references", True), ("third_party", True)),
        *(("reference_code", True), ("external-repos", True), ("vendor-projects", True)),
        *(("externalize", False), ("reference-data", False), ("my-vendor", False), ("src", False)),
    ],
)
def test_a_folder_that_may_have_projects_of_others(name: str, expected: bool) -> None:
    assert holds_others(name) is expected

"""The words of other people's scripts: what a run gives to a program, and what cfglint makes of them."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from cfglint.source.shell_values import ExpandedWord
from tests.draws import each
from tools.framework_parity import sandbox, wild_lines


def _words(*texts: str) -> list[ExpandedWord]:
    """Words; `?` is one that is not known, `*` any number of them."""
    return [ExpandedWord(one, 0, 0, one in "?*", one == "*") for one in texts]


@each(
    ("ours", "given", "taken"),
    [
        (("--a", "1"), ["trl", "sft", "--a", "1"], ["--a", "1"]),
        (("--a", "?"), ["trl", "sft", "--a", "7"], ["--a", "7"]),
        (("--a", "1"), ["trl", "sft", "--a", "2"], None),
        (("*", "--a", "1"), ["trl", "--b", "2", "--a", "1"], ["--b", "2", "--a", "1"]),
        (("*", "--a", "1"), ["trl", "--b", "2", "--a", "1", "--c"], None),
        (("--a", "1", "--c"), ["--a", "1"], None),
    ],
)
def test_words_are_those_of_the_run_or_not_known(
    ours: tuple[str, ...], given: list[str], taken: list[str] | None
) -> None:
    assert wild_lines._taken(_words(*ours), given) == taken


def _may_make_namespaces() -> bool:
    tried = ["unshare", "--mount", "--net", "--pid", "--fork", "true"]
    if not all(map(shutil.which, ("unshare", "chroot", "setpriv", "prlimit", "timeout"))):
        return False
    return subprocess.run(tried, capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0 or not _may_make_namespaces(),
    reason="needs the right to make namespaces",
)
def test_a_script_runs_with_stand_ins_and_changes_nothing(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("kept", encoding="utf-8")
    project = tmp_path / "project"
    project.mkdir()
    (project / "run.sh").write_text(
        f"rm -rf {secret} run.sh\ncat {secret} && trl read\nARGS=(--a '1 2')\n"
        'trl sft \\\n  "${ARGS[@]}"\nwhile true; do sleep 1; done\n',
        encoding="utf-8",
    )
    assert sandbox.calls(project, "run.sh") == [("run.sh", 4, ["trl", "sft", "--a", "1 2"])]
    assert secret.read_text(encoding="utf-8") == "kept"
    assert (project / "run.sh").exists()

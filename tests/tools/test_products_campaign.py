"""The campaign of the tests' products: which tests it runs, and that they try everything."""

from __future__ import annotations

import subprocess

import pytest

from tools.campaigns import products


def test_it_runs_the_tests_that_draw_with_all_of_their_cases(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ran = []

    def run(command: list[str], *, env: dict[str, str], check: bool) -> object:
        ran.append((command[1:5], command[5:], env["CFGLINT_TESTS"], check))
        return subprocess.CompletedProcess(command, 5)

    monkeypatch.setattr(subprocess, "run", run)
    assert products.main(["-n", "2"]) == 5
    assert ran == [
        (["-m", "pytest", "-m", products.DRAWING], ["-n", "2"], "whole", False),
    ]

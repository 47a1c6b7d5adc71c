"""The checks of accelerate's config, where there is none to look at."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint.checks.context import CheckContext
from cfglint.environment.project.projects import Projects
from cfglint.environment.surroundings import Memory, Surroundings
from cfglint.framework import load_framework
from cfglint.frameworks.axolotl.checks.accelerate_file import other_precision
from cfglint.source.compose import compose
from cfglint.source.text import SourceText
from tests.linting import environment


@pytest.mark.parametrize(("has_folder", "has_project"), [(True, False), (False, True)])
def test_without_a_project_or_a_folder(
    tmp_path: Path, *, has_folder: bool, has_project: bool
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "uv.lock").write_text('[[package]]\nname = "axolotl"\nversion = "0.18.0"\n')
    project = Projects().for_file(str(tmp_path / "train.yml"), "axolotl")
    assert project is not None
    around = Surroundings(
        Memory(), str(tmp_path) if has_folder else None, project if has_project else None
    )
    document = compose(SourceText("base_model: a/b\nbf16: true\n"))
    context = CheckContext(document, load_framework("axolotl"), environment(), around)
    assert list(other_precision(context)) == []

"""What workflows that test a change say about the releases of a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint.environment.environment import Environment
from cfglint.environment.project.projects import Projects
from cfglint.environment.project.readers.workflows import is_workflow
from cfglint.knowledge.releases.table import releases_of
from cfglint.source.files.disk import Disk
from tests.draws import each

OLDEST = "jobs:\n  oldest:\n    steps:\n      - run: pip install accelerate==1.4.0 peft==0.17.0\n"
TRAINS = OLDEST + "      - run: accelerate launch --config_file fsdp.yaml train.py\n"


def pins(
    folder: Path, framework: str = "accelerate", **files: str
) -> dict[str, tuple[str | None, str | None, bool]]:
    (folder / ".git").mkdir()
    for name, text in files.items():
        path = folder / name.replace("_dot_", ".").replace("_in_", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    project = Projects(Disk()).for_file(str(folder / "conf" / "fsdp.yaml"), framework)
    found = {} if project is None else project.pins
    return {name: (pin.version, pin.spec, pin.inferred) for name, pin in found.items()}


WORKFLOW = "_dot_github_in_workflows_in_tests_dot_yml"


@pytest.mark.parametrize(
    ("files", "accelerate"),
    [
        ({}, (None, ">=1.4.0", True)),
        ({"requirements_dot_txt": "accelerate>=1.2\n"}, (None, ">=1.2", False)),
        ({"setup_dot_py": 'install_requires=["accelerate>=1.2"]\n'}, (None, ">=1.2", False)),
        ({"requirements_dot_txt": "accelerate\n"}, None),
        ({"requirements_dot_txt": "peft\n"}, (None, ">=1.4.0", True)),
    ],
)
def test_a_job_for_the_oldest_versions(
    tmp_path: Path, files: dict[str, str], accelerate: tuple[str | None, str | None, bool] | None
) -> None:
    assert pins(tmp_path, **{WORKFLOW: OLDEST}, **files).get("accelerate") == accelerate


@pytest.mark.parametrize("more", [{}, {"requirements_dot_txt": "accelerate>=1.2\n"}])
def test_a_workflow_that_trains(tmp_path: Path, more: dict[str, str]) -> None:
    assert pins(tmp_path, **{WORKFLOW: TRAINS}, **more)["accelerate"] == ("1.4.0", None, False)


def test_a_build_that_a_workflow_tests_with_says_nothing(tmp_path: Path) -> None:
    commit = "pip install git+https://github.com/huggingface/accelerate@0123456789 peft==0.17.0\n"
    found = pins(tmp_path, **{WORKFLOW: f"run: {commit}"})
    assert found == {"peft": (None, ">=0.17.0", True)}


def test_a_release_that_only_a_workflow_names_is_assumed(tmp_path: Path) -> None:
    pins(tmp_path, **{WORKFLOW: OLDEST})
    project = Projects(Disk()).for_file(str(tmp_path / "fsdp.yaml"), "accelerate")
    assert project is not None
    target = Environment(releases_of("accelerate"), project.pins)
    assert target.assumed
    assert target.release == target.newest
    assert not project.wants_newest("accelerate")


@each(
    ("path", "expected"),
    [
        ("/p/.github/workflows/tests.yaml", True),
        ("/p/.gitlab-ci.yml", True),
        ("/p/azure-pipelines.yml", True),
        ("/p/Jenkinsfile", True),
        ("/p/cloudbuild.yaml", False),
        ("/p/job.yaml", False),
        ("/p/.github/install.sh", False),
        ("/p/train.sh", False),
    ],
)
def test_which_files_are_workflows(path: str, expected: bool) -> None:
    assert is_workflow(path) is expected

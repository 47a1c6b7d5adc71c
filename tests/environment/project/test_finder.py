"""Which file is asked before which."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint.environment.project.file_kinds import kind_of
from cfglint.environment.project.finder import Finder
from cfglint.source.files.disk import Disk
from tests.draws import each


def test_ranks() -> None:
    """What is locked is asked first, then what is asked for, then images and scripts."""
    names = ["poetry.lock", "requirements.txt", "pyproject.toml", "Makefile", "cloudbuild.yaml"]
    found = [kind_of(name) for name in names]
    ranks = [kind[1] for kind in found if kind is not None]
    assert len(ranks) == len(names)
    assert ranks == sorted(set(ranks))


def test_images_of_build_services_are_of_one_rank() -> None:
    names = [
        *(".gitlab-ci.yml", ".gitlab-ci.yaml", "azure-pipelines.yml", "bitbucket-pipelines.yml"),
        *("cloudbuild.yaml", "cloudbuild.yml", "Jenkinsfile"),
    ]
    assert {kind_of(name) for name in names} == {("images", 15)}


#: Names of files, who reads them, and in which order.
KINDS: list[tuple[str, tuple[str, int] | None]] = [
    ("uv.lock", ("toml_locks", 0)),
    ("UV.LOCK", ("toml_locks", 0)),
    ("poetry.lock", ("toml_locks", 1)),
    ("pdm.lock", ("toml_locks", 2)),
    ("pylock.toml", ("toml_locks", 3)),
    ("pylock.gpu.toml", ("toml_locks", 3)),
    ("xpylock.toml", None),
    ("Pipfile", ("pipenv", 6)),
    ("Pipfile.lock", ("pipenv", 3)),
    ("pixi.lock", ("conda_locks", 3)),
    ("conda-linux-64.lock", ("conda_locks", 7)),
    ("conda.lock", None),
    ("x.lock", None),
    ("requirements.txt", ("requirements", 4)),
    ("requirements.lock", ("requirements", 4)),
    ("requirements-dev.lock", ("requirements", 4)),
    ("requirements-dev.txt", ("requirements", 5)),
    ("requirements_gpu.txt", ("requirements", 5)),
    ("dev-requirements.txt", ("requirements", 5)),
    ("dev_requirements.txt", ("requirements", 5)),
    ("myrequirements.txt", None),
    ("environment.txt", ("conda_locks", 7)),
    ("conda-list.txt", ("conda_locks", 7)),
    ("explicit.txt", ("conda_locks", 7)),
    ("spec-file.txt", ("conda_locks", 7)),
    ("spec_file.txt", ("conda_locks", 7)),
    ("notes.txt", None),
    ("pyproject.toml", ("pyproject", 6)),
    ("setup.py", ("setup_script", 6)),
    ("x.toml", None),
    ("conda-lock.yml", ("conda_locks", 3)),
    ("gpu.conda-lock.yml", ("conda_locks", 3)),
    ("x-conda-lock.yaml", ("conda_locks", 3)),
    ("environment.yml", ("conda", 8)),
    ("env.yaml", ("conda", 8)),
    ("conda_env.yml", ("conda", 8)),
    ("conda-x.yml", ("conda", 8)),
    ("my-environment.yml", ("conda", 8)),
    ("my.environment.yaml", ("conda", 8)),
    ("environments.yml", None),
    ("compose.yml", ("launch", 10)),
    ("docker-compose.gpu.yaml", ("launch", 10)),
    ("xcompose.yml", None),
    ("accelerate.yaml", ("settings", 13)),
    ("accelerate_config.yml", ("settings", 13)),
    ("default_config.yaml", ("settings", 13)),
    ("sky.yaml", ("launch", 11)),
    ("sky-train.yml", ("launch", 11)),
    ("my_job.yaml", ("launch", 11)),
    ("k8s.yml", ("launch", 11)),
    ("deploy.yml", ("launch", 11)),
    (".launch.yml", None),
    ("skyline.yml", None),
    ("runpod.yaml", ("launch", 11)),
    ("train.yml", None),
    ("Makefile", ("launch", 14)),
    ("makefile", ("launch", 14)),
    ("justfile", ("launch", 14)),
    ("Makefile.in", None),
    (".gitlab-ci.yml", ("images", 15)),
    (".gitlab-ci.yaml", ("images", 15)),
    ("azure-pipelines.yml", ("images", 15)),
    ("bitbucket-pipelines.yml", ("images", 15)),
    ("cloudbuild.yaml", ("images", 15)),
    ("cloudbuild.yml", ("images", 15)),
    ("Jenkinsfile", ("images", 15)),
    ("Dockerfile", ("images", 9)),
    ("dockerfile.gpu", ("images", 9)),
    ("Containerfile", ("images", 9)),
    ("gpu.dockerfile", ("images", 9)),
    ("xDockerfile", None),
    ("modal_app.py", ("launch", 12)),
    ("app.modal.py", ("launch", 12)),
    ("runpod.py", ("launch", 12)),
    ("train.py", ("program", 19)),
    ("sky.json", ("launch", 11)),
    ("job.json", ("launch", 11)),
    ("runpod-job.json", ("launch", 11)),
    ("data.json", None),
    ("train.sh", ("launch", 13)),
    ("run_all.sh", ("launch", 13)),
    ("launch-x.sh", ("launch", 13)),
    ("start.sh", ("launch", 13)),
    ("finetune.sh", ("launch", 13)),
    ("my_train.sh", ("launch", 13)),
    ("a-sbatch.sh", ("launch", 13)),
    ("axolotl.sh", ("launch", 13)),
    ("my_axolotl_run.sh", ("launch", 13)),
    ("deepspeed.sh", None),
    ("install.sh", ("install", 14)),
    ("install_trl.sh", ("install", 14)),
    ("install_npu.sh", None),
    ("a.sbatch", ("launch", 13)),
    ("a.slurm", ("launch", 13)),
    ("a.slurmx", None),
    ("README.md", ("readme", 18)),
    ("noext", None),
]


@each(("name", "kind"), KINDS)
def test_kinds(name: str, kind: tuple[str, int] | None) -> None:
    assert kind_of(name) == kind


@pytest.mark.parametrize(
    ("is_repository", "script", "found"),
    [
        (True, None, ["README.md", "configs/go.sh", "scripts/run.sh"]),
        # Outside a repository the folder above may be of anything,
        (False, None, ["configs/go.sh"]),
        # and where only one script counts, the others do not.
        (True, "scripts/run.sh", ["scripts/run.sh"]),
        (True, "scripts/gone.sh", []),
    ],
)
def test_the_scripts_of_a_project(
    tmp_path: Path, is_repository: bool, script: str | None, found: list[str]
) -> None:
    for name in ("README.md", "configs/go.sh", "scripts/run.sh", "configs/train.yml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("accelerate launch train.py\n")
    if is_repository:
        (tmp_path / ".git").mkdir()
    finder = Finder(Disk(), None if script is None else str(tmp_path / script))
    paths = finder.scripts_of(str(tmp_path / "configs"))
    assert [Path(path).relative_to(tmp_path).as_posix() for path in paths] == found


@each(
    ("path", "text", "counts"),
    [
        # A script starts a config whatever it is called,
        ("sft.sh", "NPROC_PER_NODE=4 llamafactory-cli train train.yml\n", True),
        ("full.bash", "llamafactory-cli train train.yml\n", True),
        ("scripts/qwen.sh", "llamafactory-cli train train.yml\n", True),
        ("install_and_go.sh", "pip install trl\ntrl sft --config train.yml\n", True),
        # and one that starts none states nothing, unless its name says so.
        ("sft.sh", "pip install llamafactory==0.9.1 --num_gpus 8\n", False),
        ("sft.sh", "# llamafactory-cli train train.yml\n", False),
        ("sft.sh", "llamafactory-cli train --stage sft\n", False),
        ("run.sh", "pip install llamafactory==0.9.1\n", True),
    ],
)
def test_scripts_of_any_name(tmp_path: Path, path: str, text: str, counts: bool) -> None:
    (tmp_path / ".git").mkdir(exist_ok=True)
    (tmp_path / path).parent.mkdir(exist_ok=True)
    (tmp_path / path).write_text(text)
    found = [source.path for source in Finder(Disk()).sources(str(tmp_path))]
    (tmp_path / path).unlink()
    assert found == ([str(tmp_path / path)] if counts else [])


def test_scripts_of_any_name_take_no_place_from_other_files(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    for number in range(60):
        (tmp_path / f"a{number}.sh").write_text("llamafactory-cli train train.yml\n")
    (tmp_path / "README.md").write_text("pip install llamafactory==0.9.1\n")
    kinds = [source.kind for source in Finder(Disk()).sources(str(tmp_path))]
    assert kinds == ["readme", *["launch"] * 60]

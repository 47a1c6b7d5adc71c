"""Which module reads a file of a project, by its name or its beginning."""

from __future__ import annotations

import os

from cfglint.environment.project.file_kinds import (
    exported_in,
    is_not_of_training,
    is_of_any_name,
    is_of_other_hardware,
    kind_in_folder,
    kind_of,
    kind_of_head,
    may_be_exported,
    may_install,
    may_tell,
    scripts_in,
    starts_config,
    to_read,
    workflows_in,
)
from cfglint.source.files.memory import InMemory
from tests.draws import each


@each(
    ("names", "kind"),
    [
        ("uv.lock UV.LOCK", ("toml_locks", 0)),
        ("pylock.toml pylock.dev.toml", ("toml_locks", 3)),
        ("Pipfile.lock", ("pipenv", 3)),
        ("conda-lock.yml x.conda-lock.yml linux-conda-lock.yaml", ("conda_locks", 3)),
        ("requirements.txt requirements.lock requirements-dev.lock", ("requirements", 4)),
        ("requirements-gpu.txt my-requirements.txt my_requirements.txt", ("requirements", 5)),
        ("pip-freeze.txt freeze.txt pip_freeze.2024.txt", ("requirements", 5)),
        ("pyproject.toml", ("pyproject", 6)),
        ("conda-list.txt environment.txt explicit.txt spec-file.txt", ("conda_locks", 7)),
        ("conda-linux-64.lock", ("conda_locks", 7)),
        ("environment.yml my-environment.yaml env.yml conda_env.yml conda.yaml", ("conda", 8)),
        ("Dockerfile Dockerfile.gpu containerfile train.dockerfile", ("images", 9)),
        ("compose.yaml docker-compose.gpu.yml", ("launch", 10)),
        ("job.yaml my-pod.yml sky.yml runpod.yaml launch-x.json modal.json", ("launch", 11)),
        ("modal_app.py runpod.py", ("launch", 12)),
        ("train.sh run-it.sh launch.sh start.sh finetune_x.sh my-slurm.sh", ("launch", 13)),
        ("my_train.sh axolotl.sh a.sbatch b.slurm", ("launch", 13)),
        ("Makefile justfile", ("launch", 14)),
        ("install.sh my_setup.sh setup-gpu.sh", ("install", 14)),
        (".gitlab-ci.yml azure-pipelines.yml cloudbuild.yaml Jenkinsfile", ("images", 15)),
        (".gitmodules", ("submodules", 7)),
        ("poetry.lock", ("toml_locks", 1)),
        ("pdm.lock", ("toml_locks", 2)),
        ("pixi.lock", ("conda_locks", 3)),
        ("setup.py", ("setup_script", 6)),
        ("Pipfile", ("pipenv", 6)),
        ("README.md readme.rst", ("readme", 18)),
        ("main.py train.py", ("program", 19)),
        ("accelerate.yaml accelerate_config.yml", ("settings", 13)),
    ],
)
def test_a_name(names: str, kind: tuple[str, int]) -> None:
    assert {name: kind_of(name) for name in names.split()} == dict.fromkeys(names.split(), kind)


@each(
    "names",
    [
        "notes.txt freezer.txt requirement.txt x-requirements-y.txt",
        "other.lock requirements_dev.lock yarn.lock conda.lock",
        "config.toml my-pylock.toml x.pylock.toml",
        "train.yaml environments.yml jobs.yaml .job.yaml config.yaml",
        "config.json jobs.json docker",
        "eval.sh install_cpu.sh setup-dev.sh test_install.sh mytrain.sh reinstall.sh",
        "x.ipynb no_suffix",
    ],
)
def test_what_is_none_of_them(names: str) -> None:
    assert {name: kind_of(name) for name in names.split()} == dict.fromkeys(names.split())


@each(
    ("name", "kind"),
    [
        ("train.sh", ("launch", 13)),
        ("eval.sh", ("script", 20)),
        ("config.yaml", ("platforms", 11)),
        ("Cog.yaml", ("platforms", 11)),
        ("train.yaml", None),
    ],
)
def test_what_the_contents_may_show(name: str, kind: tuple[str, int] | None) -> None:
    assert kind_in_folder(name) == kind


FILES = InMemory(
    dict.fromkeys(
        (
            *("p/scripts/train.sh", "p/scripts/eval.sh", "p/scripts/main.py", "p/scripts/a.sbatch"),
            *(".github/workflows/b.yml", ".github/workflows/a.yaml", ".github/workflows/c.md"),
        ),
        b"",
    )
)


def test_the_scripts_of_a_folder_and_the_workflows_of_a_repository() -> None:
    rows = {
        os.path.basename(path): (kind, rank) for path, kind, rank in scripts_in("p/scripts", FILES)
    }
    assert rows == {
        "train.sh": ("launch", 17),
        "eval.sh": ("script", 20),
        "main.py": ("script", 20),
        "a.sbatch": ("launch", 17),
    }
    assert scripts_in("p/none", FILES) == []
    found = workflows_in(".", FILES)
    assert [(os.path.basename(path), kind, rank) for path, kind, rank in found] == [
        ("a.yaml", "images", 16),
        ("b.yml", "images", 16),
    ]
    assert workflows_in("p", FILES) == ()


def test_of_very_many_files_some_are_read() -> None:
    files = tuple((f"{n}", "images", 9) for n in range(30))
    scripts = tuple((f"{n}.sh", "script", 20) for n in range(110))
    workflows = tuple((f"{n}.yml", "images", 16) for n in range(30))
    read = to_read(scripts + files, workflows)
    assert read == (*files, *workflows[:10], *scripts[:100])


@each(
    ("name", "others", "expected"),
    [
        ("requirements-npu.txt", ["requirements.txt"], True),
        ("requirements_AMD.txt", ["requirements.txt"], True),
        ("requirements-npu.txt", [], False),
        ("requirements-gpu.txt", ["requirements.txt"], False),
        ("npu.txt", ["requirements.txt"], False),
        ("requirements-npu.in", ["requirements.txt"], False),
    ],
)
def test_lists_for_other_hardware(name: str, others: list[str], expected: bool) -> None:
    assert is_of_other_hardware(name, others) is expected


@each(
    ("name", "exported", "of_training"),
    [
        ("list.txt", True, True),
        ("my_env.yaml", True, True),
        ("x.YML", True, True),
        ("eval.txt", False, False),
        ("My-Demo.yaml", False, False),
        ("evaluate.txt", True, True),
        ("requirements.txt", False, True),
        ("list.json", False, True),
        ("list", False, True),
    ],
)
def test_names_that_say_nothing(name: str, exported: bool, of_training: bool) -> None:
    assert may_be_exported(name) is exported
    assert is_not_of_training(name.rpartition(".")[0]) is not of_training
    assert is_of_any_name(f"/x/{name}", "conda") is exported
    assert is_of_any_name(f"/x/{name}", "requirements") is exported
    assert not is_of_any_name(f"/x/{name}", "launch")


PINS = [f"package-{n}[x]==1.{n}\n" for n in range(8)]
CONDA, FROZEN = ("conda", 8), ("requirements", 8)


@each(
    ("head", "kind"),
    [
        ("".join(PINS), FROZEN),
        ("# a\n\n" + "".join(PINS), FROZEN),
        ("".join(PINS[:7]), None),
        ("".join(PINS[:7]) + "torch @ file:///x\n", FROZEN),
        ("".join(PINS) + "torch\n", None),
        ("".join(PINS) * 2 + "torch\n", FROZEN),
        ("a==b\n" * 9, None),
        ("a b==1\n" * 9, None),
        ("a=1\n" * 9, None),
        ("".join(PINS[:7]) + f"{'x' * 3_000}==1\n", None),
        ("name: x\nchannels: [a]\ndependencies:\n", CONDA),
        ("channels: [a]\ndependencies:\n  - x\n", CONDA),
        ("name: x\ndependencies:\n  - python=3.10\n", CONDA),
        ("name: x\ndependencies:\n- pip\n", CONDA),
        ("name: x\ndependencies:\n  - torch\n", None),
        ("dependencies:\n  - python\n", None),
        ("name: x\n  dependencies:\n  - python\n", None),
        ("", None),
    ],
)
def test_an_environment_of_any_name(head: str, kind: tuple[str, int] | None) -> None:
    assert kind_of_head(head) == kind


def test_the_environments_of_a_folder() -> None:
    frozen = "".join(PINS)
    data = {
        "a.txt": frozen.encode(),
        "b.txt": b"\xff\xfe" + frozen.encode("utf-16-le"),
        "c.txt": b"words",
        "d.yaml": b"channels: [a]\ndependencies:\n",
        "requirements.txt": frozen.encode(),
    }
    files = InMemory({f"p/{name}": text for name, text in data.items()})
    found = exported_in("p", [*data, "gone.txt"], files)
    assert [(os.path.basename(path), kind) for path, kind, _ in found] == [
        ("a.txt", "requirements"),
        ("b.txt", "requirements"),
        ("d.yaml", "conda"),
    ]
    assert exported_in("p", [*data, *(f"{n}.txt" for n in range(60))], files) == []


@each(
    ("kind", "text", "tells"),
    [
        ("launch", "--nproc_per_node 8", True),
        ("launch", "echo", False),
        ("launch", "pip install torch", True),
        ("images", "FROM pytorch/pytorch", True),
        ("images", "FROM alpine", False),
        ("install", "gpu", False),
        ("requirements", "anything", True),
        ("pyproject", "torch", True),
        ("pyproject", "anything", False),
        ("readme", "transformers", True),
        ("program", "import modal\npip_install('torch')", True),
        ("program", "pip_install('torch')", False),
        ("program", "import modal", False),
    ],
)
def test_which_texts_are_looked_at(kind: str, text: str, tells: bool) -> None:
    assert may_tell(kind, text) is tells


def test_texts_that_install_or_start_something() -> None:
    assert may_install("git clone https://github.com/axolotl-ai-cloud/axolotl")
    assert may_install("pip install torch")
    assert not may_install("pip install made-up")
    assert not may_install("torch")
    assert starts_config("x.sh", "axolotl train x.yml\n")
    assert not starts_config("x.sh", "axolotl --version\n")
    assert not starts_config("x.sh", "train x.yml\n")
    program = 'run(["axolotl", "train", "x.yml"])\n'
    assert starts_config("x.py", "from subprocess import run\n" + program)
    assert not starts_config("x.py", program)

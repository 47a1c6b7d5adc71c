"""The project around a config: which files are found, which statement counts, what is not trusted."""

from __future__ import annotations

import json
import os
import pickle
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cfglint import lint_file
from cfglint.engine.environments import Environments
from cfglint.engine.settings.nearest import Settings
from cfglint.environment.environment import Environment
from cfglint.environment.project import finder
from cfglint.environment.project.file_kinds import kind_of
from cfglint.environment.project.project import Project
from cfglint.environment.project.projects import Projects
from cfglint.environment.surroundings import Memory
from cfglint.report.target import as_data, described
from cfglint.roles.framework import load_framework
from cfglint.source.files.disk import Disk
from tests.draws import examples

FILES = Path(__file__).parent / "files"
LOCK = '[[package]]\nname = "axolotl"\nversion = "0.9.2"\n\n[[package]]\nname = "torch"\nversion = "2.6.0"\n'


def write(root: Path, **files: str) -> Path:
    """A repository; names use `__` for a slash and `_dot_` for a dot."""
    (root / ".git").mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        path = root / name.replace("__", "/").replace("_dot_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def project(config: Path) -> Project:
    found = Projects(Disk()).for_file(str(config), "axolotl")
    assert found is not None
    return found


def pins(config: Path) -> dict[str, str]:
    return {name: str(pin) for name, pin in project(config).pins.items()}


def target(
    config: Path,
    *told: str,
    settings: Settings | None = None,
    gpus: int | None = None,
    framework: str = "axolotl",
) -> Environment:
    environments = Environments(
        load_framework(framework),
        pins=told,
        gpus=gpus,
        gpu=None,
        projects=Projects(Disk()),
        memory=Memory(),
        files=Disk(),
    )
    return environments.for_file(settings or Settings(), str(config))[0]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_places_are_named_from_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, uv_dot_lock=LOCK, a__b__c__train_dot_yml="")
    for folder, name in (
        (".", "uv.lock"),
        ("a/b", "../../uv.lock"),
        ("a/b/c", tmp_path / "uv.lock"),
    ):
        monkeypatch.chdir(tmp_path / folder)
        assert target(tmp_path / "a/b/c/train.yml").release_origin == f"{name} line 2"


def test_nothing_around(tmp_path: Path) -> None:
    write(tmp_path, readme="x", train_dot_yml="base_model: x", pyproject_dot_toml="[tool.ruff]\n")
    assert Projects(Disk()).for_file(str(tmp_path / "train.yml"), "axolotl") is None


def test_the_nearest_file_wins(tmp_path: Path) -> None:
    write(
        tmp_path,
        uv_dot_lock=LOCK,
        a__b__requirements_dot_txt="axolotl==0.12.2\n",
        a__b__c__train_dot_yml="",
    )
    assert pins(tmp_path / "a/b/c/train.yml") == {"axolotl": "0.12.2"}
    assert pins(tmp_path / "a/train.yml") == {"axolotl": "0.9.2", "torch": "2.6.0"}


def test_a_lock_file_wins_over_wishes_and_images(tmp_path: Path) -> None:
    write(
        tmp_path,
        Dockerfile="FROM axolotlai/axolotl:0.12.2\n",
        pyproject_dot_toml='[project]\nname = "x"\ndependencies = ["axolotl>=0.5", "torch==1.0"]\n',
        uv_dot_lock=LOCK,
    )
    found = target(tmp_path / "train.yml")
    assert (found.release, found.release_origin) == ("0.9.2", "uv.lock line 2")
    assert str(found.pins["torch"]) == "2.6.0"


def test_other_files_complete_one_that_is_no_lock_file(tmp_path: Path) -> None:
    write(
        tmp_path, Dockerfile="FROM axolotlai/axolotl:0.9.2\n", requirements_dot_txt="trl==0.17.0\n"
    )
    assert pins(tmp_path / "train.yml") == {"axolotl": "0.9.2", "trl": "0.17.0"}


def test_ranges_narrow(tmp_path: Path) -> None:
    write(
        tmp_path,
        pyproject_dot_toml='[project]\nname = "x"\ndependencies = ["axolotl>=0.8,<0.10"]\n',
    )
    found = target(tmp_path / "train.yml")
    assert (found.release, found.assumed) == ("0.9.2", True)
    write(
        tmp_path, pyproject_dot_toml='[project]\nname = "x"\ndependencies = ["trl<0.17,>0.15.1"]\n'
    )
    assert target(tmp_path / "train.yml").release == "0.8.1"


def test_files_about_something_else(tmp_path: Path) -> None:
    write(tmp_path, requirements_dot_txt="torch==2.2.0\ntransformers==4.36.0\n")
    assert pins(tmp_path / "train.yml") == {}


def test_options_and_settings_win(tmp_path: Path) -> None:
    write(
        tmp_path,
        uv_dot_lock=LOCK,
        sky_dot_yaml="run: axolotl\nresources:\n  accelerators: H100:8\n",
    )
    config = tmp_path / "train.yml"
    other = target(config, "axolotl==0.18.0", gpus=2)
    assert (other.release, other.release_origin) == ("0.18.0", "--target")
    assert "torch" not in other.pins
    assert other.facts["gpus"].value == 2
    settled = Settings(origin="/x/cfglint.toml", target=("axolotl==0.12.2",))
    assert target(config, settings=settled).release_origin == "cfglint.toml"
    same = target(config, "axolotl==0.9.2")
    assert str(same.pins["torch"]) == "2.6.0"
    kept = target(config, "trl==0.17.0")
    assert (kept.release, str(kept.pins["trl"])) == ("0.9.2", "0.17.0")


def test_an_image_implies_torch(tmp_path: Path) -> None:
    write(tmp_path, Dockerfile="FROM axolotlai/axolotl:main-20241001-py3.11-cu121-2.4.1\n")
    found = target(tmp_path / "train.yml")
    assert found.placed
    assert found.pins["axolotl"].between == ("0.4.0", "0.4.1")
    assert (found.pins["torch"].version, found.pins["torch"].implied) == ("2.4.1", True)


def test_commits_and_forks(tmp_path: Path) -> None:
    url = "git+https://github.com/axolotl-ai-cloud/axolotl"
    write(
        tmp_path, requirements_dot_txt=f"axolotl @ {url}@54673fd6ca39bf86addb20ba7d44a77071b4dc4f\n"
    )
    assert target(tmp_path / "train.yml").pins["axolotl"].between == ("0.4.1", "0.5.0")
    write(tmp_path, requirements_dot_txt=f"axolotl @ {url}@{'ab' * 20}\n")
    found = target(tmp_path / "train.yml")
    assert (found.placed, found.pins["axolotl"].commit) == (False, "ab" * 20)


def test_a_fork_among_the_submodules_counts_beside_its_name_in_a_lock(tmp_path: Path) -> None:
    lock = '[[package]]\nname = "axolotl"\nsource = { editable = "modules/axolotl" }\n'
    modules = (
        '[submodule "m"]\n\tpath = modules/axolotl\n\turl = https://github.com/me/axolotl.git\n'
    )
    write(tmp_path, uv_dot_lock=lock)
    (tmp_path / ".gitmodules").write_text(modules)
    assert target(tmp_path / "train.yml").is_fork()


@pytest.mark.parametrize(
    ("files", "gpus", "gpu"),
    [
        ({"sky_dot_yaml": "run: axolotl train\nresources:\n  accelerators: H100:8\n"}, 8, "h100"),
        ({"sky_dot_yaml": "resources:\n  accelerators: H100:8\n"}, None, None),
        ({"sky_dot_yaml": "run: x train.yml\nresources:\n  accelerators: H100:8\n"}, 8, "h100"),
        (
            {
                "sky_dot_yaml": "run: x train.yml\nresources:\n  accelerators: H100:8\n",
                "job_dot_yaml": "run: axolotl other.yml\nnvidia.com/gpu: 2\n",
            },
            8,
            "h100",
        ),
        ({"sky_dot_yaml": "run: x pretrain.yml\nresources:\n  accelerators: H100:8\n"}, None, None),
        (
            {
                "run_dot_sh": "axolotl train $1 --num_processes 8\n",
                "train_dot_sh": "axolotl train $1 --num_processes 4\n",
            },
            None,
            None,
        ),
        ({"accelerate_dot_yaml": "distributed_type: FSDP\nnum_processes: 4\n"}, None, None),
        ({"sky_dot_yaml": "run: axolotl train\nresources:\n  accelerators: potato:8\n"}, 8, None),
    ],
)  # fmt: skip
def test_hardware(tmp_path: Path, files: dict[str, str], gpus: int | None, gpu: str | None) -> None:
    write(tmp_path, **files)
    facts = target(tmp_path / "train.yml").facts
    assert (facts["gpus"].value if gpus else None) == gpus
    assert (facts["gpu"].value if gpu else None) == gpu
    assert ("gpus" in facts, "gpu" in facts) == (gpus is not None, gpu is not None)


def test_the_accelerate_config_that_a_launch_names(tmp_path: Path) -> None:
    """A neighbour that nothing launches with the file says nothing about it."""
    write(tmp_path, accelerate_dot_yaml="distributed_type: FSDP\nnum_processes: 4\n")
    config = tmp_path / "train.yml"
    assert "gpus" not in target(config).facts
    launch = "accelerate launch --config_file accelerate.yaml -m axolotl.cli.train"
    write(tmp_path, run_dot_sh=f"{launch} other.yml\n")
    assert "gpus" not in target(config).facts
    write(tmp_path, run_dot_sh=f"{launch} train.yml\n")
    found = target(config).facts["gpus"]
    assert (found.value, found.weak) == (4, False)


@pytest.mark.parametrize(
    ("framework", "text", "gpus"),
    [
        ("axolotl", "axolotl train $1 --num_processes 4\n", 4),
        ("axolotl", "accelerate launch --num_processes 4 -m axolotl.cli.train $1\n", 4),
        # Its own options say what it trains.
        (
            "llamafactory",
            "A='--nproc_per_node 4'\ntorchrun $A src/train.py \\\n  --stage sft --do_train\n",
            None,
        ),
        ("llamafactory", "torchrun --nproc_per_node 4 src/train.py $1\n", 4),
        # It does not start a file that another one names.
        ("deepspeed", "deepspeed --num_gpus 4 train.py --deepspeed other.json\n", None),
    ],
)
def test_a_script_that_starts_what_it_is_given_is_weak_evidence(
    tmp_path: Path, framework: str, text: str, gpus: int | None
) -> None:
    write(tmp_path, run_dot_sh=text)
    found = target(tmp_path / "train.yml", framework=framework).facts.get("gpus")
    assert (found.value if found is not None else None) == gpus
    assert found is None or found.weak


def test_the_accelerate_config_of_another_folder(tmp_path: Path) -> None:
    write(tmp_path, accelerate_dot_yaml="distributed_type: FSDP\nnum_processes: 4\n")
    assert Projects(Disk()).for_file(str(tmp_path / "deep" / "train.yml"), "axolotl") is None


def test_no_further_than_the_repository(tmp_path: Path) -> None:
    (tmp_path / "uv.lock").write_text(LOCK)
    write(tmp_path / "repo", a__train_dot_yml="")
    assert Projects(Disk()).for_file(str(tmp_path / "repo/a/train.yml"), "axolotl") is None


def test_without_a_repository_only_what_is_close(tmp_path: Path) -> None:
    (tmp_path / "uv.lock").write_text(LOCK)
    for folder, found in (("", True), ("a", True), ("a/b", True), ("a/b/c", False)):
        (tmp_path / folder).mkdir(exist_ok=True)
        assert (
            Projects(Disk()).for_file(str(tmp_path / folder / "x.yml"), "axolotl") is not None
        ) is found


def test_a_folder_that_anybody_may_write_to(tmp_path: Path) -> None:
    (tmp_path / "uv.lock").write_text(LOCK)
    (tmp_path / "a").mkdir()
    tmp_path.chmod(0o777)
    assert Projects(Disk()).for_file(str(tmp_path / "a" / "x.yml"), "axolotl") is None


def test_links_out_of_the_repository(tmp_path: Path) -> None:
    (tmp_path / "secret.lock").write_text(LOCK)
    repo = write(
        tmp_path / "repo", requirements_dot_txt="-r ../../../etc/passwd\n-r ../secret.txt\n"
    )
    (tmp_path / "secret.txt").write_text("axolotl==0.9.2\n")
    os.symlink(tmp_path / "secret.lock", repo / "uv.lock")
    os.symlink(repo / "poetry.lock", repo / "poetry.lock")
    assert Projects(Disk()).for_file(str(repo / "train.yml"), "axolotl") is None


def test_what_is_no_file(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "uv.lock").mkdir()
    os.mkfifo(tmp_path / "requirements.txt")
    assert Projects(Disk()).for_file(str(tmp_path / "train.yml"), "axolotl") is None


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("uv.lock", b"\xff", "not UTF-8"),
        ("uv.lock", b"[[package", "not valid TOML"),
        ("pyproject.toml", b"[torch", "not valid TOML"),
        ("requirements.txt", b"axolotl==0.9.2 \x80", "not UTF-8"),
    ],
)
def test_broken_files_are_a_note(tmp_path: Path, name: str, content: bytes, problem: str) -> None:
    write(tmp_path)
    (tmp_path / name).write_bytes(content)
    (source,) = project(tmp_path / "train.yml").sources
    assert problem in str(source.problem)
    assert target(tmp_path / "train.yml").assumed


def test_large_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finder, "MAX_LOCK_BYTES", 10)
    write(tmp_path, uv_dot_lock=LOCK)
    (source,) = project(tmp_path / "train.yml").sources
    assert "larger than" in str(source.problem)


def test_utf_16(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "requirements.txt").write_bytes("axolotl==0.9.2\r\n".encode("utf-16"))
    assert pins(tmp_path / "train.yml") == {"axolotl": "0.9.2"}


def test_versions_that_are_none(tmp_path: Path) -> None:
    write(tmp_path, uv_dot_lock=LOCK.replace("0.9.2", "1" * 5000).replace("2.6.0", "\x1b[31m"))
    found = target(tmp_path / "train.yml")
    assert found.assumed


def test_folders_are_listed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, uv_dot_lock=LOCK)
    (tmp_path / "a").mkdir()
    listed: list[str] = []
    real = os.listdir

    def listdir(path: str) -> list[str]:
        listed.append(path)
        return real(path)

    monkeypatch.setattr("os.listdir", listdir)
    projects = Projects(Disk())
    for number in range(5):
        projects.for_file(str(tmp_path / f"{number}.yml"), "axolotl")
        projects.for_file(str(tmp_path / "a" / f"{number}.yml"), "axolotl")
    own = [path for path in listed if not path.endswith("workflows")]
    assert sorted(own) == [str(tmp_path), str(tmp_path / "a")]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("uv.lock", "toml_locks"),
        ("pylock.gpu.toml", "toml_locks"),
        ("requirements-dev.txt", "requirements"),
        ("gpu_requirements.txt", "requirements"),
        ("pip-freeze.txt", "requirements"),
        ("freeze.cu121.txt", "requirements"),
        ("unfreeze.txt", None),
        ("environment-gpu.yaml", "conda"),
        ("Dockerfile.train", "images"),
        ("train.Dockerfile", "images"),
        ("docker-compose.override.yml", "launch"),
        ("llama.sky.yaml", "launch"),
        ("k8s-train.yaml", "launch"),
        ("modal_app.py", "launch"),
        ("run_8gpu.sh", "launch"),
        ("accelerate_fsdp.yaml", "settings"),
        ("train.yml", None),
        ("config.yaml", None),
        ("environmental.yml", None),
        ("skyline.yaml", None),
        ("notes.txt", None),
        ("", None),
        (".", None),
    ],
)
def test_names(name: str, kind: str | None) -> None:
    found = kind_of(name)
    assert (found[0] if found else None) == kind


@given(st.text(max_size=30))
def test_any_name(name: str) -> None:
    kind_of(name)


@pytest.mark.parametrize(
    ("name", "text", "release", "between"),
    [
        ("VERSION", "0.14.0\n", "0.14.0", None),
        ("src/axolotl/__init__.py", '"""Axolotl"""\n\n__version__ = "0.9.2"\n', "0.9.2", None),
        ("VERSION", "0.13.0.dev0\n", "0.13.0", ("0.12.2", "0.13.0")),
        ("VERSION", "0.99.0.dev0\n", "0.21.0", ("0.21.0", None)),
    ],
)
def test_a_config_inside_a_clone_of_axolotl(
    tmp_path: Path, name: str, text: str, release: str, between: tuple[str, str] | None
) -> None:
    write(tmp_path, pyproject_dot_toml='[project]\nname = "axolotl"\ndynamic = ["version"]\n')
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_text(text)
    found = target(tmp_path / "examples" / "train.yml")
    assert (found.release, found.pins["axolotl"].between) == (release, between)


@pytest.mark.parametrize(
    "project",
    [
        '[project]\nname = "llamafactory"\n',
        '[tool.ruff.lint.isort]\nknown-first-party = ["llamafactory"]\n',
        None,
    ],
)
def test_a_config_inside_a_clone_of_llama_factory(tmp_path: Path, project: str | None) -> None:
    if project is not None:
        write(tmp_path, pyproject_dot_toml=project)
    (tmp_path / "src/llamafactory/extras").mkdir(parents=True)
    own = tmp_path / "src/llamafactory/extras/env.py"
    own.write_text('import torch\n\nVERSION = "0.9.4.dev0"\n', encoding="utf-8")
    found = target(tmp_path / "examples" / "train.yml", framework="llamafactory")
    assert found.pins["llamafactory"].between == ("0.9.3", "0.9.4")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            ".github/workflows/ci.yml",
            "a: axolotlai/axolotl:0.9.2\nb: axolotlai/axolotl:0.12.2\n",
        ),
        ("Dockerfile", "RUN pip install axolotl==0.9.2\nRUN pip install axolotl==0.12.2\n"),
        (
            "requirements.txt",
            "axolotl==0.9.2; python_version < '3.12'\naxolotl==0.20.0; python_version >= '3.12'\n",
        ),
    ],
)
def test_a_file_with_several_versions_states_none(tmp_path: Path, name: str, text: str) -> None:
    write(tmp_path)
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_text(text)
    assert target(tmp_path / "train.yml").release_origin == "the newest known"


def test_what_an_image_gets_on_top(tmp_path: Path) -> None:
    text = "FROM axolotlai/axolotl:0.9.2-py3.11-cu124-2.6.0\nRUN pip install axolotl==0.12.2\n"
    write(tmp_path, Dockerfile=text)
    assert pins(tmp_path / "train.yml")["axolotl"] == "0.12.2"


def test_a_report_from_another_process_leaves_the_texts_behind(tmp_path: Path) -> None:
    write(tmp_path, uv_dot_lock=LOCK + "# " + "x" * 100_000 + "\n")
    before = target(tmp_path / "train.yml")
    data = pickle.dumps(before)
    assert len(data) < 50_000
    after = pickle.loads(data)
    assert described(after) == described(before)
    assert as_data(after) == as_data(before)
    found = project(tmp_path / "train.yml")
    again = pickle.loads(pickle.dumps(found))
    assert again.pins == found.pins
    assert vars(found).keys() - vars(again).keys() == {"_finder", "_launched", "_lines"}


_FILES = {
    "uv.lock": FILES / "uv.lock",
    "poetry.lock": FILES / "poetry-git.lock",
    "pylock.toml": FILES / "pylock.toml",
    "requirements.txt": FILES / "requirements-uv.txt",
    "pyproject.toml": None,
    "environment.yml": None,
    "Dockerfile": None,
    "sky.yaml": None,
    "modal_app.py": None,
}
_STARTS = {
    "pyproject.toml": '[project]\nname = "x"\nversion = "1"\ndependencies = ["axolotl==0.9.2"]\n',
    "environment.yml": "dependencies:\n  - python=3.11\n  - pip:\n    - axolotl==0.9.2\n",
    "Dockerfile": "FROM axolotlai/axolotl:main-20241001-py3.11-cu121-2.4.1\nRUN pip install trl==0.1\n",
    "sky.yaml": "resources:\n  accelerators: H100:8\nrun: axolotl train train.yml\n",
    "modal_app.py": '@app.function(gpu="A100:4", image=x.pip_install("axolotl==0.9.2"))\n',
}


@settings(
    max_examples=examples(150),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    st.sampled_from(sorted(_FILES)),
    st.lists(st.tuples(st.integers(0, 4000), st.binary(max_size=6)), min_size=1, max_size=6),
)
def test_damaged_files(tmp_path: Path, name: str, damage: list[tuple[int, bytes]]) -> None:
    source = _FILES[name]
    data = source.read_bytes() if source else _STARTS[name].encode()
    for at, other in damage:
        at %= len(data)
        data = data[:at] + other + data[at + len(other) // 2 :]
    for path in tmp_path.iterdir():
        if path.is_file():
            path.unlink()
    write(tmp_path)
    (tmp_path / name).write_bytes(data)
    (tmp_path / "train.yml").write_text("base_model: x\ndeepspeed: zero2.json\n")
    report = lint_file(tmp_path / "train.yml")
    for file in (report, *report.elsewhere):
        assert not [found for found in file.diagnostics if found.name == "rule-failed"]
    described(report.target)
    json.dumps(as_data(report.target))


OTHER_LOCK = '[[package]]\nname = "transformers"\nversion = "4.44.2"\n\n[[package]]\nname = "peft"\nversion = "0.12.0"\n'


def test_an_environment_without_the_framework_says_nothing_of_it(tmp_path: Path) -> None:
    """A lock file lists all that is installed, and what it was made from is about the same."""
    write(
        tmp_path,
        uv_dot_lock=OTHER_LOCK,
        pyproject_dot_toml='[project]\nname = "serve"\nversion = "1"\ndependencies = ["transformers==4.44.2", "peft"]\n',
    )
    config = tmp_path / "train.yml"
    assert pins(config) == {}
    assert target(config).release == load_framework("axolotl").releases.newest
    # Of several, the one with the framework counts.
    write(tmp_path, requirements_dot_txt="axolotl==0.9.2\n")
    assert pins(config) == {"axolotl": "0.9.2"}
    # A library that is installed by hand, after all others, may be in any of them.
    found = Projects(Disk()).for_file(str(tmp_path / "ds.json"), "deepspeed")
    assert found is not None
    assert str(found.pins["transformers"]) == "4.44.2"


def test_a_list_that_is_not_complete_may_be_of_the_frameworks_environment(tmp_path: Path) -> None:
    write(tmp_path, requirements_dot_txt="transformers==4.55.2\ndatasets==4.0.0\npeft==0.17.1\n")
    found = target(tmp_path / "train.yml")
    assert (found.release, found.assumed) == ("0.12.2", True)
    assert found.release_origin == "fits 2 of the 3 stated versions, not peft 0.17.1"


@pytest.mark.parametrize(
    ("tag", "words"),
    [
        ("winglian/axolotl:main-latest", "between 0.12.2 and 0.13.0"),
        ("winglian/axolotl:main-py3.10-cu118-2.0.1", "between 0.4.0 and 0.4.1"),
        ("axolotlai/axolotl:main-py3.11-cu126-2.6.0", "between 0.12.2 and 0.13.0"),
    ],
)
def test_a_tag_without_new_builds_has_a_date(tmp_path: Path, tag: str, words: str) -> None:
    write(tmp_path, Dockerfile=f"FROM {tag}\n")
    text = described(target(tmp_path / "train.yml"))
    assert words in text
    assert "a tag last built on 20" in text


def test_a_tag_that_moves_has_none(tmp_path: Path) -> None:
    write(tmp_path, Dockerfile="FROM axolotlai/axolotl:main-latest\n")
    assert pins(tmp_path / "train.yml") == {}


def test_a_finding_from_weak_evidence_is_a_warning_that_names_it(tmp_path: Path) -> None:
    """Two files in which the number of GPUs decides: the launch that names one, and any."""
    for script, severity in (("train.yml", "error"), ("$1", "warning")):
        write(tmp_path, run_dot_sh=f"axolotl train {script} --num_processes 3\n")
        text = (
            "base_model: a/b\nsequence_len: 512\nmicro_batch_size: 1\nnum_epochs: 1\n"
            "learning_rate: 0.0001\ncontext_parallel_size: 2\nflash_attention: true\n"
            "datasets: [{path: a/b, type: alpaca}]\n"
        )
        (tmp_path / "train.yml").write_text(text)
        found = [d for d in lint_file(tmp_path / "train.yml").diagnostics if "GPU" in d.message]
        assert {one.severity for one in found} == {severity}
        weak = "This follows from run.sh line 1, which does not name the file."
        assert all(one.message.endswith(weak) == (severity == "warning") for one in found)

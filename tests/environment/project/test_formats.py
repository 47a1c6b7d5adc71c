"""`pyproject.toml`, conda's `environment.yml`, container images, launch files."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cfglint.environment.project import conda, images, launch, pip_commands, pyproject
from cfglint.environment.project.stated_versions import Statement, UnreadableFileError

SHA = "54673fd6ca39bf86addb20ba7d44a77071b4dc4f"
PROJECT = f"""\
[project]
name = "tune"
version = "1"
requires-python = ">=3.11,<3.13"
dependencies = [
    "axolotl[deepspeed]==0.9.2",
    'trl>=0.17',  # a comment
    "torch",
]

[project.optional-dependencies]
fast = ["flash-attn==2.7.4.post1"]

[dependency-groups]
serve = ["vllm==0.8.5", {{include-group = "x"}}]

[tool.poetry.dependencies]
python = "^3.11"
peft = "~0.15"
accelerate = {{version = "^1.6", extras = ["x"]}}
deepspeed = {{git = "https://example.org/d", rev = "{SHA}"}}
datasets = {{version = "3.5.1", optional = true}}
"""


def by_package(found: list[Statement]) -> dict[str, Statement]:
    return {one.package: one for one in found}


def test_pyproject() -> None:
    found = by_package(pyproject.read("pyproject.toml", PROJECT))
    assert (found["axolotl"].version, found["axolotl"].extras) == ("0.9.2", ("deepspeed",))
    assert (found["trl"].version, found["trl"].spec) == (None, ">=0.17")
    assert found["flash-attn"].conditional
    assert found["vllm"].conditional
    assert found["peft"].spec == ">=0.15,<0.16"
    assert found["accelerate"].spec == ">=1.6,<2"
    assert found["deepspeed"].commit == SHA
    assert (found["datasets"].version, found["datasets"].conditional) == ("3.5.1", True)
    lines = PROJECT.splitlines()
    for package, word in (("axolotl", "axolotl"), ("trl", "trl>="), ("peft", "peft = ")):
        place = found[package].place
        assert word in lines[place.line - 1][place.column - 1 :]


def test_uv_sources() -> None:
    text = (
        '[project]\nname = "t"\ndependencies = ["axolotl"]\n'
        f'[tool.uv.sources]\naxolotl = {{git = "https://example.org/a", rev = "{SHA}"}}\n'
    )
    (found,) = pyproject.read("pyproject.toml", text)
    assert (found.commit, found.place.line) == (SHA, 5)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1.2.3", ("1.2.3", None)),
        ("==1.2.3", ("1.2.3", None)),
        ("^1.2.3", (None, ">=1.2.3,<2")),
        ("^0.17.1", (None, ">=0.17.1,<0.18")),
        ("~1.2.3", (None, ">=1.2.3,<1.3")),
        ("~1", (None, ">=1,<2")),
        (">=1.2,<2", (None, ">=1.2,<2")),
        ("1.2.*", (None, "==1.2.*")),
        ("*", (None, None)),
        ("^1 || ^2", (None, None)),
        ("nonsense", (None, None)),
    ],
)
def test_ranges_of_poetry(text: str, expected: tuple[str | None, str | None]) -> None:
    assert pyproject.poetry_range(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "[project]\ndependencies = 3 # torch",
        "project = 1 # torch",
        "[project]\ndependencies = [1, 'torch ==']",
        "[tool]\npoetry = 3 # torch",
        "[tool.poetry.dependencies]\ntorch = 3",
        "[tool.poetry.group.x]\ny = 3 # torch",
        "[project]\nrequires-python = 3\ndependencies = ['torch']",
    ],
)
def test_odd_pyproject(text: str) -> None:
    pyproject.read("pyproject.toml", text)


def test_broken_pyproject() -> None:
    with pytest.raises(UnreadableFileError, match="no TOML"):
        pyproject.read("pyproject.toml", "[torch")
    assert pyproject.read("pyproject.toml", "[nothing of interest") == []


CONDA = """\
name: tune
channels:
  - pytorch
dependencies:
  - python=3.11
  - pytorch::pytorch==2.6.0=py3.11_cuda12.4_cudnn9.1.0_0
  - transformers>=4.40  # why
  - accelerate=1.6
  - numpy
  - pip:
    - axolotl[flash-attn]==0.9.2
    - trl
  - peft=0.15.2
variables:
  - deepspeed=1.0
"""


def test_conda() -> None:
    found = by_package(conda.read("environment.yml", CONDA))
    assert found["python"].version == "3.11"
    assert found["torch"].version == "2.6.0"
    assert found["transformers"].spec == ">=4.40"
    assert found["accelerate"].spec == "==1.6.*"
    assert (found["axolotl"].version, found["axolotl"].extras) == ("0.9.2", ("flash-attn",))
    assert found["trl"].version is None
    assert found["peft"].version == "0.15.2"
    assert "deepspeed" not in found
    lines = CONDA.splitlines()
    for one in found.values():
        line = lines[one.place.line - 1]
        assert line[one.place.column - 1 - 2 :].startswith("- ")


def test_what_conda_exports_is_complete() -> None:
    builds = "".join(f"  - p{n}=1.{n}=py311h_{n}\n" for n in range(6))
    head = "channels:\n  - conda-forge\ndependencies:\n"
    pip = "  - pip:\n      - axolotl==0.9.2\n      - trl==0.17.0\nprefix: /x\n"
    assert conda.is_export(head + builds + pip)
    assert not conda.is_export(head + builds + "  - numpy\n" + pip)
    assert not conda.is_export(head + builds + "  - numpy=2.0\n" + pip)
    assert not conda.is_export(head + "  - python=3.11=h_0\n" + pip)
    assert not conda.is_export("")


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        ("accelerate[version='>=1.6']", ("accelerate", None, ">=1.6")),
        ("conda-forge::transformers[version='==4.51.3',build=x]", ("transformers", "4.51.3", None)),
        ("pytorch >=2.4, <=2.7", ("torch", None, ">=2.4,<=2.7")),
        ("pytorch=2.6.0=cuda126_mkl_py311_h30b5a27_300", ("torch", "2.6.0", None)),
        ("pytorch 2.6.0 cuda126_mkl_py311_h30b5a27_300", ("torch", "2.6.0", None)),
        ("huggingface_hub=0.30.2", ("huggingface-hub", "0.30.2", None)),
        ("python 3.11.*", ("python", None, "==3.11.*")),
        ("pytorch-cuda=12.4", None),
        ("transformers~=4.35.2", ("transformers", None, "~=4.35.2")),
        ("trlx", None),
    ],
)
def test_specs_of_conda(item: str, expected: tuple[str, str | None, str | None] | None) -> None:
    found = conda.read("environment.yml", f"dependencies:\n  - {item}\n")
    assert [(s.package, s.version, s.spec) for s in found] == ([expected] if expected else [])


def test_pip_has_the_last_word() -> None:
    text = (
        "dependencies:\n  - pytorch=2.5.1=py3.9\n  - transformers=4.1.0\n"
        "  - pip:\n      - torch==2.1.2\n      - transformers\n"
    )
    found = conda.read("environment.yml", text)
    exact = {s.package: (s.version, s.place.line) for s in found if s.version}
    assert exact == {"torch": ("2.1.2", 5), "transformers": ("4.1.0", 3)}


@given(st.text("ab- :#\n\r\t=pi\"'", max_size=80))
def test_any_environment(text: str) -> None:
    conda.read("environment.yml", "dependencies:\n" + text)


@pytest.mark.parametrize(
    ("image", "release", "day", "python", "torch"),
    [
        ("axolotlai/axolotl:0.9.2", "0.9.2", None, None, None),
        ("axolotlai/axolotl:0.9.2-latest", "0.9.2", None, "3.11", "2.6.0"),
        ("axolotlai/axolotl:0.18.0", "0.18.0", None, "3.12", "2.12.0"),
        ("axolotlai/axolotl:0.9.2-py3.11-cu126-2.7.1", "0.9.2", None, "3.11", "2.7.1"),
        ("axolotlai/axolotl:main-20241001-py3.11-cu121-2.4.1", None, "20241001", "3.11", "2.4.1"),
        ("winglian/axolotl:main-20241001-py3.11-cu121-2.4.1", None, "20241001", "3.11", "2.4.1"),
        ("docker:axolotlai/axolotl-cloud:main-latest", None, None, None, None),
        ("docker.io/axolotlai/axolotl-uv:0.16.0-latest", "0.16.0", None, "3.12", "2.9.1"),
        ("axolotlai/axolotl-cloud-uv:main-py3.12-cu130-2.11.0", None, None, "3.12", "2.11.0"),
        ("axolotlai/axolotl:0.9.2-py3.11-cu124-2.6.0-vllm", "0.9.2", None, "3.11", "2.6.0"),
    ],
)
def test_images(
    image: str, release: str | None, day: str | None, python: str | None, torch: str | None
) -> None:
    found = by_package(images.read("Dockerfile", f"# a comment\nFROM {image} AS base\n"))
    assert (found["axolotl"].version, found["axolotl"].day) == (release, day)
    assert found["axolotl"].place.line == 2
    assert (found["python"].version if python else None) == python
    assert (found["torch"].version if torch else None) == torch
    assert set(found) == {"axolotl", *(["python"] if python else []), *(["torch"] if torch else [])}


@pytest.mark.parametrize(
    "line",
    [
        "# FROM axolotlai/axolotl:0.9.2",
        "image: other  # axolotlai/axolotl:0.9.2",
        "FROM someone/axolotl:0.9.2",
        "FROM axolotlai/axolotl",
        "FROM xaxolotlai/axolotl:0.9.2",
        "see github.com/axolotlai/axolotl:",
    ],
)
def test_what_is_no_image(line: str) -> None:
    assert images.read("Dockerfile", line) == []


def test_base_images_hold_no_axolotl() -> None:
    found = images.read("Dockerfile", "FROM axolotlai/axolotl-base:main-base-py3.11-cu124-2.6.0\n")
    assert "axolotl" not in by_package(found)


@pytest.mark.parametrize(
    ("name", "text", "gpus", "gpu"),
    [
        ("sky.yaml", "resources:\n  accelerators: H100:8\n", 8, "H100"),
        ("sky.yaml", "num_nodes: 2\nresources:\n  accelerators: {H100: 8}\n", 16, "H100"),
        ("sky.yaml", "resources:\n  accelerators: H100\n", 1, "H100"),
        ("sky.yaml", "resources:\n  accelerators: tpu-v4:8\n", 8, None),
        ("sky.yaml", "resources:\n  # accelerators: H100:8\n", None, None),
        ("sky.yaml", "accelerators: {H100: 8, A100: 8}\n", None, None),
        ("modal_train.py", '@app.function(gpu="A100:4")\n', 4, "A100"),
        ("modal_train.py", '@app.function(gpu="A100-80GB")\n', 1, "A100-80GB"),
        ("modal_train.py", "@app.function(gpu=modal.gpu.H100(count=2))\n", 2, "H100"),
        ("modal_train.py", 'a(gpu="A100:4")\nb(gpu="T4")\n', None, None),
        ("job.yaml", 'limits:\n  nvidia.com/gpu: "8"\n', 8, None),
        ("train.sh", "torchrun --nproc_per_node=8 --nnodes 2 -m axolotl.cli.train x.yml\n", 16, None),
        ("train.sh", "accelerate launch --num_processes 4 -m axolotl.cli.train\n", 4, None),
        ("train.sh", "axolotl train x.yml\n", None, None),
        ("train.sh", "torchrun --nnodes $N --nproc_per_node 8 -m axolotl.cli.train\n", None, None),
        ("train.sh", "srun torchrun --nproc_per_node 8 -m axolotl.cli.train\n", None, None),
        ("job.yaml", "replicas: 4\nlimits:\n  nvidia.com/gpu: 8\n", None, None),
        ("accelerate.yaml", "distributed_type: FSDP\nnum_machines: 1\nnum_processes: 8\n", 8, None),
        ("accelerate.yaml", "num_processes: 8\n", None, None),
        ("compose.yml", "devices:\n  - driver: nvidia\n    count: 2\n    capabilities: [gpu]\n", 2, None),
        ("compose.yml", 'device_ids: ["0", "3"]\n', 2, None),
    ],
)  # fmt: skip
def test_launch_files(name: str, text: str, gpus: int | None, gpu: str | None) -> None:
    found = {one.fact: one.value for one in launch.read(name, text)}
    count = found["processes"] if "processes" in found else found.get("gpus")
    assert (count, found.get("gpu")) == (gpus, gpu)


@given(st.text("gpu:=acelrtos \n{}[]0189\"'#.-", max_size=120), st.sampled_from(["a.py", "a.yml"]))
def test_any_launch_file(text: str, name: str) -> None:
    launch.read(name, text)


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("Dockerfile", "RUN pip install axolotl==0.9.2\n", {"axolotl": "0.9.2"}),
        (
            "Dockerfile",
            'RUN pip3 install --no-build-isolation \\\n    "axolotl[deepspeed]==0.9.2" \\\n    torch==2.6.0\n',
            {"axolotl": "0.9.2", "torch": "2.6.0"},
        ),
        ("run.sh", "uv pip install 'trl>=0.17' && pip install x peft==0.15.2\n", {"trl": None, "peft": "0.15.2"}),
        ("run.sh", "# pip install trl==1.0\necho pip; install trl==1.0\n", {}),
        ("run.sh", "pip install axolotl==$VERSION  # trl==1.0\n", {}),
        ("modal_x.py", 'image.pip_install("axolotl==0.9.2", "wandb")\n', {"axolotl": "0.9.2"}),
        ("modal_x.py", 'x = "axolotl==0.9.2"\n', {}),
    ],
)  # fmt: skip
def test_commands(name: str, text: str, expected: dict[str, str | None]) -> None:
    found = pip_commands.read(name, text)
    assert {one.package: one.version for one in found} == expected
    for one in found:
        line = text.splitlines()[one.place.line - 1]
        assert line[one.place.column - 1 :].startswith(one.package)


@given(st.text("pip instal=x\\\n'\"#&@.", max_size=80))
def test_any_script(text: str) -> None:
    pip_commands.read("run.sh", "pip install " + text)
    pip_commands.read("modal.py", "pip_install" + text)

"""What a project's files get wrong about the environment of a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.frameworks.axolotl.checks.project_files import found

CONFIG = "base_model: a/b\ndatasets:\n  - path: a/b\n    type: alpaca\n"
#: More lines of the config, the files beside it, and what is found in them.
CASES: list[tuple[str, dict[str, str], list[str]]] = [
    (
        "",
        {
            "requirements.txt": "axolotl==0.9.2\ntransformers==4.46.1\ntrl==0.17.0\ndeepspeed==0.1\npeft>=99\n"
        },
        [
            "ENV500 | error | requirements.txt:2 | 'transformers==4.46.1' | ",
            "ENV500 | error | requirements.txt:5 | 'peft>=99' | ",
        ],
    ),
    (
        "",
        {
            "requirements.txt": "axolotl[deepspeed]==0.9.2\ndeepspeed==0.1\nvllm==0.1\nflash-attn==1.0.0\ntorch==1.0; extra == 'x'\ntransformers @ git+https://g/t@0123456789abcdef0123456789abcdef01234567\n"
        },
        ["ENV500 | error | requirements.txt:2 | 'deepspeed==0.1' | "],
    ),
    # Not everywhere, and not in a page that shows several ways to install.
    (
        "",
        {"requirements.txt": "axolotl==0.9.2\ntransformers==4.46.1; python_version < '3.8'\n"},
        [],
    ),
    ("", {"README.md": "    pip install axolotl==0.9.2 transformers==4.46.1\n"}, []),
    ("", {"requirements.txt": "axolotl==0.9.2rc9\ntransformers==4.46.1\n"}, []),
    (
        "",
        {
            "uv.lock": 'version = 1\n\n[[package]]\nname = "axolotl"\nversion = "0.9.2"\n\n[[package]]\nname = "torch"\nversion = "2.6.0"\n\n[[package]]\nname = "transformers"\nversion = "4.46.1"\n'
        },
        ["ENV500 | warning | uv.lock:12 | 'name = \"transformers\"' | "],
    ),
    (
        "deepspeed: ds.json\ntrl:\n  use_vllm: true\nuse_ray: true\noptimizer: came_pytorch\nflash_attention: true\n",
        {
            "uv.lock": 'version = 1\n\n[[package]]\nname = "axolotl"\nversion = "0.9.2"\n\n[[package]]\nname = "torch"\nversion = "2.6.0"\n'
        },
        [
            "ENV501 | error | uv.lock:4 | 'name = \"axolotl\"' | deepspeed",
            "ENV501 | error | uv.lock:4 | 'name = \"axolotl\"' | optimizer: came_pytorch",
            "ENV501 | error | uv.lock:4 | 'name = \"axolotl\"' | trl.use_vllm: true",
            "ENV501 | error | uv.lock:4 | 'name = \"axolotl\"' | use_ray: true",
            "ENV501 | warning | uv.lock:4 | 'name = \"axolotl\"' | flash_attention: true",
        ],
    ),
    (
        "flash_attention: true\n",
        {
            "uv.lock": 'version = 1\n\n[[package]]\nname = "axolotl"\nversion = "0.21.0"\n\n[[package]]\nname = "torch"\nversion = "2.6.0"\n'
        },
        ["ENV500 | warning | uv.lock:8 | 'name = \"torch\"' | "],
    ),
    (
        "attn_implementation: flash_attention_2\noptimizer: galore_adamw\n",
        {
            "uv.lock": 'version = 1\n\n[[package]]\nname = "axolotl"\nversion = "0.20.0"\n\n[[package]]\nname = "torch"\nversion = "2.6.0"\n'
        },
        [
            "ENV500 | warning | uv.lock:8 | 'name = \"torch\"' | ",
            "ENV501 | error | uv.lock:4 | 'name = \"axolotl\"' | optimizer: galore_adamw",
            "ENV501 | warning | uv.lock:4 | 'name = \"axolotl\"' | attn_implementation: flash_attention_2",
        ],
    ),
    (
        "deepspeed: ds.json\n",
        {
            "uv.lock": 'version = 1\n\n[[package]]\nname = "trl"\nversion = "0.9.2"\n\n[[package]]\nname = "torch"\nversion = "2.6.0"\n'
        },
        [],
    ),
    ("deepspeed: ds.json\n", {"requirements.txt": "axolotl==0.9.2\n"}, []),
    (
        "",
        {
            "requirements.txt": "torch==2.6.0\ntrl==0.17.0\nflash-attn @ https://x/flash_attn-2.7.4.post1+cu12torch2.5cxx11abiFALSE-cp311-cp311-linux_x86_64.whl\n"
        },
        [
            "ENV502 | error | requirements.txt:3 | 'flash-attn @ https://x/flash_attn-2.7.4.post1+cu12torch2.5cxx11abiFALSE-cp311-cp311-linux_x86_64.whl' | "
        ],
    ),
    (
        "",
        {
            "requirements.txt": "torch==2.5.1\ntrl==0.17.0\nflash-attn @ https://x/flash_attn-2.7.4.post1+cu12torch2.5cxx11abiFALSE-cp311-cp311-linux_x86_64.whl\n"
        },
        [],
    ),
    (
        "",
        {
            "uv.lock": 'version = 1\n\n[[package]]\nname = "axolotl"\nversion = "0.9.2"\n\n[[package]]\nname = "torch"\nversion = "2.6.0"\n',
            "requirements.txt": "axolotl==0.10.0\n",
            "requirements-dev.txt": "axolotl==0.8.0\n",
            "Dockerfile": "FROM axolotlai/axolotl:0.12.2\n",
        },
        [
            "ENV503 | warning | Dockerfile:1 | 'axolotlai/axolotl:0.12.2' | ",
            "ENV503 | warning | requirements.txt:1 | 'axolotl==0.10.0' | ",
        ],
    ),
    (
        "",
        {
            "uv.lock": 'version = 1\n\n[[package]]\nname = "axolotl"\nversion = "0.9.2"\n\n[[package]]\nname = "torch"\nversion = "2.6.0"\n',
            "pyproject.toml": '[project]\nname = "x"\ndependencies = ["axolotl>=0.10"]\n',
            ".github/workflows/a.yml": "image: axolotlai/axolotl:0.12.2\n",
            "gpu.Dockerfile": "FROM axolotlai/axolotl:0.11.0\n",
            # Of these, a project has several on purpose.
            "README.md": "# Run\n\n```sh\npip install axolotl==0.10.0\n```\n",
            "requirements-old.txt": "axolotl==0.10.0\n",
        },
        [
            "ENV503 | warning | gpu.Dockerfile:1 | 'axolotlai/axolotl:0.11.0' | ",
            "ENV503 | warning | pyproject.toml:3 | 'axolotl>=0.10' | ",
        ],
    ),
    (
        "",
        {
            "uv.lock": 'version = 1\n\n[[package]]\nname = "axolotl"\nversion = "0.9.2"\n\n[[package]]\nname = "torch"\nversion = "2.6.0"\n',
            "pyproject.toml": '[project]\nname = "x"\ndependencies = ["axolotl>=0.9"]\n',
        },
        [],
    ),
    (
        "",
        {
            "Dockerfile": "FROM winglian/axolotl:0.13.0\nFROM winglian/axolotl:0.12.2\nFROM winglian/axolotl:main-20251201-py3.11-cu124-2.6.0\nFROM winglian/axolotl:main-20250101-py3.11-cu124-2.6.0\nFROM winglian/axolotl:main-latest\n"
        },
        [
            "ENV504 | warning | Dockerfile:1 | 'winglian/axolotl:0.13.0' | winglian/axolotl:0.13.0 axolotlai/axolotl:0.13.0",
            "ENV504 | warning | Dockerfile:3 | 'winglian/axolotl:main-20251201-py3.11-cu124-2.6.0' | winglian/axolotl:main-20251201-py3.11-cu124-2.6.0 axolotlai/axolotl:main-20251201-py3.11-cu124-2.6.0",
            "ENV504 | warning | Dockerfile:5 | 'winglian/axolotl:main-latest' | winglian/axolotl:main-latest axolotlai/axolotl:main-latest",
        ],
    ),
    (
        "",
        {
            "pyproject.toml": '[project]\nname = "x"\nrequires-python = ">=3.13"\ndependencies = ["axolotl==0.9.2"]\n'
        },
        [],
    ),
    (
        "",
        {"environment.yml": "dependencies:\n  - python=3.9.7\n  - pip:\n    - axolotl==0.9.2\n"},
        ["ENV505 | error | environment.yml:2 | 'python=3.9.7' | "],
    ),
    (
        "",
        {"environment.yml": "dependencies:\n  - python<3.10\n  - pip:\n    - axolotl==0.9.2\n"},
        ["ENV505 | error | environment.yml:2 | 'python<3.10' | "],
    ),
    (
        "",
        {"environment.yml": "dependencies:\n  - python=3.11.7\n  - pip:\n    - axolotl==0.9.2\n"},
        [],
    ),
    ("", {"uv.lock": "[[package\naxolotl torch"}, ["ENV506 | note | uv.lock:1 | '[[package' | "]),
]


@pytest.mark.parametrize(("lines", "files", "expected"), CASES)
def test_environment(
    tmp_path: Path, lines: str, files: dict[str, str], expected: list[str]
) -> None:
    assert found(tmp_path, {"train.yml": CONFIG + lines, **files}, ["ENV50"]) == expected

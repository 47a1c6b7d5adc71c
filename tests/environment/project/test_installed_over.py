"""What a script installs after the requirements of the project takes the place of their releases."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint.environment.project.projects import Projects
from cfglint.source.files.disk import Disk

PINS = "trl==0.18.0\ntransformers==4.52.3\naccelerate==1.11.0\n"
OWN = "pip install -r requirements.txt"
TRL_MAIN = "pip install git+https://github.com/huggingface/trl.git"


@pytest.mark.parametrize(
    ("name", "script", "trl", "transformers"),
    [
        ("Makefile", f"install:\n\t{OWN}\n\tuv {TRL_MAIN}\n", ">=0.18.0", ">=4.52.3"),
        ("install.sh", f"uv pip install -e '.[dev]' && \\\n  {TRL_MAIN}\n", ">=0.18.0", ">=4.52.3"),
        ("install.sh", f"uv sync\n{TRL_MAIN}\n", ">=0.18.0", ">=4.52.3"),
        ("install.sh", f"{OWN}\npip install trl==0.25.0\n", "0.25.0", ">=4.52.3"),
        ("Dockerfile", f"RUN {OWN}\nRUN pip install trl==0.18.2\n", "0.18.2", "4.52.3"),
        # vLLM asks for a later transformers, or it does not.
        (
            "Makefile",
            f"install:\n\t{OWN}\n\tpip install flash-attn vllm==0.11.2\n",
            "0.18.0",
            ">=4.52.3",
        ),
        (
            "Makefile",
            f"install:\n\t{OWN}\n\tpip install flash-attn vllm==0.8.5\n",
            "0.18.0",
            "4.52.3",
        ),
        # The requirements of the project come later, or nothing installs them there.
        ("install.sh", f"{TRL_MAIN}\n{OWN}\n", "0.18.0", "4.52.3"),
        ("install.sh", f"{TRL_MAIN}\n", "0.18.0", "4.52.3"),
        ("install.sh", f"{OWN}\n# {TRL_MAIN}\n", "0.18.0", "4.52.3"),
        ("install.sh", f"# {OWN}\n{TRL_MAIN}\n", "0.18.0", "4.52.3"),
        ("install.sh", f"{OWN}\npip install trl\n", "0.18.0", "4.52.3"),
    ],
)
def test_which_release_is_installed(
    name: str, script: str, trl: str, transformers: str, tmp_path: Path
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "requirements.txt").write_text(PINS)
    (tmp_path / name).write_text(script)
    project = Projects(Disk()).for_file(str(tmp_path / "train.yaml"), "trl")
    assert project is not None
    found = [project.pins[one].version or project.pins[one].spec for one in ("trl", "transformers")]
    assert found == [trl, transformers]


def test_what_a_package_refuses_to_be_imported_with_is_lifted(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "requirements.txt").write_text("trl==0.9.6\nhuggingface-hub==0.20.3\n")
    (tmp_path / "Dockerfile").write_text(f"RUN {OWN}\nRUN pip install transformers==4.44.0\n")
    project = Projects(Disk()).for_file(str(tmp_path / "train.py"), "trl")
    assert project is not None
    assert project.pins["huggingface-hub"].spec == ">=0.20.3"


@pytest.mark.parametrize(
    ("listed", "page", "lifted"),
    [
        # The newest ms-swift brings a TRL, and each that it admits asks for a later transformers.
        (
            "transformers==4.37.2\n",
            "pip install -r requirements.txt\npip install ms-swift -U\n",
            True,
        ),
        (
            "transformers==4.57.1\n",
            "pip install -r requirements.txt\npip install ms-swift -U\n",
            False,
        ),
        # It is there already, or its TRL is; the list comes last.
        (
            "ms-swift\ntransformers==4.37.2\n",
            "pip install -r requirements.txt\npip install ms-swift\n",
            False,
        ),
        (
            "trl==0.8.1\ntransformers==4.37.2\n",
            "pip install -r requirements.txt\npip install ms-swift\n",
            False,
        ),
        (
            "transformers==4.37.2\n",
            "pip install ms-swift -U\npip install -r requirements.txt\n",
            False,
        ),
    ],
)
def test_a_page_has_the_newest_of_another_package_installed(
    listed: str, page: str, lifted: bool, tmp_path: Path
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "requirements.txt").write_text(listed)
    (tmp_path / "README.md").write_text(f"```bash\n{page}```\n")
    project = Projects(Disk()).for_file(str(tmp_path / "train.sh"), "swift")
    assert project is not None
    found = project.pins["transformers"]
    assert (found.version is None) == lifted


@pytest.mark.parametrize(("name", "trl"), [("startup-hook.sh", "0.9.3"), ("hook.sh", "0.8.1")])
def test_what_a_hook_installs_is_what_runs(name: str, trl: str, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "requirements.txt").write_text("trl==0.8.1\ntransformers==4.39.3\n")
    (tmp_path / "old_startup-hook.sh").write_text("pip install trl==0.8.1\n")
    (tmp_path / name).write_text("pip install trl==0.9.3\n")
    project = Projects(Disk()).for_file(str(tmp_path / "train.py"), "trl")
    assert project is not None
    assert project.pins["trl"].version == trl

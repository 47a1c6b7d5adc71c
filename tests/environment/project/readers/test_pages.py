"""Releases in the page of a project, beside those that it is installed from."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint import lint_file
from cfglint.environment.project.readers.pages import read
from tests.environment.project.readers.test_workflows import pins

PAGE = "# Ours\n\nWe ran this, which needs patience:\n\n    pip install trl==0.9.6 transformers==4.42.3\n"


@pytest.mark.parametrize(
    ("files", "trl", "transformers"),
    [
        ({}, "0.9.6", "4.42.3"),
        ({"requirements_dot_txt": "trl==1.9.0\n"}, "1.9.0", None),
        # The nearer one is out of date nevertheless.
        (
            {"requirements_dot_txt": "trl==1.9.0\n", "conf_in_README_dot_md": PAGE},
            "1.9.0",
            None,
        ),
        ({"requirements_dot_txt": "trl>=0.12\n"}, None, None),
        ({"requirements_dot_txt": "trl==0.9.6\ntorch==2.5.1\n"}, "0.9.6", "4.42.3"),
        # Another package tells its time as well.
        ({"requirements_dot_txt": "trl\ntransformers==4.51.3\n"}, None, "4.51.3"),
        # Neither contradicts it.
        ({"requirements_dot_txt": "trl\n"}, "0.9.6", "4.42.3"),
        ({"requirements_dot_txt": "trl>=0.9\n"}, "0.9.6", "4.42.3"),
        ({"requirements_dot_txt": "trl @ git+https://github.com/huggingface/trl\n"}, None, None),
        # What starts a run on one machine is no account of the project.
        ({"train_dot_sh": "pip install trl==0.10.1\naccelerate launch x.py\n"}, "0.10.1", None),
    ],
)
def test_a_page_that_is_out_of_date(
    tmp_path: Path, files: dict[str, str], trl: str | None, transformers: str | None
) -> None:
    found = pins(tmp_path, "trl", README_dot_md=PAGE, **files)
    assert found.get("trl", (None,))[0] == trl
    assert found.get("transformers", (None,))[0] == transformers


def test_an_image_in_a_page(tmp_path: Path) -> None:
    """Nothing is pushed to this tag any more: its last build says what is in it."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "README.md").write_text(
        "The image is:\n\nwinglian/axolotl:main-py3.10-cu121-2.1.2\n", encoding="utf-8"
    )
    (tmp_path / "train.yml").write_text("base_model: a/b\n", encoding="utf-8")
    report = lint_file(tmp_path / "train.yml", framework="axolotl")
    pin = report.target.pins["axolotl"]
    assert pin.between == ("0.4.0", "0.4.1")
    assert "README.md line 3" in pin.origin


@pytest.mark.parametrize(
    ("line", "stated"),
    [
        ("Tested with [LLaMA-Factory](https://github.com/a/b) v0.9.3.", {"llamafactory": "0.9.3"}),
        (
            "It was tested on TRL 0.18.0 and `transformers` 4.52.4",
            {"trl": "0.18.0", "transformers": "4.52.4"},
        ),
        ("Tested with: trl==0.18.0, Python 3.11", {"trl": "0.18.0", "python": "3.11"}),
        ("tested using transformers version 4.52.4", {"transformers": "4.52.4"}),
        ("We tested transformers 4.52.4.", {}),
        ("Tested with 8 GPUs; TRL is older than 0.18", {}),
        ("Tested with trl 0.18.0rc1x", {}),
    ],
)
def test_what_was_tested(line: str, stated: dict[str, str]) -> None:
    found = {one.package: one.version for one in read("README.md", f"# Ours\n\n{line}\n")}
    assert found == stated


def test_what_is_installed_says_more_than_what_was_tested() -> None:
    text = "Tested with trl 0.18.0.\n\n    pip install trl==0.24.0\n"
    assert [one.version for one in read("README.md", text)] == ["0.24.0"]

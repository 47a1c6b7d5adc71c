"""Packages beside Axolotl: Cut Cross Entropy by release, numba with numpy. The rules' examples test the rest."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint.api.functions import lint_file

FORK = "git+https://github.com/axolotl-ai-cloud/ml-cross-entropy.git@"
CONFIG = """\
base_model: NousResearch/Llama-3.2-1B
datasets:
  - path: ./data/train.jsonl
    type: alpaca
bf16: true
plugins:
  - axolotl.integrations.cut_cross_entropy.CutCrossEntropyPlugin
"""


def codes(
    folder: Path, text: str, name: str = "requirements.txt", config: str = CONFIG
) -> list[str]:
    (folder / ".git").mkdir(exist_ok=True)
    (folder / "train.yml").write_text(config)
    (folder / name).write_text(text)
    report = lint_file(folder / "train.yml")
    found = [d for other in (report, *report.elsewhere) for d in other.diagnostics]
    assert "CFG003" not in [d.code for d in found]  # no check has failed
    return sorted(d.code for d in found if d.code in ("KRN380", "KRN381", "KRN382", "ENV420"))


@pytest.mark.parametrize(
    ("axolotl", "cce", "expected"),
    [
        ("0.18.0", "cut-cross-entropy", ["KRN380"]),
        ("0.18.0", "cut-cross-entropy>=25", ["KRN380"]),
        ("0.18.0", "git+https://github.com/apple/ml-cross-entropy#egg=cut-cross-entropy", ["KRN380"]),
        ("0.18.0", "cut-cross-entropy @ git+https://github.com/somebody/ml-cross-entropy", []),
        ("0.18.0", f"cut-cross-entropy @ {FORK}main", []),
        ("0.18.0", f"cut-cross-entropy @ {FORK}5f0c7a7{'0' * 33}", []),
        ("0.18.0", f"cut-cross-entropy @ {FORK}fec1a88", ["KRN381"]),
        ("0.18.0", f"cut-cross-entropy @ {FORK}v0.1.1", ["KRN381"]),
        ("0.21.0", f"cut-cross-entropy @ {FORK}v0.1.0-rc0", ["KRN381"]),
        ("0.20.0", f"cut-cross-entropy @ {FORK}v0.1.0-rc0", []),
        ("0.18.0", f"cut-cross-entropy @ {FORK}abcdef1", []),
        ("0.10.1", "cut-cross-entropy==25.1.1", []),
        ("0.18.0", "cut-cross-entropy==25.1.1; sys_platform == 'darwin'", []),
    ],
)  # fmt: skip
def test_where_cut_cross_entropy_is_from(
    tmp_path: Path, axolotl: str, cce: str, expected: list[str]
) -> None:
    assert codes(tmp_path, f"axolotl=={axolotl}\n{cce}\n") == expected


def test_a_fork_in_one_file_does_not_hide_the_index_in_another(tmp_path: Path) -> None:
    fork = f"axolotl==0.18.0\ncut-cross-entropy @ {FORK}5f0c7a7{'0' * 33}\n"
    index = "axolotl==0.18.0\ncut-cross-entropy==25.1.1\n"
    for first, second in ((fork, index), (index, fork)):
        (tmp_path / "requirements.txt").write_text(first)
        assert "KRN380" in codes(tmp_path, second, "requirements-gpu.txt")


def test_only_when_the_plugin_is_on(tmp_path: Path) -> None:
    text = "axolotl==0.18.0\ncut-cross-entropy==25.1.1\n"
    assert codes(tmp_path, text, config=CONFIG + "cut_cross_entropy: false\n") == []
    assert codes(tmp_path, text, config=CONFIG.partition("plugins")[0]) == []


def test_tags_in_lock_files(tmp_path: Path) -> None:
    lock = (
        'version = 1\n\n[[package]]\nname = "axolotl"\nversion = "0.20.0"\n\n'
        '[[package]]\nname = "cut-cross-entropy"\nversion = "25.8.1"\n'
        'source = { git = "https://github.com/axolotl-ai-cloud/ml-cross-entropy.git?rev=REV#SHA" }\n'
    ).replace("SHA", "0" * 40)
    assert codes(tmp_path, lock.replace("REV", "v0.1.1"), "uv.lock") == ["KRN381"]
    assert codes(tmp_path, lock.replace("REV", "v0.1.0-rc0"), "uv.lock") == []
    assert codes(tmp_path, lock.replace("REV", "main"), "uv.lock") == []
    assert codes(tmp_path, lock.partition('\n\n[[package]]\nname = "cut')[0], "uv.lock") == [
        "KRN382"
    ]


@pytest.mark.parametrize(
    ("numba", "numpy", "found"),
    [
        ("0.57.1", "1.24.4", False),
        ("0.57.1", "1.25.0", True),
        ("0.58.0", "1.26.0", True),
        ("0.58.1", "1.26.4", False),
        ("0.59.1", "2.0.1", True),
        ("0.60.0", "2.0.2", False),
        ("0.61.0", "2.2.0", True),
        ("0.58.0", "1.25.2", False),
        ("0.58.1", "2.0.0", True),
        ("0.60.0", "2.1.0", True),
        ("0.61.0", "2.1.3", False),
        ("0.61.2", "2.2.6", False),
        ("0.61.2", "2.3.0", True),
        ("0.63.1", "2.3.5", False),
        ("0.63.1", "2.4.0", True),
        ("0.66.0", "2.4.2", False),
        ("0.66.0", "2.5.0", True),
        ("0.67.0", "2.5.0", False),
        ("0.67.0", "2.6.0", True),
        ("0.68.1", "9.9.9", False),
        ("0.56.4", "1.26.0", False),
        ("0.61.0rc1", "2.3.0", False),
    ],
)
def test_numba_and_numpy(tmp_path: Path, numba: str, numpy: str, found: bool) -> None:
    text = f"trl==0.17.0\nnumba=={numba}\nnumpy=={numpy}\n"
    assert codes(tmp_path, text) == (["ENV420"] if found else [])


@pytest.mark.parametrize(
    "text", ["numba==0.57.1", "numpy==1.25.0", "numba>=0.57\nnumpy==1.25.0", "numba==0.57.1\nnumpy"]
)
def test_numba_and_numpy_are_compared_where_both_are_known(tmp_path: Path, text: str) -> None:
    assert (
        codes(tmp_path, f"axolotl==0.18.0\n{text}\n", config=CONFIG.partition("plugins")[0]) == []
    )

"""What releases ask for, from their metadata."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

from tools.release_bounds.cli import asked, main


def wheel(folder: Path, version: str, *requirements: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    lines = ["Metadata-Version: 2.1", "Name: acme", f"Version: {version}"]
    lines += [f"Requires-Dist: {one}" for one in requirements]
    with zipfile.ZipFile(folder / f"acme-{version}-py3-none-any.whl", "w") as archive:
        archive.writestr(f"acme-{version}.dist-info/METADATA", "\n".join(lines) + "\n\n")


def test_a_bound_is_written_where_it_changes(tmp_path: Path) -> None:
    releases = tmp_path / "releases"
    wheel(releases / "acme", "1.0", "trl<0.20", "tqdm")
    wheel(releases / "acme", "1.1", "trl<0.20", "huggingface_hub>=0.34")
    wheel(releases / "acme", "1.10", "huggingface_hub>=0.34")
    table = tmp_path / "bounds.json"
    main([str(releases), str(table)])
    assert json.loads(table.read_text("utf-8")) == {
        "acme": {
            "releases": ["1.0", "1.1", "1.10"],
            "asks": {
                "huggingface-hub": {"1.1": ">=0.34"},
                "trl": {"1.0": "<0.20", "1.10": ""},
            },
        }
    }


def test_what_is_known_of_other_releases_is_kept(tmp_path: Path) -> None:
    first, second, table = tmp_path / "first", tmp_path / "second", tmp_path / "bounds.json"
    wheel(first / "acme", "1.0", "trl<0.20")
    wheel(first / "acme", "1.2", "trl<0.24")
    main([str(first), str(table)])
    (second / "acme").mkdir(parents=True)
    report = {"install": [{"metadata": {"version": "1.1", "requires_dist": ["trl<0.22"]}}]}
    (second / "acme" / "1.1.json").write_text(json.dumps(report), encoding="utf-8")
    main([str(second), str(table)])
    row = json.loads(table.read_text("utf-8"))["acme"]
    assert row["releases"] == ["1.0", "1.1", "1.2"]
    assert row["asks"] == {"trl": {"1.0": "<0.20", "1.1": "<0.22", "1.2": "<0.24"}}


def test_only_what_is_asked_for_everywhere_counts() -> None:
    lines = ["torch>=2.4", "trl>=0.9; extra == 'rl'", "vllm", "peft!=0.11.0", "Peft>=0.7", "no ="]
    assert asked(lines) == {"torch": ">=2.4", "peft": "!=0.11.0,>=0.7"}

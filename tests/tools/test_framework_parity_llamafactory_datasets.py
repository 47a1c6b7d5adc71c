"""Generated lists of datasets, and the comparison of both verdicts on them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tools.framework_parity.llamafactory_datasets import CHANGES, main, projects


def test_every_project_has_a_config_a_list_and_one_change() -> None:
    made = list(projects(60, 1))
    assert made == list(projects(60, 1))
    lists = [json.loads(text) for name, text, _ in made if name.endswith("/dataset_info.json")]
    assert len(lists) == 60
    assert all(list(one) == ["notes"] for one in lists)
    assert {what[1] for _, _, what in made} == set(CHANGES)
    unchanged = [what[0] for name, _, what in made if what[1] == "none" and name.endswith(".yaml")]
    assert unchanged


def test_a_dataset_that_loads_and_is_refused_ends_with_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "made"
    assert main(["generate", "--count", "2", str(folder)]) == 0
    rows = [{"project": "p0000", "ok": True, "error": ""}, {"project": "p0001", "ok": False}]
    theirs = tmp_path / "rows.jsonl"
    lines = [json.dumps({**row, "error": row.get("error", "KeyError")}) for row in rows]
    theirs.write_text("noise\n" + "\n".join(lines) + "\n", encoding="utf-8")
    ours = tmp_path / "ours.json"

    def compared(severity: str, upstream: str) -> int:
        one = {"code": "LLF200", "message": "m", "severity": severity, "upstream": upstream}
        path = "made/p0000/data/dataset_info.json"
        report = {"files": [{"path": path, "diagnostics": [one]}]}
        ours.write_text(json.dumps(report), encoding="utf-8")
        return main(["compare", str(folder), "--theirs", str(theirs), "--ours", str(ours)])

    assert compared("error", "silent") == compared("warning", "rejects") == 0
    assert "1 loads / silent, 0 refused / error, 1 refused / silent" in capsys.readouterr().out
    assert compared("error", "rejects") == 1
    assert "WRONG p0000" in capsys.readouterr().out

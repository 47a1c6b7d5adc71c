"""What is found in files that scripts write anew."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run

DEEPSPEED = '{"zero_optimization": {"stage": 2, "overlap_com": true}, "train_batch_size": 8}\n'
START = "deepspeed train.py --deepspeed conf/ds.json\n"


def severities(folder: Path, name: str, text: str) -> list[str]:
    (folder / ".git").mkdir()
    (folder / "conf").mkdir()
    (folder / "conf" / "ds.json").write_text(DEEPSPEED, encoding="utf-8")
    (folder / name).write_text(text, encoding="utf-8")
    done = run("--format", "json", str(folder))
    found = [one for file in json.loads(done.out)["files"] for one in file["diagnostics"]]
    for one in found:
        assert ("writes this file anew" in one["message"]) == (one["severity"] == "note")
    return [one["severity"] for one in found]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("run.sh", f"cat > conf/ds.json <<'EOF'\n{{}}\nEOF\n{START}"),
        ("run.sh", f"envsubst < ds.template > ./conf/ds.json\n{START}"),
        ("run.sh", f'echo "$DS" | tee "$HERE/conf/ds.json"\n{START}'),
        ("conf/run.sh", f'cat > "$HERE/ds.json" <<EOF\n{{}}\nEOF\n{START}'),
    ],
)
def test_a_script_writes_it(tmp_path: Path, name: str, text: str) -> None:
    assert severities(tmp_path, name, text) == ["note"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("run.sh", START),
        ("run.sh", f"# cat x > conf/ds.json\n{START}"),
        ("run.sh", f"cat x > other/ds.json\n{START}"),
        ("run.sh", f"cat x > conf/my-ds.json\n{START}"),
        ("run.sh", f"python make.py < conf/ds.json\n{START}"),
        ("run.sh", f"cat conf/ds.json > $OUT/conf/ds.json\n{START}"),
        ("run.sh", f"[ ! -f conf/ds.json ] && cat x > conf/ds.json\n{START}"),
        ("run.sh", f"if [ ! -e conf/ds.json ]; then\n  cat x > conf/ds.json\nfi\n{START}"),
        # A copy, and what is told on standard error.
        ("conf/run.sh", f"cat ds.json > $OUT/ds.json\n{START}"),
        ("run.sh", f"python make.py 2> conf/ds.json\n{START}"),
        ("README.md", f"Make it: `echo > conf/ds.json`\n{START}"),
    ],
)
def test_nothing_writes_it(tmp_path: Path, name: str, text: str) -> None:
    assert severities(tmp_path, name, text) == ["error"]

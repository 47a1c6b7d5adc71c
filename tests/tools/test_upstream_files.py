"""The collection of hashes of published files."""

from __future__ import annotations

import base64
import json
import os
import subprocess
from pathlib import Path

from tools.upstream_files import BYTES, main


def test_every_version_of_a_config_counts(tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    clone.mkdir()

    def git(*words: str) -> str:
        name = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        command = ["git", "-C", str(clone), *name, *words]
        env = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull}
        return subprocess.run(command, capture_output=True, text=True, check=True, env=env).stdout

    git("init", "-q")
    names, programs, modules = [], [], []
    for text in ("a: 1\n", "a: 2\n"):
        for path in ("examples/a.yaml", "docs/b.yaml", "examples/c.py", "own/d.py"):
            (clone / path).parent.mkdir(exist_ok=True)
            (clone / path).write_text(path + text, encoding="utf-8")
        git("add", "-A")
        git("commit", "-qm", "x")
        names.append(git("rev-parse", "HEAD:examples/a.yaml").strip())
        programs.append(git("rev-parse", "HEAD:examples/c.py").strip())
        modules.append(git("rev-parse", "HEAD:own/d.py").strip())
    out = tmp_path / "upstream.json"
    out.write_text('{"Other": ""}', encoding="utf-8")
    assert main([f"One={clone}", "--out", str(out)]) == 0
    rows = json.loads(out.read_text(encoding="utf-8"))
    assert rows["Other"] == ""
    wanted = sorted(bytes.fromhex(name)[:BYTES] for name in names)
    assert base64.b64decode(rows["One"]) == b"".join(wanted)
    for option, more in (("--programs", [*programs, *modules]), ("--examples", programs)):
        assert main([option, f"Two={clone}", "--out", str(out)]) == 0
        rows = json.loads(out.read_text(encoding="utf-8"))
        wanted = sorted(bytes.fromhex(name)[:BYTES] for name in (*names, *more))
        assert base64.b64decode(rows["Two"]) == b"".join(wanted)
        assert rows["One"] != rows["Two"]

"""Fills the classes of a program from the words of command lines; runs where transformers is installed, without cfglint.

Usage: python filled_classes.py PROGRAM WORDS.jsonl. The program's classes are made by running it up to where it would train;
each row that is printed has the file and what its parser says.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import runpy
import sys
from typing import Any


def _verdict(program: str, words: list[str]) -> dict[str, Any]:
    sys.argv = [program, *words]
    said = io.StringIO()
    try:
        with contextlib.redirect_stderr(said):
            runpy.run_path(program, run_name="__main__")
    except SystemExit:
        lines = said.getvalue().strip().splitlines()
        return {"ok": False, "stage": "argparse", "error": lines[-1] if lines else ""}
    except Exception as error:
        return {"ok": False, "stage": type(error).__name__, "error": str(error)[:300]}
    return {"ok": True}


def main() -> None:
    program, rows = sys.argv[1:]
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    with open(rows, encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            out.write(json.dumps({"file": row["file"], **_verdict(program, row["argv"])}) + "\n")
    out.flush()


main()

"""Kill -9 `cfglint --fix` at random moments, and look at what it leaves.

    python tools/campaigns/kill_command.py [--rounds 100] [--files 200] [--seed 0]

Each round writes fresh configs that all have something to fix, starts the command on their folder
and kills it. Every file must then hold its old or its new text, whole; after one more run, all
hold the new text and no stray file is left. Exit code 1 when one of these is not so.
"""

from __future__ import annotations

import argparse
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from cfglint import fix_text

COMMAND = [sys.executable, "-m", "cfglint", "--fix", "--isolated", "--format", "concise"]


def config(number: int) -> str:
    """A config with three things to fix and a length of its own."""
    notes = "".join(f"# note {number}.{line}\n" for line in range(number % 40))
    return (
        f"base_model: Qwen/Qwen3-8B\n{notes}datasets:\n  - path: ./data/{number}.jsonl\n"
        "    type: alpaca\nsequence_len: 2048\nper_device_train_batch_size: 2\n"
        f"num_train_epochs: {number % 7 + 1}\nlearning_rate: 2e-5\noutput_dir: ./out/{number}\n"
    )


def one_round(folder: Path, files: int, moment: float) -> Counter[str]:
    """Start, kill after `moment` seconds, check, finish, check again."""
    counts: Counter[str] = Counter()
    texts = {folder / f"{number}.yml": config(number) for number in range(files)}
    for path, text in texts.items():
        path.write_text(text, encoding="utf-8")
    process = subprocess.Popen([*COMMAND, str(folder)], stdout=subprocess.DEVNULL)
    time.sleep(moment)
    process.send_signal(signal.SIGKILL)
    process.wait()
    for path, text in texts.items():
        now = path.read_text(encoding="utf-8")
        state = "old" if now == text else "new" if now == fix_text(text).text else "broken"
        counts[state] += 1
    counts["stray files after the kill"] += len(set(folder.iterdir()) - set(texts))
    subprocess.run([*COMMAND, str(folder)], stdout=subprocess.DEVNULL, check=False)
    counts["stray files at the end"] += len(set(folder.iterdir()) - set(texts))
    for path, text in texts.items():
        if path.read_text(encoding="utf-8") != fix_text(text).text:
            counts["not fixed at the end"] += 1
    return counts


def main() -> int:
    """Run the campaign from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--files", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    moments = random.Random(options.seed)
    total: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as start:
        whole = time.perf_counter()
        one_round(Path(start), options.files, 0.0)
        whole = time.perf_counter() - whole
    for _ in range(options.rounds):
        with tempfile.TemporaryDirectory() as folder:
            total += one_round(Path(folder), options.files, moments.uniform(0.1, whole * 0.8))
    for state, count in sorted(total.items()):
        print(f"{count:8}  {state}")
    bad = total["broken"] + total["stray files at the end"] + total["not fixed at the end"]
    print(f"{options.rounds} rounds, {bad} wrong")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

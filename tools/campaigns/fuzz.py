"""A mutational fuzzer over reading, checking, reporting and fixing.

    python -m tools.campaigns.fuzz [FOLDER...] [--minutes 10] [--seed 0] [--jobs 2] [--keep FOLDER]

Seeds are the examples of the rule files, the YAML files below the folders (`fixtures` when none
is given) and documents made up on the way. They are mutated as bytes, lines, tokens and keys.
What must hold for every input says `tools.campaigns.invariants`. A failing input is cut down and
printed. Exit code 1 when there was one.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import re
import sys
import time
from collections import Counter
from pathlib import Path

import yaml

from cfglint.source.text import MAX_BYTES
from tools.campaigns.invariants import Failure, Judge, kind_of, shortened

#: Pieces of text that mean something to YAML, to a terminal or to us.
TOKENS = (
    ": ", ":", "- ", "? ", "# x", " # cfglint: ignore[KEY001]", "# cfglint: ignore-file[ALL]",
    "# cfglint: ignore[", "{", "}", "[", "]", ",", "&a ", "*a", "<<: *a\n", "<<: [*a, *b]\n",
    "!!str ", "!!int ", "!!set ", "!!omap ", "!!pairs ", "!!binary ", "!!merge ", "!x ", "! ",
    "&a <<: {b: 1}\n", "*a : 1\n", "|", ">", "|2-\n", ">+\n",
    "'", '"', "%YAML 1.1\n", "---\n", "...\n", "\t", "\r", "\r\n", "\n", "  ", " ", "\ufeff",
    "\x85", "\u2028", "\u2029", "\u00a0", "\u202e", "\u200b", "\x1b[2J", "\x07", "\x00", "é",
    "\U0001f680", "\u201c", "\u2019", "\\", "\\u202e", "\\e", "::error::", "%0A", "`", "@",
)  # fmt: skip
SCALARS = (
    "1e-5", "1.0e5", "010", "0o10", "0x1F", "1_000", "12:30", "1:30:00.5", ".inf", "-.INF", ".nan",
    "~", "null", "", "yes", "No", "on", "OFF", "y", "True", "TRUE", "2024-05-01", "2024-13-45",
    "2001-12-14t21:59:43.10-05:00", "=", "<<", '"false"', "'no'", "\u201cno\u201d", '"\\n"',
    "0", "-1", "1e400", "9" * 30, "1__0", "._", "0b12", "08", "!!int x", "!!float 1", "[a, b]",
    "{a: 1}", "[]", "{}", "a: b", "|\n  x\n", ">-\n  x\n\n  y\n", '"a\n  b"', "a\n  b", "*a", "&a 1",
)  # fmt: skip
KEYS = (
    "base_model", "datasets", "sample_packing", "eval_sample_packing", "learning_rate", "bf16",
    "learning_ratee", "num_train_epochs", "per_device_train_batch_size", "lora_alpha", "fsdp",
    "fsdp_config", "fsdp_version", "deepspeed", "plugins", "special_tokens", "eval_strategy",
    "evaluation_strategy", "val_set_size", "save_strategy", "save_steps", "rl", "trl",
    "micro_batch_size", "lr_scheduler_kwargs", "val_set_sise", "dataset_processes", "adapter",
    "flash_attention", "attn_implementation", "load_in_4bit", "gpu_memory_limit", "chat_template",
    "lr_scheduler", "optimizer", "wandb_project", "output_dir", "num_epochs", "type", "path",
    "split", "field", "roles_to_train", "liger_rope", "cut_cross_entropy", "fp8", "x", "1", "no",
    '"quoted key"', "? a", "é", "pad_tokn", "sequence_len", "device_map", "save_only_model",
)  # fmt: skip


# --------------------------------------------------------------------------- inputs


def make_document(rng: random.Random) -> str:
    """A made-up config: known, misspelt and foreign keys with all kinds of values."""
    lines = []
    for _ in range(rng.randint(1, 12)):
        lines.append(_entry(rng, 0))
    newline = rng.choice(("\n", "\n", "\n", "\r\n"))
    text = "\n".join(lines) + rng.choice(("\n", "\n", "", "\n\n# end"))
    return text.replace("\n", newline)


def _entry(rng: random.Random, depth: int) -> str:
    pad = "  " * depth
    key = rng.choice(KEYS)
    kind = rng.random()
    comment = rng.choice(("", "", "", "  # why", " # cfglint: ignore[KEY001]"))
    if depth < 3 and kind < 0.12:
        parts = [_entry(rng, depth + 1) for _ in range(rng.randint(1, 3))]
        return f"{pad}{key}:{comment}\n" + "\n".join(parts)
    if depth < 3 and kind < 0.24:
        dash = pad + rng.choice(("  ", "")) + "- "
        items = []
        for _ in range(rng.randint(1, 3)):
            if rng.random() < 0.5:
                items.append(dash + _entry(rng, 0).replace("\n", "\n" + " " * len(dash)))
            else:
                items.append(dash + rng.choice(SCALARS).replace("\n", "\n" + " " * len(dash)))
        return f"{pad}{key}:{comment}\n" + "\n".join(items)
    value = rng.choice(SCALARS).replace("\n", "\n" + pad)
    anchor = rng.choice(("", "", "", "", "", f"&{rng.choice('abc')} "))
    ending = "" if "\n" in value else comment
    above = rng.choice(("", "", "", f"{pad}# about {key}\n", "\n"))
    return f"{above}{pad}{key}: {anchor}{value}{ending}"


def _mutate_bytes(rng: random.Random, text: str) -> bytes:
    data = bytearray(text.encode("utf-8", "surrogatepass"))
    for _ in range(rng.randint(1, 3)):
        if not data:
            break
        place = rng.randrange(len(data))
        how = rng.randrange(4)
        if how == 0:
            data[place] = rng.randrange(256)
        elif how == 1:
            del data[place : place + rng.randint(1, 8)]
        elif how == 2:
            data.insert(place, rng.choice(b"\t\r\n\x00 :-#'\"[]{}&*!|>%@`,?\xff\xc3"))
        else:
            start = rng.randrange(len(data))
            data[place:place] = data[start : start + rng.randint(1, 30)]
    return bytes(data)


def _mutate_lines(rng: random.Random, text: str, other: str) -> str:
    lines = text.splitlines(keepends=True) or [""]
    place = rng.randrange(len(lines))
    how = rng.randrange(7)
    if how == 0:
        del lines[place]
    elif how == 1:
        lines.insert(rng.randrange(len(lines) + 1), lines[place])
    elif how == 2:
        target = rng.randrange(len(lines))
        lines[place], lines[target] = lines[target], lines[place]
    elif how == 3:
        lines[place] = rng.choice(("  ", " ", "\t", "- ", "# ")) + lines[place]
    elif how == 4:
        lines[place] = lines[place].lstrip(" ")
    elif how == 5:
        others = other.splitlines(keepends=True) or [""]
        lines.insert(place, rng.choice(others))
    else:
        lines[place] = lines[place].rstrip("\r\n") + rng.choice(("\r\n", "\r", "", " # c\n"))
    return "".join(lines)


def _mutate_tokens(rng: random.Random, text: str) -> str:
    place = rng.randint(0, len(text))
    if rng.random() < 0.5:
        # Where something happens already: beside punctuation and at line ends.
        spots = [match.end() for match in re.finditer(r"[:\-,\[\]{}#\n]\s?", text)]
        place = rng.choice(spots) if spots else place
    cut = place + rng.choice((0, 0, 0, 1, 2, 5))
    return text[:place] + rng.choice(TOKENS) + text[cut:]


def _mutate_keys(rng: random.Random, text: str) -> str:
    entries = list(re.finditer(r"(?m)^([ \-]*)([A-Za-z_]\w*)[ ]*:[ ]*([^\n#\r]*)", text))
    if not entries:
        return text + rng.choice(KEYS) + ": " + rng.choice(SCALARS) + "\n"
    match = rng.choice(entries)
    how = rng.randrange(6)
    if how == 0:
        start, end, new = *match.span(3), rng.choice(SCALARS)
    elif how == 1:
        start, end, new = *match.span(2), rng.choice(KEYS)
    elif how == 2:
        line = f"{match.group(1).replace('-', ' ')}{match.group(2)}: {rng.choice(SCALARS)}\n"
        start, end, new = match.start(), match.start(), line
    elif how == 3:
        start, end, new = match.start(3), match.start(3), f"&{rng.choice('abc')} "
    elif how == 4:
        start, end, new = *match.span(3), f"*{rng.choice('abc')}"
    else:
        name = match.group(2)
        place = rng.randrange(len(name))
        start, end = match.span(2)
        new = name[:place] + rng.choice(("", name[place] * 2, "_", "e")) + name[place + 1 :]
    return text[:start] + new + text[end:]


def mutated(rng: random.Random, seeds: list[str]) -> bytes:
    """A random input."""
    if rng.random() < 0.3 or not seeds:
        text = make_document(rng)
        if rng.random() < 0.3:
            return text.encode()
    else:
        text = rng.choice(seeds)
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 5))):
        how = rng.random()
        if how < 0.35:
            text = _mutate_keys(rng, text)
        elif how < 0.65:
            text = _mutate_tokens(rng, text)
        elif how < 0.9:
            text = _mutate_lines(rng, text, rng.choice(seeds) if seeds else "")
        else:
            return _mutate_bytes(rng, text)
        if rng.random() < 0.03:
            text = text.replace("\n", "\r\n")
    return text.encode("utf-8", "surrogatepass")


def seed_texts(folders: list[Path], rules: Path) -> list[str]:
    """The texts to start from: files, and the examples of the rule files."""
    texts: list[str] = []
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix.lower() in (".yml", ".yaml") and path.stat().st_size < 20_000:
                texts.append(path.read_bytes().decode("utf-8", "replace"))
    for path in sorted(rules.rglob("*.yaml")):
        data = yaml.load(path.read_text("utf-8"), Loader=yaml.CSafeLoader)
        if isinstance(data, dict):
            for example in data.get("examples", ()):
                texts.append(example.get("bad") or example.get("good") or "")
    return texts


# --------------------------------------------------------------------------- the run


def work(task: tuple[int, float, list[str]]) -> tuple[int, Counter[str], dict[str, list[Failure]]]:
    """Fuzz until the time is over; how many inputs, some counts, and failures by kind."""
    seed, minutes, seeds = task
    rng = random.Random(seed)
    judge = Judge()
    failures: dict[str, list[Failure]] = {}
    runs = 0
    deadline = time.monotonic() + 60 * minutes
    while time.monotonic() < deadline:
        data = mutated(rng, seeds)[:MAX_BYTES]
        runs += 1
        problem = judge.problem(data)
        if problem is None:
            continue
        kept = failures.setdefault(kind_of(problem), [])
        kept.append(shortened(judge, Failure(problem, data)) if len(kept) < 3 else Failure("", b""))
    return runs, judge.counts, failures


def main() -> int:
    """Fuzz with several processes and print what was found."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folders", nargs="*", type=Path, default=[Path("fixtures")])
    parser.add_argument("--rules", type=Path, default=Path("rules"))
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", type=Path, help="a folder for failing inputs")
    options = parser.parse_args()
    seeds = seed_texts(options.folders, options.rules)
    tasks = [(options.seed * 1000 + job, options.minutes, seeds) for job in range(options.jobs)]
    runs = 0
    counts: Counter[str] = Counter()
    failures: dict[str, list[Failure]] = {}
    with multiprocessing.Pool(options.jobs) as pool:
        for some, more, found in pool.imap_unordered(work, tasks):
            runs += some
            counts.update(more)
            for kind, kept in found.items():
                failures.setdefault(kind, []).extend(kept)
    print(f"{len(seeds)} seeds, {runs} inputs in {options.minutes:g} minutes")
    for name, count in sorted(counts.items()):
        print(f"  {name:16}{count:10}")
    for number, (kind, kept) in enumerate(sorted(failures.items())):
        shown = sorted((one for one in kept if one.data), key=lambda one: len(one.data))
        print(f"FAILED {len(kept)} times: {kind}")
        for place, failure in enumerate(shown[:2]):
            print(f"    {failure.problem}\n    {failure.data!r}")
            if options.keep is not None:
                options.keep.mkdir(parents=True, exist_ok=True)
                (options.keep / f"{number}-{place}.yml").write_bytes(failure.data)
    print(f"{sum(map(len, failures.values()))} failures of {len(failures)} kinds")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

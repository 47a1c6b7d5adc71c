"""Commands on projects that grow: fixing, migrating, baselines, sweeps, reports, settings."""

from __future__ import annotations

import json
from collections.abc import Callable

from cfglint.cli.options import FORMATS
from tools.growth.inputs import AXOLOTL, DEEPSPEED, Case

#: Config that no rule has anything to say about, without what a migration changes.
_BASE = (
    "base_model: a/b\nmicro_batch_size: 2\ngradient_accumulation_steps: 4\nlearning_rate: 0.0001\n"
)
_ALPACA = _BASE + "datasets:\n  - {path: c/d, type: alpaca}\n"
#: Config of which the memory is known.
_KNOWN_MODEL = (
    "base_model: NousResearch/Llama-3.2-1B\nsequence_len: 2048\nmicro_batch_size: 1\n"
    "optimizer: adamw_torch\nbf16: true\ndatasets:\n  - {path: a/b, type: alpaca}\n"
)
_MIGRATE = ("migrate", "train.yml", "--to", "axolotl==0.21.0", "--isolated", "--unsafe-fixes")

#: Name, size, and a text with many findings behind a config of Axolotl's.
_FINDINGS: tuple[tuple[str, int, Callable[[int], str]], ...] = (
    ("misspelt keys", 50, lambda n: "".join(f"lora_r{i}x: 1\n" for i in range(n))),
    ("misspelt keys of datasets", 50, lambda n: "test_datasets:\n" + "".join(f"  - {{path: a/b{i}, typ: alpaca}}\n" for i in range(n))),
    ("one key again and again", 50, lambda n: "seed: 1\n" * n),
    ("numbers as text", 50, lambda n: "x:\n" + "".join(f"  k{i}: 1e-5\n" for i in range(n))),
    ("curly quotes", 50, lambda n: "".join(f"key_{i}: \u201ca\u201d\n" for i in range(n))),
    ("words as booleans", 50, lambda n: "".join(f"key_{i}: no\n" for i in range(n))),
    ("comments above keys", 50, lambda n: "".join(f"# a\nkey_{i}: 1\n" for i in range(n))),
    ("tabs", 50, lambda n: "a:\n" + "\tb: 1\n" * n),
    ("quotes that are open", 50, lambda n: "a: 'b\n" * n),
    ("datasets in flow", 50, lambda n: "test_datasets: [" + ", ".join(f"{{path: c/d{i}, typ: alpaca}}" for i in range(n)) + "]\n"),
)  # fmt: skip


def _axolotl(
    name: str, size: int, text: Callable[[int], str], *command: str, base: str = AXOLOTL
) -> Case:
    return Case(name, "train.yml", size, lambda n: {"train.yml": base + text(n)}, command)


def _of_fixes() -> list[Case]:
    cases = []
    for name, size, text in _FINDINGS:
        for options in (("--fix",), ("--unsafe-fixes", "--fix"), ("--unsafe-fixes", "--diff")):
            shown = " ".join(options)
            cases.append(_axolotl(f"{shown}: {name}", size, text, *options, "train.yml"))
        cases.append(_axolotl(f"--add-ignores: {name}", size, text, "--add-ignores", "train.yml"))

    def duplicates(count: int) -> dict[str, str]:
        return {"ds.json": "{" + DEEPSPEED + ', "k": 1' * count + "}"}

    def commented(count: int) -> dict[str, str]:
        return {"ds.json": "{" + DEEPSPEED + '\n// a\n, "k": 1' * count + "}"}

    for name, make in (("duplicate keys", duplicates), ("commented keys", commented)):
        cases.append(Case(f"--fix: {name} of JSON", "ds.json", 50, make, ("--fix", "ds.json")))
        cases.append(
            Case(
                f"--diff: {name} of JSON", "ds.json", 50, make,
                ("--unsafe-fixes", "--diff", "ds.json"),
            )
        )  # fmt: skip
    return cases


def _of_migration() -> list[Case]:
    def sharegpt(count: int) -> str:
        return _BASE + "datasets:\n" + "".join(
            f"  - path: c/d{i}\n    type: sharegpt\n" for i in range(count)
        )  # fmt: skip

    rows: tuple[tuple[str, int, Callable[[int], str]], ...] = (
        ("keys of the user's", 100, lambda n: _ALPACA + "".join(f"key_{i}: 1\n" for i in range(n))),
        ("datasets of an older type", 10, sharegpt),
        ("comments", 500, lambda n: _ALPACA + "# a\n" * n + "flash_attention: true\n"),
        ("one step behind many keys", 100, lambda n: _ALPACA + "x:\n" + "".join(f"  k{i}: 1\n" for i in range(n)) + "flash_attention: true\n"),
    )  # fmt: skip
    return [
        Case(f"migrate: {name}", "train.yml", size, lambda n, t=text: {"train.yml": t(n)}, _MIGRATE)  # type: ignore[misc]
        for name, size, text in rows
    ]


def _of_baselines() -> list[Case]:
    def unknown(count: int) -> str:
        return "".join(f"key_{number}: 1\n" for number in range(count))

    def known(count: int) -> dict[str, str]:
        rows = {"KEY001": {f"key_{number}": 1 for number in range(count)}}
        baseline = {"version": 1, "files": {"train.yml": rows}}
        return {"train.yml": AXOLOTL + unknown(count), "b.json": json.dumps(baseline)}

    def files(count: int) -> dict[str, str]:
        return {f"c{number}.yml": AXOLOTL + unknown(2) for number in range(count)}

    def gone(count: int) -> dict[str, str]:
        rows = {f"c{number}.yml": {"KEY001": {"a": 1}} for number in range(count)}
        return {"train.yml": AXOLOTL, "b.json": json.dumps({"version": 1, "files": rows})}

    return [
        _axolotl("baseline: written", 100, unknown, "--write-baseline", "train.yml"),
        Case("baseline: read", "train.yml", 100, known, ("--baseline", "b.json", "train.yml")),
        Case("baseline: of many files", "c0.yml", 10, files, ("--write-baseline", ".")),
        Case("baseline: of files that are gone", "train.yml", 400, gone, ("--baseline", "b.json", ".")),
    ]  # fmt: skip


def _of_sweeps() -> list[Case]:
    rows: tuple[tuple[str, int, Callable[[int], str], Callable[[int], str]], ...] = (
        ("values", 8, lambda n: "", lambda n: f"seed: {list(range(n))}\n"),
        ("keys of one value", 20, lambda n: "", lambda n: "".join(f"key_{i}: [1]\n" for i in range(n))),
        ("keys of a config", 50, lambda n: "".join(f"key_{i}: 1\n" for i in range(n)), lambda n: "seed: [1, 2]\n"),
        ("lists", 8, lambda n: "", lambda n: "_:\n" + "".join(f"  - {{seed: {i}, lora_r: 8}}\n" for i in range(n))),
        ("long values", 1000, lambda n: "", lambda n: f"run_name: [{'a' * n}, b]\n"),
    )  # fmt: skip

    def case(name: str, size: int, more: Callable[[int], str], sweep: Callable[[int], str]) -> Case:
        return Case(
            f"sweep: {name}",
            "train.yml",
            size,
            lambda n: {"train.yml": AXOLOTL + more(n), "sweep.yml": sweep(n)},
            ("--sweep", "sweep.yml", "train.yml"),
        )

    return [case(*row) for row in rows]


def _of_reports() -> list[Case]:
    cases = []
    for form in FORMATS:
        for name, size, text in _FINDINGS[:2]:
            cases.append(_axolotl(f"{form}: {name}", size, text, "--format", form, "train.yml"))
    for name, size, text in _FINDINGS[:5]:
        cases.append(_axolotl(f"effective: {name}", size, text, "effective", "train.yml"))
        cases.append(_axolotl(f"fit: {name}", size, text, "fit", "train.yml", base=_KNOWN_MODEL))
        cases.append(_axolotl(f"statistics: {name}", size, text, "--statistics", "train.yml"))
    return cases


def _of_settings() -> list[Case]:
    def patterns(key: str) -> Callable[[int], dict[str, str]]:
        def make(count: int) -> dict[str, str]:
            files = {f"c{number}.yml": AXOLOTL for number in range(20)}
            if key == ".gitignore":
                return {**files, key: "".join(f"a{i}/*.yml\n" for i in range(count))}
            listed = [f"a{number}/*.yml" for number in range(count)]
            rows = "".join(f"'{one}' = 'KEY'\n" for one in listed)
            own = f"exclude = {listed}\n" if key == "exclude" else f"[per-file-ignores]\n{rows}"
            return {**files, "cfglint.toml": own}

        return make

    return [
        Case(f"{key} beside 20 files", "c0.yml", 30, patterns(key), (".",))
        for key in ("exclude", "per-file-ignores", ".gitignore")
    ] + [
        Case(
            "files of a folder", "c0.yml", 10,
            lambda n: {f"c{number}.yml": AXOLOTL for number in range(n)}, (".",),
        ),
        Case(
            "folders", "train.yml", 20,
            lambda n: {f"f{number}/train.yml": AXOLOTL for number in range(n)}, (".",),
        ),
    ]  # fmt: skip


def commands() -> list[Case]:
    """All of them."""
    return [
        *_of_fixes(),
        *_of_migration(),
        *_of_baselines(),
        *_of_sweeps(),
        *_of_reports(),
        *_of_settings(),
    ]

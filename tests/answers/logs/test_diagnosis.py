"""What a log and the configs of its run say together about its end."""

from __future__ import annotations

import io
from typing import Any

from cfglint.answers.logs.diagnosis import RunDiagnosis, diagnose
from cfglint.answers.logs.found import RunConfigs
from cfglint.source.text import SourceText
from tests.draws import each
from tests.linting import lint
from tests.report.building import report, target

TRACE = 'Traceback (most recent call last):\n  File "train.py", line 1, in <module>\n'
BASE = "base_model: a/b\nmicro_batch_size: 2\ndatasets:\n  - path: x\n    type: alpaca\n"
UNKNOWN = f"{TRACE}TypeError: __init__() got an unexpected keyword argument 'lora_rnk'\n"
OTHER = f"{TRACE}ValueError: something odd about val_set_size happened\n"
MEMORY = f"{TRACE}torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB\n"


def told(
    log: str, *configs: str, unchecked: dict[str, str] | None = None, **given: Any
) -> RunDiagnosis:
    reports = [
        report(f"{number}.yml", text, *lint(text, target=("axolotl==0.18.0",)))
        for number, text in enumerate(configs)
    ]
    others = {path: SourceText(text) for path, text in (unchecked or {}).items()}
    return diagnose(io.BytesIO(log.encode()), lambda _: RunConfigs(tuple(reports), others), given)


def shown(found: RunDiagnosis) -> dict[str, Any]:
    """The parts of a diagnosis that say something."""
    rows: dict[str, Any] = {
        "failures": [one.text for one in found.failures],
        "causes": [
            (cause.codes[:3], cause.key and cause.key.name, cause.end is not None)
            for cause in found.causes
        ],
        "keys": {name: (one.path, one.line) for name, one in found.keys.items()},
        "mentions": {
            name: (one.path, one.line, one.checked) for name, one in found.mentions.items()
        },
        "named": {
            one.text: [(row.path, row.line) for row in rows] for one, rows in found.named.items()
        },
        "others": [(one.path, one.line) for one in found.other_errors],
    }
    return {name: row for name, row in rows.items() if row}


def row(log: str, configs: tuple[str, ...], unchecked: dict[str, str]) -> dict[str, Any]:
    return shown(told(log, *configs, unchecked=unchecked))


@each(
    ("log", "configs", "unchecked", "expected"),
    [
        ("all is well\n", (), {}, {}),
        (
            UNKNOWN,
            (),
            {},
            {
                "failures": ["TypeError: __init__() got an unexpected keyword argument 'lora_rnk'"],
                "causes": [((), "lora_rnk", False)],
            },
        ),
        (
            UNKNOWN,
            (f"{BASE}lora_rnk: 8\n",),
            {},
            {
                "failures": ["TypeError: __init__() got an unexpected keyword argument 'lora_rnk'"],
                "causes": [(("KEY001",), "lora_rnk", False)],
                "keys": {"lora_rnk": ("0.yml", 6)},
                "others": [("0.yml", 1), ("0.yml", 2)],
            },
        ),
        (
            UNKNOWN,
            (f"{BASE}# lora_rnk is gone\n",),
            {},
            {
                "failures": ["TypeError: __init__() got an unexpected keyword argument 'lora_rnk'"],
                "causes": [((), "lora_rnk", False)],
                "mentions": {"lora_rnk": ("0.yml", 6, True)},
                "others": [("0.yml", 1), ("0.yml", 2)],
            },
        ),
        (
            UNKNOWN,
            (BASE,),
            {"run.sh": "x\ntrain --lora-rnk 8\n"},
            {
                "failures": ["TypeError: __init__() got an unexpected keyword argument 'lora_rnk'"],
                "causes": [((), "lora_rnk", False)],
                "mentions": {"lora_rnk": ("run.sh", 2, False)},
                "others": [("0.yml", 1), ("0.yml", 2)],
            },
        ),
        (
            UNKNOWN,
            (BASE,),
            {"run.sh": "train --my.lora_rnk 8\n"},
            {
                "failures": ["TypeError: __init__() got an unexpected keyword argument 'lora_rnk'"],
                "causes": [((), "lora_rnk", False)],
                "others": [("0.yml", 1), ("0.yml", 2)],
            },
        ),
        (OTHER, (), {}, {"failures": ["ValueError: something odd about val_set_size happened"]}),
        (
            OTHER,
            (BASE,),
            {},
            {
                "failures": ["ValueError: something odd about val_set_size happened"],
                "others": [("0.yml", 1), ("0.yml", 2)],
            },
        ),
        (
            OTHER,
            (f"{BASE}val_set_size: many\n",),
            {},
            {
                "failures": ["ValueError: something odd about val_set_size happened"],
                "named": {"ValueError: something odd about val_set_size happened": [("0.yml", 6)]},
                "others": [("0.yml", 1), ("0.yml", 2)],
            },
        ),
        (
            OTHER,
            (f"{BASE}val_set_size: many\nlearning_rate: fast\n",),
            {},
            {
                "failures": ["ValueError: something odd about val_set_size happened"],
                "named": {"ValueError: something odd about val_set_size happened": [("0.yml", 6)]},
                "others": [("0.yml", 2), ("0.yml", 7)],
            },
        ),
        (
            OTHER,
            (BASE, f"{BASE}learning_rate: fast\n"),
            {},
            {
                "failures": ["ValueError: something odd about val_set_size happened"],
                "others": [("0.yml", 1), ("0.yml", 2), ("1.yml", 2), ("1.yml", 6)],
            },
        ),
        (
            MEMORY,
            (BASE,),
            {},
            {
                "failures": ["OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB"],
                "causes": [((), None, True)],
                "others": [("0.yml", 1), ("0.yml", 2)],
            },
        ),
    ],
)
def test_diagnoses(
    log: str, configs: tuple[str, ...], unchecked: dict[str, str], expected: dict[str, Any]
) -> None:
    assert row(log, configs, unchecked) == expected


def test_whether_there_is_a_config() -> None:
    assert not told(UNKNOWN).has_config
    assert told(UNKNOWN, BASE).has_config
    assert told(UNKNOWN, unchecked={"run.sh": "x"}).has_config


@each(
    ("log", "given", "expected"),
    [
        ("x\n", {}, "2.6.0"),
        ("torch==2.5.1\n", {}, "2.5.1"),
        ("torch==2.5.1\n", {"torch": "2.4.0"}, "2.4.0"),
        # It is given, but not as a release.
        ("torch==2.5.1\n", {"torch": None}, None),
    ],
)
def test_versions(log: str, given: dict[str, Any], expected: str | None) -> None:
    reports = (report("a.yml", BASE, target=target("axolotl==0.18.0", "torch==2.6.0")),)
    found = diagnose(io.BytesIO(log.encode()), lambda _: RunConfigs(reports), given)
    assert found.versions.get("torch") == expected
    assert found.versions["axolotl"] == "0.18.0"

"""What a config and accelerate's settings say against each other, and when nothing is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint import lint_file
from tests.engine.files_together.test_other_files import CONFIG

RUN = "accelerate launch {options}--config_file acc.yaml -m axolotl.cli.train train.yml\n"
ACCELERATE = "compute_environment: LOCAL_MACHINE\nnum_processes: 2\n"
OWN = ("LCH011", "LCH013", "LCH014")


def found(
    config: str, accelerate: str, *, options: str = "", release: str = "0.18.0"
) -> list[tuple[str, str]]:
    """(code, the text it stands at) of the findings about the two files together."""
    Path("train.yml").write_text(CONFIG + config, encoding="utf-8")
    Path("acc.yaml").write_text(ACCELERATE + accelerate, encoding="utf-8")
    Path("train.sh").write_text(RUN.format(options=options), encoding="utf-8")
    report = lint_file("train.yml", target=[f"axolotl=={release}"])
    return [
        (d.code, other.source.text[d.span.start : d.span.end])
        for other in report.elsewhere
        for d in other.diagnostics
        if d.code in OWN
    ]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path(".git").mkdir()
    Path("ds.json").write_text('{"zero_optimization": {"stage": 2}}\n', encoding="utf-8")


DEEPSPEED = "distributed_type: DEEPSPEED\ndeepspeed_config:\n  zero_stage: 2\n"


@pytest.mark.parametrize(
    ("config", "options", "expected"),
    [
        ("deepspeed: ds.json\n", "", [("LCH011", "zero_stage: 2")]),
        # The command chooses, so the file's own word counts for nothing.
        ("deepspeed: ds.json\n", "--use_deepspeed ", []),
        ("", "", []),
        # The trainer refuses both together; one finding on that is enough.
        ("deepspeed: ds.json\nfsdp: [full_shard]\n", "", []),
        ("deepspeed: ds.json\nfsdp_config: {fsdp_version: 2}\n", "", []),
    ],
)
def test_fields_beside_deepspeeds_own_settings(
    config: str, options: str, expected: list[tuple[str, str]]
) -> None:
    assert found(config, DEEPSPEED, options=options) == expected


@pytest.mark.parametrize(
    ("config", "kind", "expected"),
    [
        ("deepspeed: ds.json\n", "FSDP", True),
        ("deepspeed: ds.json\n", "fsdp", True),
        ("fsdp_config: {fsdp_version: 2}\n", "DEEPSPEED", True),
        ("fsdp: [full_shard]\n", "DEEPSPEED", True),
        ("fsdp: [full_shard]\n", "MULTI_GPU", False),
        ("fsdp: [full_shard]\n", "FSDP", False),
        ("", "FSDP", False),
        ("", "DEEPSPEED", False),
    ],
)
def test_two_ways_to_share_a_model(config: str, kind: str, expected: bool) -> None:
    rows = found(config, f"distributed_type: {kind}\n")
    assert rows == ([("LCH013", f"distributed_type: {kind}")] if expected else [])


@pytest.mark.parametrize(
    ("config", "theirs", "release", "expected"),
    [
        ("bf16: true\n", "bf16", "0.18.0", False),
        ("bf16: true\n", "fp16", "0.18.0", True),
        ("bf16: true\n", "'no'", "0.8.1", True),
        ("bf16: true\n", "no", "0.18.0", True),
        # 0.9.1 is the first release that also takes a precision back.
        ("bf16: false\n", "bf16", "0.9.1", True),
        ("bf16: false\n", "bf16", "0.9.0", False),
        ("bf16: false\n", "'no'", "0.18.0", False),
        ("bf16: false\nfp16: true\n", "fp16", "0.18.0", False),
        ("bf16: false\nfp16: true\n", "bf16", "0.8.1", True),
        ("bf16: auto\n", "fp16", "0.18.0", False),
        ("bf16: true\nfp8: true\n", "fp16", "0.18.0", False),
        ("bf16: true\nfloat16: true\n", "fp16", "0.18.0", False),
        ("bf16: true\nbfloat16: true\n", "fp16", "0.18.0", False),
    ],
)
def test_another_precision(config: str, theirs: str, release: str, expected: bool) -> None:
    accelerate = f"distributed_type: MULTI_GPU\nmixed_precision: {theirs}\n"
    rows = found(config, accelerate, release=release)
    assert rows == ([("LCH014", f"mixed_precision: {theirs}")] if expected else [])

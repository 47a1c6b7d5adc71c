"""What stands around a run of LLaMA-Factory: its data, what is changed for a CPU, what is made small."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tools.runs.bases.llamafactory import BASES
from tools.runs.worker import llamafactory, llamafactory_data
from tools.runs.worker.protocol import Record


def _written(tmp_path: Path, names: list[str], stage: str) -> tuple[dict[str, Any], Any]:
    llamafactory_data.write(names, stage, tmp_path)
    infos = json.loads((tmp_path / "dataset_info.json").read_text())
    rows = json.loads((tmp_path / infos[names[0]]["file_name"]).read_text())
    return infos, rows[0]


class TestData:
    def test_a_known_dataset_has_its_own_shape(self, tmp_path: Path) -> None:
        infos, row = _written(tmp_path, ["dpo_en_demo", "identity"], "dpo")
        assert infos["dpo_en_demo"]["ranking"]
        assert set(row) == {"conversations", "chosen", "rejected"}
        assert infos["identity"] == {"file_name": "1.json"}

    @pytest.mark.parametrize(
        ("stage", "columns"),
        [
            ("pt", {"text"}),
            ("sft", {"instruction", "input", "output"}),
            ("rm", {"conversations", "chosen", "rejected"}),
            ("kto", {"messages", "label"}),
        ],
    )
    def test_an_unknown_one_has_what_the_stage_reads(
        self, tmp_path: Path, stage: str, columns: set[str]
    ) -> None:
        _, row = _written(tmp_path, ["tickets"], stage)
        assert set(row) == columns

    def test_names_are_a_text_with_commas_or_a_list(self) -> None:
        assert llamafactory_data.named("identity, c4_demo") == ["identity", "c4_demo"]
        assert llamafactory_data.named(["identity", 3]) == ["identity"]
        assert llamafactory_data.named(None) == []


def test_what_cannot_be_here_is_noted() -> None:
    record = Record()
    written = {"fp16": True, "deepspeed": "ds.json", "optim": "paged_adamw_8bit", "tf32": False}
    given = llamafactory._changed(written, record)
    assert [text.partition(":")[0] for text in record.replaced] == ["deepspeed", "fp16", "optim"]
    assert given["bf16"] is True
    assert given["optim"] == "adamw_torch"
    assert "deepspeed" not in given


@pytest.mark.parametrize(("cutoff", "length"), [(1024, 256), (1023, 255), (100, 100), (2050, 250)])
def test_rows_are_shortened_by_multiples_of_eight(cutoff: int, length: int) -> None:
    training = SimpleNamespace(max_steps=-1, eval_steps=0.1, save_steps=500)
    data = SimpleNamespace(cutoff_len=cutoff, max_samples=None, val_size=100)
    llamafactory._shrink((None, data, training, None, SimpleNamespace()), Record(), 3)
    assert (data.cutoff_len, data.val_size) == (length, 4)
    assert (training.max_steps, training.eval_steps, training.save_steps) == (3, 0.1, 2)


def test_every_base_has_a_stage_and_data() -> None:
    assert {base.content["stage"] for base in BASES.bases} == {"pt", "sft", "rm", "dpo", "kto"}
    for base in BASES.bases:
        names = llamafactory_data.named(base.content["dataset"])
        assert all(map(llamafactory_data.known, names)), base.name

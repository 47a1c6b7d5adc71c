"""Axolotl's side of the real runs, without Axolotl: its rows, and what is changed for a CPU."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from tools.runs.worker import axolotl
from tools.runs.worker.axolotl_fit import fit
from tools.runs.worker.axolotl_rows import rows
from tools.runs.worker.protocol import Record


@pytest.mark.parametrize(
    ("entry", "rl", "columns"),
    [
        ({"type": "chat_template"}, None, {"messages"}),
        ({"type": "chat_template", "field_messages": "talk"}, None, {"talk"}),
        ({"type": None}, None, {"input_ids", "attention_mask", "labels"}),
        ({"type": "input_output"}, None, {"segments"}),
        ({"type": "completion", "field": "body"}, None, {"body", "text"}),
        ({"type": {"field_output": "say"}}, None, {"instruction", "input", "say", "system"}),
        ({"type": "bradley_terry.chat_template"}, None, {"system", "input", "chosen", "rejected"}),
        ({"type": "stepwise_supervised"}, None, {"prompt", "completions", "labels"}),
        ({"type": "chat_template.default"}, "dpo", {"messages", "chosen", "rejected"}),
        ({"type": "chat_template.argilla"}, "orpo", {"prompt", "chosen", "rejected"}),
        ({"type": {"field_chosen": "yes"}}, "dpo", {"prompt", "yes", "rejected"}),
        ({"type": "zephyr.nectar"}, "dpo", {"prompt", "answers"}),
        ({"type": "llama3.argilla_chat"}, "kto", {"completion", "label"}),
    ],
)
def test_rows_have_the_columns_that_the_type_reads(
    entry: dict[str, Any], rl: str | None, columns: set[str]
) -> None:
    made = rows(entry, rl, 3)
    assert [set(row) for row in made] == [columns] * 3
    assert made == rows(entry, rl, 3)
    assert made != rows(entry, rl, 3, seed=2)


def test_turns_are_in_the_words_of_the_file() -> None:
    entry = {
        "type": "chat_template",
        "message_property_mappings": {"role": "from", "content": "value"},
        "roles": {"assistant": ["gpt"], "user": "human"},
    }
    turns = rows(entry, None, 1)[0]["messages"]
    assert [turn["from"] for turn in turns] == ["human", "gpt"] * 2
    assert all(turn["value"] for turn in turns)


@pytest.mark.parametrize("value", [None, 1, [], {"role": 3}])
def test_rows_are_made_for_odd_entries(value: Any) -> None:
    for key in ("type", "roles", "message_property_mappings", "field_messages"):
        for rl in (None, "dpo", "kto", "grpo"):
            assert len(rows({"type": "chat_template", key: value}, rl, 2)) == 2


class TestFit:
    def _fitted(self, **config: Any) -> tuple[dict[str, Any], Record]:
        record = Record()
        fit(config, record, set(config))
        return config, record

    def test_takes_out_what_needs_a_gpu(self) -> None:
        config, record = self._fitted(flash_attention=True, deepspeed="zero2.json", tf32=True)
        assert not any(config[key] for key in ("flash_attention", "deepspeed", "tf32"))
        assert config["sdp_attention"]
        noted = {text.partition(":")[0] for text in record.replaced}
        assert noted == {"flash_attention", "deepspeed", "tf32"}

    def test_notes_only_what_the_file_says(self) -> None:
        record = Record()
        fit({"tf32": True, "lora_mlp_kernel": True}, record, {"tf32"})
        assert [text.partition(":")[0] for text in record.replaced] == ["tf32"]

    def test_makes_numbers_smaller_without_a_word(self) -> None:
        config, record = self._fitted(sequence_len=4096, max_steps=1000, eval_steps=0.5)
        assert (config["sequence_len"], config["max_steps"], config["eval_steps"]) == (256, 3, 0.5)
        assert not record.replaced

    def test_rows_of_pairs_stay_longer_than_prompts(self) -> None:
        assert self._fitted(rl="simpo", sequence_len=4096)[0]["sequence_len"] > 512
        assert self._fitted(rl="simpo", sequence_len=512)[0]["sequence_len"] == 512

    @pytest.mark.parametrize(
        ("name", "instead"),
        [("paged_lion_8bit", "lion_pytorch"), ("adamw_8bit", "adamw_torch"), ("sgd", "sgd")],
    )
    def test_has_no_optimizer_of_a_gpu(self, name: str, instead: str) -> None:
        assert self._fitted(optimizer=name)[0]["optimizer"] == instead

    def test_a_batch_of_generations_stays(self) -> None:
        assert self._fitted(rl="grpo", micro_batch_size=8)[0]["micro_batch_size"] == 8

    def test_stands_in_for_the_users_functions(self) -> None:
        config, record = self._fitted(
            rl="grpo",
            trl={"reward_funcs": ["stood_in.reward"]},
            datasets=[{"type": "stood_in.prompt"}],
        )
        module = sys.modules.pop("stood_in")
        assert module.reward(completions=["four"])
        assert module.prompt(config)({"a": 1}) == {"a": 1}
        assert len(record.replaced) == 2


def test_names_lead_into_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    config: dict[str, Any] = {
        "datasets": [{"path": "org/data", "type": "alpaca"}, {"path": "/data/x.jsonl"}],
        "test_datasets": [{"path": "rows.jsonl", "type": "alpaca"}],
        "pretraining_dataset": "org/text",
    }
    record = Record()
    axolotl._lay_out_data(config, record)
    assert (tmp_path / "org" / "data" / "train.jsonl").is_file()
    assert (tmp_path / "rows.jsonl").is_file()
    assert (tmp_path / "org" / "text" / "train.jsonl").is_file()
    assert config["datasets"][1]["path"] == "data_x.jsonl"
    assert [text.partition(":")[0] for text in record.replaced] == ["datasets"]

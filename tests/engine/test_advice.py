"""What makes a run fit: every advised change is written, checked and estimated again."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
import yaml

from cfglint.api.fitting import Fitting
from cfglint.engine.advice import Advice, Advised
from cfglint.engine.one_file import config_of
from cfglint.engine.session import Options, Session
from cfglint.engine.settings.nearest import SettingsFinder
from cfglint.runs.memory.run import GIB
from cfglint.source.files.memory import InMemory
from tests.draws import drawn, product

AXOLOTL = """\
base_model: NousResearch/Meta-Llama-3-8B
datasets:
  - path: acme/tickets
    type: alpaca
sequence_len: 4096   # ours
micro_batch_size: 4
gradient_accumulation_steps: 2
optimizer: adamw_torch_fused
learning_rate: 0.00002
num_epochs: 1
bf16: true
output_dir: ./out
"""
LLAMAFACTORY = """\
model_name_or_path: meta-llama/Meta-Llama-3-8B-Instruct
stage: sft
do_train: true
finetuning_type: full
dataset: alpaca_en_demo
template: llama3
cutoff_len: 4096
output_dir: saves/full
per_device_train_batch_size: 4
gradient_accumulation_steps: 2
learning_rate: 1.0e-5
num_train_epochs: 3.0
bf16: true
"""
TRL = """\
model_name_or_path: Qwen/Qwen2.5-7B
dataset_name: trl-lib/Capybara
output_dir: out
learning_rate: 2.0e-5
per_device_train_batch_size: 8
max_length: 2048
"""
TEXTS = {"axolotl": AXOLOTL, "llamafactory": LLAMAFACTORY, "trl": TRL}


def fitting(
    text: str, gpu: str, gpus: int = 1, *, files: Mapping[str, bytes] | None = None
) -> Fitting:
    path = "run/sft.yaml"
    project = {
        "run/.git/HEAD": b"",
        path: text.encode(),
        "run/train.sh": b"trl sft --config sft.yaml\n",
        **(files or {}),
    }
    session = Session(Options(gpu=gpu, gpus=gpus), SettingsFinder(files=InMemory(project)))
    return Fitting.of_document(session, path, *config_of(session, path, project[path]))


def advice(
    text: str, gpu: str, gpus: int = 1, *, files: Mapping[str, bytes] | None = None
) -> Advice:
    found = fitting(text, gpu, gpus, files=files).advice()
    assert found is not None
    return found


def every(found: Advice) -> list[Advised]:
    return [*found.changes, *filter(None, (found.enough, found.least))]


@product
@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize(("gpu", "gpus"), drawn([("h100", 1), ("a100-40gb", 4), ("4090", 1)], 1))
def test_what_is_advised_needs_what_is_said(name: str, gpu: str, gpus: int) -> None:
    """The edited file has the estimate of the advice: there is no second formula."""
    found = advice(TEXTS[name], gpu, gpus)
    assert every(found)
    for one in every(found):
        again = fitting(one.after.text, gpu, gpus)
        assert again.answer.expected == one.expected
        assert one.saves == found.expected.likely - one.expected.likely
        assert again.answer.memory is not None
        assert one.fits is (one.expected.high <= again.answer.memory * GIB)


@pytest.mark.parametrize("name", TEXTS)
def test_the_cheapest_first(name: str) -> None:
    costs = [one.measures[0].cost for one in advice(TEXTS[name], "a100-40gb", 2).changes]
    assert costs == sorted(costs)
    assert len(set(costs)) > 2


@pytest.mark.parametrize("name", TEXTS)
def test_what_is_enough_fits_and_none_of_it_is_idle(name: str) -> None:
    found = advice(TEXTS[name], "4090")
    assert found.enough is not None
    assert found.enough.fits
    assert found.least is None
    assert not found.fits


def test_what_changes_the_result_is_dearer_than_what_takes_time() -> None:
    """Four GPUs can divide the model, so that nothing has to change what is learned."""
    found = advice(AXOLOTL, "a100-40gb", 4).enough
    assert found is not None
    assert not any(measure.cost.quality for measure in found.measures)
    assert ("fsdp_config",) in {path for measure in found.measures for path in measure.changes}


def test_the_global_batch_stays_equal() -> None:
    (one,) = (
        one
        for one in advice(AXOLOTL, "h100").changes
        if ("micro_batch_size",) in one.measures[0].changes
    )
    config = yaml.safe_load(one.after.text)
    assert config["micro_batch_size"] * config["gradient_accumulation_steps"] == 8
    assert config["micro_batch_size"] < 4


def test_nothing_else_of_the_file_changes() -> None:
    for one in every(advice(AXOLOTL, "h100")):
        before, after = AXOLOTL.splitlines(), one.after.text.splitlines()
        keys = {str(path[0]) for measure in one.measures for path in measure.changes}
        kept = [line for line in before if line.split(":")[0] not in keys]
        assert [line for line in after if line in kept] == kept
        assert "# ours" in one.after.text


def test_a_run_that_fits_needs_no_change() -> None:
    found = advice(AXOLOTL.replace("micro_batch_size: 4", "micro_batch_size: 1"), "b200")
    assert found.fits
    assert (found.enough, found.least) == (None, None)


def test_where_nothing_is_enough_the_least_is_told() -> None:
    text = AXOLOTL.replace("NousResearch/Meta-Llama-3-8B", "meta-llama/Llama-3.1-70B")
    found = advice(text, "t4")
    assert found.enough is None
    assert found.least is not None
    assert not found.least.fits
    assert all(found.least.expected.likely <= one.expected.likely for one in found.changes)


def test_a_change_that_leads_to_a_finding_is_left_out() -> None:
    """Its own loss takes the place of Liger's fused one."""
    found = advice(AXOLOTL + "use_eaft: true\n", "h100")
    (left,) = found.left_out
    assert left.measure.path == ("liger_fused_linear_cross_entropy",)
    assert left.reason == "it would lead to OPT122 (special-loss-with-other-loss)"
    assert not any(left.measure in one.measures for one in every(found))


def test_changes_that_do_not_go_together_are_not_advised_together() -> None:
    """FSDP2 cannot divide the states of bitsandbytes, which alone would be enough on one GPU."""
    one_gpu = advice(AXOLOTL, "h100").enough
    assert one_gpu is not None
    assert "`optimizer: adamw_8bit`" in {measure.title for measure in one_gpu.measures}
    found = advice(AXOLOTL, "a100-40gb", 2)
    assert found.enough is not None
    together = {measure.title for measure in found.enough.measures}
    assert "FSDP2 over 2 GPUs (`fsdp_config`)" in together
    assert "`optimizer: adamw_torch_8bit`" in together


def test_a_model_that_liger_does_not_know_has_no_fused_loss() -> None:
    for model, has in (("Qwen/Qwen2.5-7B", True), ("HuggingFaceTB/SmolLM3-3B", False)):
        text = LLAMAFACTORY.replace("meta-llama/Meta-Llama-3-8B-Instruct", model)
        paths = {one.measures[0].path for one in advice(text, "h100").changes}
        assert (("enable_liger_kernel",) in paths) is has


def test_a_batch_that_something_else_decides_is_left_alone() -> None:
    for text, other in (
        (AXOLOTL.replace("gradient_accumulation_steps: 2", "batch_size: 8"), "micro_batch_size"),
        (TRL + "auto_find_batch_size: true\n", "per_device_train_batch_size"),
    ):
        found = advice(text, "4090")
        assert not any((other,) in one.changes for told in every(found) for one in told.measures)


def test_what_a_command_sets_is_not_advised() -> None:
    """A command that starts the file has the last word, so that a change of the file does nothing."""
    text = AXOLOTL
    script = b"axolotl train sft.yaml --optimizer adamw_torch_fused\n"
    found = advice(text, "h100", files={"run/train.sh": script})
    assert not any(
        ("optimizer",) in measure.changes for one in every(found) for measure in one.measures
    )
    reasons = {left.reason for left in found.left_out if left.measure.path == ("optimizer",)}
    assert reasons == {"a command that starts the file sets the same key"}


def test_without_an_estimate_there_is_no_advice() -> None:
    assert fitting(AXOLOTL + "rl: dpo\n", "h100").advice() is None


@pytest.mark.parametrize("name", ["axolotl", "llamafactory"])
def test_a_lower_stage_of_zero_is_raised_before_an_adapter_is_advised(name: str) -> None:
    def titles(stage: int) -> list[str]:
        zero = f'{{"zero_optimization": {{"stage": {stage}}}}}'.encode()
        text = f"{TEXTS[name]}deepspeed: ds.json\n"
        found = advice(text, "a100", 4, files={"run/ds.json": zero})
        return [one.measures[0].title for one in found.changes]

    def is_sharded(title: str) -> bool:
        return title.startswith("ZeRO-3 over 4 GPUs")

    assert any(map(is_sharded, titles(2)))
    assert not any(map(is_sharded, titles(3)))

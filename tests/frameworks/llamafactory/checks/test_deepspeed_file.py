"""The DeepSpeed file that a config of LLaMA-Factory names, and that is not there."""

from __future__ import annotations

from tests.draws import each
from tests.linting import lint_in

CONFIG = (
    "model_name_or_path: Qwen/Qwen3-8B\nstage: sft\ndo_train: true\ntemplate: qwen3\n"
    "finetuning_type: full\ndataset: own\noutput_dir: out\ndeepspeed: "
)


@each(
    ("written", "says"),
    [
        ("conf/ds_z3_config.json", True),
        ("conf/there.json", False),
        ("conf/zero.json", True),
        # What the checkout has that a run starts in, and what the board writes.
        ("examples/deepspeed/ds_z3_config.json", False),
        ("examples/deepspeed/ds_z2_offload_config.json", False),
        ("cache/ds_z3_config_gaudi.json", False),
        ("examples/deepspeed/ds_z9_config.json", False),
    ],
)
def test_what_is_missed(written: str, says: bool) -> None:
    files = {".git/HEAD": "", "conf/there.json": "{}"}
    found = lint_in(files, f"{CONFIG}{written}\n", name="train.yaml", framework="llamafactory")
    names = [one.name for one in found if one.name.endswith("deepspeed-file-missing")]
    assert bool(names) is says

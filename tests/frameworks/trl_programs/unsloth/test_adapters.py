"""Adapters that Unsloth is to put on models which its own kernels run."""

from __future__ import annotations

from cfglint import Linter
from tests.draws import each

CODES = ["TRP870", "TRP871", "TRP872", "TRP873", "TRP874"]
PROGRAM = """\
from trl import SFTConfig, SFTTrainer
from unsloth import FastLanguageModel

model, tokenizer = FastLanguageModel.from_pretrained("unsloth/Qwen3-14B")
model = FastLanguageModel.get_peft_model(model, r=16)
SFTTrainer(model=model, args=SFTConfig(output_dir="out"), train_dataset=rows).train()
"""


def found(text: str, release: str = "2025.8.9") -> list[str]:
    linter = Linter(target=[f"unsloth=={release}"], settings=False, select=CODES)
    return [f"{one.code} {one.start.line}" for one in linter.lint(text, "train.py").diagnostics]


@each(
    ("given", "findings"),
    [
        ("", []),
        ('modules_to_save=["norm"]', ["TRP870 5"]),
        ('modules_to_save=["score"]', ["TRP870 5"]),
        ('modules_to_save=["lm_head", "score", "norm"]', ["TRP870 5"]),
        ('modules_to_save=["model.embed_tokens"]', []),
        ("modules_to_save=names", []),
        ('init_lora_weights="pissa"', ["TRP871 5"]),
        ('init_lora_weights="pissa_niter_4"', ["TRP871 5"]),
        ('init_lora_weights="gaussian"', []),
        ('init_lora_weights="loftq"', ["TRP872 5"]),
        ('bias="lora_only"', []),
    ],
)
def test_options(given: str, findings: list[str]) -> None:
    assert found(PROGRAM.replace("r=16", f"r=16, {given}")) == findings


@each(
    ("loaded", "given", "findings"),
    [
        ("fast_inference=True", 'bias="lora_only"', ["TRP873 5"]),
        ("fast_inference=True", 'target_modules=["lm_head"]', ["TRP873 5"]),
        ("fast_inference=False", 'target_modules=["lm_head"]', []),
        ("load_in_4bit=False", 'init_lora_weights="loftq"', []),
        ("full_finetuning=True", 'modules_to_save=["score"]', []),
        ("**options", 'modules_to_save=["score"]', []),
    ],
)
def test_loads(loaded: str, given: str, findings: list[str]) -> None:
    text = PROGRAM.replace('14B")', f'14B", {loaded})').replace("r=16", f"r=16, {given}")
    assert found(text) == findings


@each(
    ("loaded", "given", "findings"),
    [
        ("", 'modules_to_save=["score"]', ["TRP870 6"]),
        ("", 'init_lora_weights="pissa"', ["TRP871 6"]),
        ("", 'init_lora_weights="loftq"', ["TRP872 6"]),
        ("load_in_4bit=True", 'init_lora_weights="loftq"', ["TRP872 6"]),
        ("load_in_8bit=True", 'init_lora_weights="loftq"', []),
        ("fast_inference=True", 'bias="lora_only"', ["TRP873 6"]),
    ],
)
def test_each_of_several_adapters_is_looked_at(
    loaded: str, given: str, findings: list[str]
) -> None:
    first = 'FastLanguageModel.get_peft_model(model, bias="none", init_lora_weights="gaussian")\n'
    text = PROGRAM.replace("model = FastLanguageModel", f"{first}model = FastLanguageModel")
    text = text.replace('14B")', f'14B", {loaded})').replace("r=16", f"r=16, {given}")
    assert found(text) == findings


@each(
    ("release", "given", "findings"),
    [
        ("2026.10.6", 'modules_to_save=["norm"]', []),
        ("2026.10.6", 'modules_to_save=["score"]', ["TRP870 5"]),
        ("2026.10.2", 'init_lora_weights="pissa"', []),
    ],
)
def test_later_releases(release: str, given: str, findings: list[str]) -> None:
    assert found(PROGRAM.replace("r=16", f"r=16, {given}"), release) == findings


def test_other_models_are_left_to_peft() -> None:
    text = PROGRAM.replace("r=16", 'r=16, modules_to_save=["score"]')
    assert found(text.replace("Qwen3-14B", "gemma-3-4b-it")) == []
    assert found(text.replace("Qwen3-14B", "my-own")) == []


@each(("release", "findings"), [("2024.11.6", ["TRP874 4"]), ("2025.3.10", []), ("2024.10.7", [])])
def test_a_model_without_an_adapter(release: str, findings: list[str]) -> None:
    text = "".join(one for one in PROGRAM.splitlines(keepends=True) if "get_peft" not in one)
    assert found(text, release) == findings
    assert found(PROGRAM, release) == []


@each(
    ("loads", "findings"),
    [
        ('from_pretrained(model_name="unsloth/Qwen3-14B")', ["TRP870 5"]),
        ('from_pretrained("other", model_name="unsloth/Qwen3-14B")', ["TRP870 5"]),
        ('from_pretrained("unsloth/Qwen3-14B", 2048, None)', ["TRP870 5"]),
        # The fourth one says in how many bits it is.
        ('from_pretrained("unsloth/Qwen3-14B", 2048, None, True)', []),
        ("from_pretrained(model_name=chosen)", []),
        ("from_pretrained(max_seq_length=2048)", []),
        ("from_pretrained()", []),
    ],
)
def test_where_the_name_of_the_model_is(loads: str, findings: list[str]) -> None:
    text = PROGRAM.replace('from_pretrained("unsloth/Qwen3-14B")', loads)
    assert found(text.replace("r=16", 'r=16, modules_to_save=["norm"]')) == findings

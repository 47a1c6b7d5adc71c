"""Methods of a trainer that a program overrides, as transformers 4.45, 4.46, 4.47 and 4.52 call them."""

from __future__ import annotations

from cfglint import Linter
from tests.draws import each

PROGRAM = """\
from transformers import Trainer, TrainingArguments

class Own(Trainer):
{}
Own(model=model, args=TrainingArguments(output_dir="out")).train()
"""


def found(text: str, release: str) -> list[str]:
    linter = Linter(target=[f"transformers=={release}"], settings=False, select=["TRP651"])
    return [one.message for one in linter.lint(text, "train.py").diagnostics]


@each(
    ("method", "last", "first"),
    [
        ("compute_loss(self, model, inputs, return_outputs=False)", "4.45.2", "4.46.1"),
        ("training_step(self, model, inputs)", "4.45.2", "4.46.1"),
        ("log(self, logs)", "4.46.3", "4.47.0"),
        ("_get_train_sampler(self)", "4.51.3", "4.52.4"),
    ],
)
def test_since_the_release_that_hands_more_over(method: str, last: str, first: str) -> None:
    text = PROGRAM.format(f"    def {method}:\n        return None\n")
    assert not found(text, last)
    assert len(found(text, first)) == 1


@each(
    "body",
    [
        "    def compute_loss(self, model, inputs, return_outputs=False, **rest): ...",
        "    def compute_loss(self, model, inputs, num_items_in_batch=None): ...",
        "    @decorated\n    def compute_loss(self, model, inputs): ...",
        "    def compute_loss(self, model, inputs): ...\n"
        "    def training_step(self, model, inputs, n=None): ...",
        "    def log(self, *words): ...",
        "    def log(self, logs): ...\n    def train(self): ...",
    ],
)
def test_what_takes_it_or_is_not_called_so(body: str) -> None:
    assert not found(PROGRAM.format(body), "4.57.1")


def test_only_a_class_that_is_surely_a_trainer_and_is_made() -> None:
    text = PROGRAM.format("    def log(self, logs): ...")
    assert found(text, "4.57.1")
    assert not found(text.replace("class Own(Trainer)", "class Own(Mixin, Trainer)"), "4.57.1")
    assert not found(text.replace("class Own(Trainer)", "class Own(Other)"), "4.57.1")
    assert not found(text.replace("Own(model", "Trainer(model"), "4.57.1")
    assert not found(text, "5.0.0") or "start_time" in found(text, "5.0.0")[0]

"""Objects of a program's own classes that hold what it loads."""

from __future__ import annotations

import ast

from cfglint.source.python_loads import Loads
from cfglint.source.python_scopes import Scopes
from tests.draws import each

LOAD = "import yaml\nconfig = yaml.safe_load(open('c.yaml'))\n"
HOLDER = """
class Trainer:
    def __init__(self, config, seed=1):
        self.config = config
        self.part = config["training"]
        self.seed = seed

    def train(self):
        ask(ASKED)
"""
RECORD = """
@dataclass
class Training:
    lr: float
    steps: int = 10
    names: list = field(default_factory=list)
    rate: float = field(default=0.5)
"""


def known(text: str) -> tuple[tuple[object, ...], str | None] | None:
    """The part of the file that `ask` is given, and what there is instead of it."""
    scopes = Scopes(ast.parse(text))
    call = next(one for one in scopes.calls if ast.unparse(one.func) == "ask")
    found = Loads(scopes, frozenset({id(call)})).loaded(call.args[0])
    if found is None:
        return None
    return found.at, None if found.default is None else ast.unparse(found.default)


def changed(text: str) -> set[tuple[object, ...]]:
    """What the program may change of the file, or of what is handed on."""
    scopes = Scopes(ast.parse(text))
    call = next(one for one in scopes.calls if ast.unparse(one.func) == "ask")
    loads = Loads(scopes, frozenset({id(call)}))
    found = loads.loaded(call.args[0])
    assert found is not None
    treatment = loads.treatment(found)
    return {*treatment.changed, *treatment.handed}


@each(
    ("asked", "made", "at"),
    [
        ("self.config['a']", "Trainer(config)", ("a",)),
        ("self.part.get('lr')", "Trainer(seed=2, config=config)", ("training", "lr")),
        ("self.seed", "Trainer(config, config['seed'])", ("seed",)),
        ("self.config['a']", "Trainer(config)\nTrainer(config)", None),
        ("self.config['a']", "Trainer({})", None),
        ("other.config['a']", "Trainer(config)", None),
        ("self.config['a']", "class B(Trainer): pass\nTrainer(config)", None),
        ("self.config['a']", "Trainer(config).config = {}", None),
    ],
)
def test_an_attribute_that_is_set_once(asked: str, made: str, at: object) -> None:
    found = known(LOAD + HOLDER.replace("ASKED", asked) + made + "\n")
    assert (None if found is None else found[0]) == at


@each(
    ("asked", "at", "default"),
    [
        ("made.lr", ("lr",), None),
        ("made.steps", ("steps",), "10"),
        ("made.rate", ("rate",), "0.5"),
        ("made.names", ("names",), None),
        ("made.other", None, None),
    ],
)
def test_the_fields_of_a_class(asked: str, at: object, default: str | None) -> None:
    text = LOAD + RECORD + f"made = Training(**config)\nask({asked})\n"
    found = known(text)
    assert (found or (None, None)) == (at, default)


@each(
    "body",
    [
        RECORD + "    def __post_init__(self): self.lr = 1\n",
        RECORD + "    @validator('lr')\n    def _lr(cls, value): return value * 2\n",
        RECORD.replace("@dataclass", "@other"),
        RECORD.replace("class Training", "class Training(Base)"),
    ],
)
def test_a_class_that_may_do_more(body: str) -> None:
    assert known(LOAD + body + "made = Training(**config)\nask(made.lr)\n") is None


def test_a_class_within_a_class() -> None:
    outer = "class Whole(BaseModel):\n    training: Training\n"
    text = LOAD + RECORD + outer + "made = Whole(**config)\nask(made.training.steps)\n"
    assert known(text) == (("training", "steps"), "10")


@each(
    ("more", "paths"),
    [
        ("", set()),
        ("trainer = Trainer(config)\ntrainer.config['a'] = 1\n", {("a",)}),
        ("def f(args):\n    args.config['a'] = 1\n", set()),
    ],
)
def test_what_is_done_with_the_attribute(more: str, paths: object) -> None:
    made = more if "Trainer(" in more else f"Trainer(config)\n{more}"
    text = LOAD + HOLDER.replace("ASKED", "self.config['b']") + made
    assert changed(text) == paths


@each(
    ("call", "paths"),
    [
        ("get_data(config)", set()),
        ("Rows(config)", set()),
        ("OmegaConf.save(config, file)", set()),
        ("change(config)", {()}),
    ],
)
def test_what_other_modules_are_given(call: str, paths: object) -> None:
    assert changed(LOAD + f"{call}\nask(config['a'])\n") == paths


def test_arguments_of_which_some_are_left_over() -> None:
    text = (
        "import argparse, yaml\np = argparse.ArgumentParser()\np.add_argument('--config', default='c.yaml')\n"
        "args, rest = p.parse_known_args()\nask(yaml.safe_load(open(args.config))['a'])\n"
    )
    assert known(text) == (("a",), None)
    assert known(text.replace("args, rest", "rest, args")) is None

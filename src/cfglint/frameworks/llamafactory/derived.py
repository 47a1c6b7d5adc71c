"""Values that follow from several keys of a config, for rules to ask about."""

from __future__ import annotations

from collections.abc import Callable

from cfglint.base.lazy import lazy_pattern
from cfglint.base.logic import MISSING, plain
from cfglint.base.type_names import Any, Final
from cfglint.knowledge.rules.index.triggers import has_value
from cfglint.knowledge.rules.views import View
from cfglint.roles.parts import Asked, Derived
from cfglint.roles.scripts import command_of as command_of_script
from cfglint.source.document import Path

#: Keys that `train` alone reads, of which every file for it has one.
_OF_TRAINING = ("output_dir", "do_train", "do_eval", "do_predict", "per_device_train_batch_size")
#: Keys that `eval` alone reads, of which every file for it has both.
_OF_EVALUATION = ("task", "save_dir")
#: The variable that makes the command start torchrun for one GPU, too.
_TORCHRUN = "FORCE_TORCHRUN"
#: DeepSpeed's launcher with its options, and the program of training behind it.
_BY_DEEPSPEED: Final = lazy_pattern(
    r"(?m)^[^#\n]*?(?<![\w./-])deepspeed[ \t](?:[^\n#;&|]|\\\n)*?src/train(?:_bash)?\.py\b"
)
#: A program or command of training, however it is started.
_STARTED: Final = lazy_pattern(
    r"(?m)^[^#\n]*?(?:src/train(?:_bash)?\.py|llamafactory-cli[ \t]+train)\b"
)
#: Options of DeepSpeed's launcher for a single GPU.
_ONE_GPU: Final = lazy_pattern(r"--(?:num_gpus[ \t=]+1|include[ \t=]+[^\s:@,]+:\d+)(?![\w.,:@])")


def command_of(value: Callable[[Path], Any]) -> str:
    """The command that a configuration is for: `train`, `eval`, or one like `chat`."""
    if any(value((key,)) is not MISSING for key in _OF_TRAINING):
        return "train"
    evaluates = all(value((key,)) is not MISSING for key in _OF_EVALUATION)
    return "eval" if evaluates else "chat"


def command_in(view: View) -> str:
    """The command that a configuration is for, or the one that a script starts."""
    started = command_of_script(view.document.root)
    if not started:
        return command_of(view.value)
    return started if started in ("train", "eval") else "chat"


def trains(view: View, _asked: Asked, _assume: bool) -> Any:
    """True for a file of the command `train`: the others refuse the arguments of a trainer."""
    return command_in(view) == "train"


def evaluates(view: View, _asked: Asked, _assume: bool) -> Any:
    """Whether the trainer evaluates: by itself, or because a schedule says when (`eval_strategy`)."""
    if plain(view.value(("do_eval",))) is True or plain(view.value(("do_predict",))) is True:
        return True
    names = ("eval_strategy", "evaluation_strategy")
    return any(plain(view.value((name,))) in ("steps", "epoch") for name in names)


def in_one_process(_view: View, asked: Asked, _assume: bool) -> Any:
    """Whether LLaMA-Factory itself decides how many processes train: no known command starts them."""
    lines = [line for line in asked.around.launches if line.trains]
    return all(line.own and _TORCHRUN not in dict(line.environment) for line in lines)


def by_deepspeed_launcher(view: View, _asked: Asked, _assume: bool) -> Any:
    """Whether a script starts the program of training with DeepSpeed's launcher alone, on several GPUs."""
    if not command_of_script(view.document.root):
        return False
    text = view.document.text
    started = [found[0] for found in _BY_DEEPSPEED.finditer(text)]
    others = len(_STARTED.findall(text)) - len(started)
    return bool(started) and not others and not any(map(_ONE_GPU.search, started))


DERIVED = {
    "by_deepspeed_launcher": Derived(
        by_deepspeed_launcher, frozenset(has_value(key) for key in ("model_name_or_path", "stage"))
    ),
    "command": Derived(
        lambda view, _asked, _assume: command_in(view),
        frozenset(has_value(key) for key in ("model_name_or_path", *_OF_TRAINING)),
    ),
    "in_one_process": Derived(in_one_process, frozenset({has_value("deepspeed")})),
    "in_script": Derived(
        lambda view, _asked, _assume: bool(command_of_script(view.document.root)),
        frozenset({has_value("deepspeed")}),
    ),
    "trains": Derived(trains, frozenset(has_value(key) for key in _OF_TRAINING)),
    "evaluates": Derived(
        evaluates,
        frozenset(
            has_value(key)
            for key in ("do_eval", "do_predict", "eval_strategy", "evaluation_strategy")
        ),
    ),
}

"""The optimizer and the schedule that DeepSpeed makes: their names, and the arguments that their classes take.

Imported only for a file that names one.
"""

from __future__ import annotations

from collections.abc import Iterator, Set

from cfglint.base.spelling import Guess, Speller
from cfglint.base.type_names import Final
from cfglint.checks.context import Check, CheckContext, Hit, Repair
from cfglint.diagnostic import SeverityName
from cfglint.fixes.actions import RenameKey, SetValue
from cfglint.source.document import Mapping, Path, Scalar

#: DeepSpeed's own optimizers, of whatever release: it reads these names in any case of letters.
_OPTIMIZERS: Final = (
    *("Adam", "AdamW", "Adagrad", "Lamb", "Lion", "Muon", "OneBitAdam", "OneBitLamb"),
    *("ZeroOneAdam", "MuAdam", "MuAdamW", "MuSGD"),
)
_ANY_CASE: Final = frozenset(name.lower() for name in _OPTIMIZERS)
#: The optimizers of `torch.optim`, of whatever release.
_OF_TORCH: Final = (
    *(
        "Adadelta",
        "Adafactor",
        "Adagrad",
        "Adam",
        "AdamW",
        "Adamax",
        "ASGD",
        "LBFGS",
        "Muon",
        "NAdam",
    ),
    *("RAdam", "RMSprop", "Rprop", "SGD", "SparseAdam"),
)
_LAST: Final = frozenset({"last_batch_iteration"})
_WARM_UP: Final = _LAST | {"warmup_min_lr", "warmup_max_lr", "warmup_num_steps", "warmup_type"}
#: DeepSpeed's own schedules, and what each takes.
_SCHEDULES: Final = {
    "LRRangeTest": _LAST
    | {f"lr_range_test_{name}" for name in ("min_lr", "step_size", "step_rate", "staircase")},
    "OneCycle": _LAST
    | {f"cycle_{name}" for name in ("min_lr", "max_lr", "momentum", "min_mom", "max_mom")}
    | {
        f"cycle_{which}_{what}"
        for which in ("first", "second")
        for what in ("step_size", "stair_count")
    }
    | {"decay_lr_rate", "decay_step_size", "decay_mom_rate"},
    "WarmupLR": _WARM_UP,
    "WarmupDecayLR": _WARM_UP | {"total_num_steps"},
    "WarmupCosineLR": _LAST
    | {"total_num_steps", "warmup_min_ratio", "warmup_num_steps", "warmup_type", "cos_min_ratio"},
}
#: The schedules of `torch.optim.lr_scheduler`, of whatever release.
_SCHEDULES_OF_TORCH: Final = (
    *("LambdaLR", "MultiplicativeLR", "StepLR", "MultiStepLR", "ConstantLR", "LinearLR"),
    *("ExponentialLR", "SequentialLR", "PolynomialLR", "CosineAnnealingLR", "ChainedScheduler"),
    *("ReduceLROnPlateau", "CyclicLR", "CosineAnnealingWarmRestarts", "OneCycleLR", "SWALR"),
)
#: What one of the classes takes that "Adam" and "AdamW" may become: FusedAdam, DeepSpeedCPUAdam, or that of torch.
_ADAM: Final = frozenset(
    {
        *("adam_w_mode", "adamw_mode", "amsgrad", "betas", "bias_correction", "capturable"),
        *("decoupled_weight_decay", "differentiable", "eps", "foreach", "fp32_optimizer_states"),
        *("fused", "lr", "maximize", "overlap_step", "set_grad_none", "torch_adam", "weight_decay"),
    }
)
#: A rule of its own speaks of it.
_REPORTED: Final = frozenset({"max_grad_norm"})


def optimizer_not_known(ctx: CheckContext) -> Iterator[Hit]:
    """The name of an optimizer that neither DeepSpeed nor torch has."""
    name = _name(ctx, "optimizer")
    if name is not None and name.lower() not in _ANY_CASE and name not in _OF_TORCH:
        yield _unknown(ctx, "optimizer", name, (*_OPTIMIZERS, *_OF_TORCH))


def scheduler_not_known(ctx: CheckContext) -> Iterator[Hit]:
    """The name of a schedule that neither DeepSpeed nor torch has; one in another case has a rule of its own."""
    name = _name(ctx, "scheduler")
    if name is None or name in _SCHEDULES_OF_TORCH:
        return
    if name.lower() not in {one.lower() for one in _SCHEDULES}:
        yield _unknown(ctx, "scheduler", name, (*_SCHEDULES, *_SCHEDULES_OF_TORCH))


def parameter_not_taken(ctx: CheckContext) -> Iterator[Hit]:
    """An entry of `params` that the class does not take."""
    optimizer = _name(ctx, "optimizer")
    if optimizer is not None and optimizer.lower() in ("adam", "adamw"):
        yield from _not_taken(ctx, "optimizer", optimizer, _ADAM)
    schedule = _name(ctx, "scheduler")
    if schedule in _SCHEDULES:
        yield from _not_taken(ctx, "scheduler", schedule, _SCHEDULES[schedule])


def _unknown(ctx: CheckContext, section: str, name: str, known: tuple[str, ...]) -> Hit:
    path: Path = (section, "type")
    span = ctx.document.span(path)
    assert span is not None
    guess = _guess(name, known)
    hint = f" Did you mean `{guess.name}`?" if guess is not None else ""
    repairs: tuple[Repair, ...] = ()
    if guess is not None:
        repairs = (Repair(f"Write {guess.name}", "unsafe", (SetValue(path, guess.name),)),)
    severity: SeverityName | None = None if guess is not None and guess.sure else "warning"
    return Hit(path, span, {"name": name, "hint": hint}, repairs=repairs, severity=severity)


def _guess(name: str, known: tuple[str, ...]) -> Guess | None:
    same = [one for one in known if one.lower() == name.lower()]
    return Guess(same[0], sure=True) if same else Speller(dict.fromkeys(known)).closest(name)


def _not_taken(ctx: CheckContext, section: str, name: str, taken: Set[str]) -> Iterator[Hit]:
    params = ctx.document.node((section, "params"))
    if not isinstance(params, Mapping):
        return
    for key, entry in params.lookup.items():
        if not isinstance(key, str) or key in taken or key in _REPORTED:
            continue
        path: Path = (section, "params", key)
        guess = Speller(sorted(taken)).closest(key)
        repairs: tuple[Repair, ...] = ()
        hint = ""
        if guess is not None:
            hint = f" Did you mean `{guess.name}`?"
            if guess.name not in params.lookup:
                repairs = (
                    Repair(f"Rename it to {guess.name}", "unsafe", (RenameKey(path, guess.name),)),
                )
        what = {"key": key, "name": name, "hint": hint}
        yield Hit(path, entry.key.span, what, repairs=repairs)


def _name(ctx: CheckContext, section: str) -> str | None:
    node = ctx.document.node((section, "type"))
    value = node.value if isinstance(node, Scalar) else None
    return value if isinstance(value, str) and value else None


CHECKS: dict[str, Check] = {
    "optimizer-not-known": optimizer_not_known,
    "parameter-not-taken": parameter_not_taken,
    "scheduler-not-known": scheduler_not_known,
}

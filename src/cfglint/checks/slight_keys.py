"""Keys that a model does not depend on: of a tracker, of how quickly something is done or how often it is printed."""

from __future__ import annotations

from cfglint.base.lazy import lazy_pattern
from cfglint.diagnostic import SeverityName

#: Keys that are about a tracker: the run itself is the same without them.
_TRACKING = lazy_pattern(
    r"(?:\A|_)(?:comet|mlflow|swanlab|tensorboard|trackio|wandb)(?:_|\Z)|\Areport_to\Z"
)
#: Keys that say how quickly something is done or how often it is printed: the model is the same without them.
_PACE = (
    *("dataloader_", "dataset_num_proc", "eval_batch_size", "logging_", "per_device_eval_"),
    *("preprocessing_num_", "streaming"),
)


def is_of_tracker(name: str) -> bool:
    """Whether a key is about a tracker."""
    return _TRACKING.search(name) is not None


def is_slight(name: str) -> bool:
    """Whether the model is the same with and without a key."""
    return is_of_tracker(name) or name.rpartition(".")[2].startswith(_PACE)


def severity_of(name: str, *, refused: bool, sure: bool = True) -> SeverityName:
    """How severe it is that nothing reads what a key asks for, or that it ends the run.

    Args:
        name: of the key that is meant.
        sure: that one is meant.
    """
    return "error" if refused or (sure and not is_slight(name)) else "warning"

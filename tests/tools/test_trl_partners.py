"""The table of releases that cannot be imported together."""

from __future__ import annotations

import pytest

from tools.python_sources.sources import Release
from tools.trl_release.partners import broken_by

NAMES = {"Old": [None, "5.0.0"], "new.Later": ["4.50.0", None], "models.gone": [None, "4.60.0"]}
LAZY = """\
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from .trainer import SFTTrainer
else:
    sys.modules[__name__] = _LazyModule(__name__)
"""


def release(**trainer: str) -> Release:
    modules = {
        "trl": LAZY,
        "trl.trainer": LAZY.replace(".trainer", ".sft_trainer"),
        "trl.trainer.other": "from transformers import Old",
        **{f"trl.trainer.{name}": text for name, text in trainer.items()},
    }
    return Release("0.1", modules, frozenset({"trl", "trl.trainer"}))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("from transformers import Old", ["5.0.0", "transformers.Old"]),
        (
            "from transformers.models.gone.modeling import A",
            ["4.60.0", "transformers.models.gone.modeling.A"],
        ),
        ("from ..trainer import other", ["5.0.0", "transformers.Old"]),
        ("from .other import x", ["5.0.0", "transformers.Old"]),
        ("from transformers.new import Later", None),
        ("try:\n    from transformers import Old\nexcept ImportError: pass", None),
        ("def f():\n    from transformers import Old", None),
    ],
)
def test_what_the_import_of_a_class_runs(text: str, found: list[str] | None) -> None:
    assert broken_by(release(sft_trainer=text), "trl", NAMES).get("SFTTrainer") == found

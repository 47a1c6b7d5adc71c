"""Programs that surely run with Unsloth's copies of TRL's trainers."""

from __future__ import annotations

import ast

from cfglint.frameworks.trl_programs.unsloth.replaced import has_replaced_trainers
from tests.draws import each

UNSLOTH, TRL = "from unsloth import FastLanguageModel\n", "from trl import SFTTrainer\n"


@each(
    ("text", "expected"),
    [
        (UNSLOTH, True),
        (UNSLOTH + TRL, True),
        (TRL + UNSLOTH, False),
        ("import unsloth\nimport trl\n", True),
        ("import os, unsloth.models, trl\n", True),
        ("import trl.trainer\nimport unsloth\n", False),
        # The first import of each counts.
        (UNSLOTH + TRL + UNSLOTH, True),
        (TRL + UNSLOTH + TRL, False),
        ("from .unsloth import a\n", False),
        ("from . import unsloth\n", False),
        ("from unsloth_zoo import a\n", False),
        (f"def f():\n    {UNSLOTH}", True),
        (TRL, False),
        ("", False),
        # It goes on without Unsloth.
        (f"try:\n    {UNSLOTH}except ImportError:\n    pass\n", False),
        ("try:\n    import os, unsloth\nexcept ImportError:\n    pass\n", False),
        (f"if fast:\n    {UNSLOTH}", False),
        (f"if fast:\n    pass\nelse:\n    {UNSLOTH}", True),
        ("try:\n    from .unsloth import a\nexcept ImportError:\n    pass\nimport unsloth\n", True),
        (f"try:\n    import os\nexcept ImportError:\n    pass\n{UNSLOTH}", True),
        (f'if __name__ == "__main__":\n    {UNSLOTH}', True),
        (f'if __name__ == "__main__":\n    {UNSLOTH}else:\n    pass\n', False),
    ],
)
def test_programs(text: str, expected: bool) -> None:
    assert has_replaced_trainers(ast.parse(text)) is expected

"""Lines that YAML joins to their neighbours: told when it can hardly have been meant."""

from __future__ import annotations

from cfglint.engine.case import Case
from cfglint.engine.fixing import fix_source
from cfglint.engine.lint import lint_source
from cfglint.engine.settings.selection import Selection
from cfglint.environment.building import build_environment
from cfglint.frameworks.axolotl.framework import Axolotl
from cfglint.source.text import SourceText
from tests.draws import each

FRAMEWORK = Axolotl()
CASE = Case.of_text(FRAMEWORK, build_environment(FRAMEWORK.releases), Selection(select=("YML030",)))
GOOD = "lora_target_modules:\n  - q_proj\n  - k_proj\n  - v_proj\n"


@each(
    ("bad", "line", "effect"),
    [
        (GOOD.replace("  - k", "   - k"), 3, "one value, `q_proj - k_proj`"),
        (GOOD.replace("- k", "  k"), 3, "one value, `q_proj k_proj`"),
        (GOOD.replace("- q", "  q"), 2, "one value, `q_proj - k_proj - v_proj`"),
        (GOOD.replace("- q", "-- q"), 2, "one value, `-- q_proj - k_proj - v_proj`"),
        (GOOD.replace("- k", "- - k"), 3, "the item is a list of its own"),
    ],
)
def test_told_and_mended(bad: str, line: int, effect: str) -> None:
    source = SourceText(bad)
    (found,) = lint_source(source, CASE).diagnostics
    assert source.position(found.span.start).line == line
    assert effect in found.message
    assert fix_source(source, CASE).source.text == GOOD


@each(
    "text",
    [
        "default_system_message: You answer\n  - politely - and briefly.\n",
        "notes:\n  - first part\n    and the rest\n  - another one\n",
        "betas:\n  - - 0.9\n    - 0.99\n",
        "a: [q_proj,\n  k_proj]\n",
        "url: https://example.org/a\n  b\n",
        "words:\n  - {a: 1}\n  - [x, y]\n",
    ],
)
def test_what_may_be_meant_is_left_alone(text: str) -> None:
    assert lint_source(SourceText(text), CASE).diagnostics == []

"""Models that a program loads with an attention that transformers does not have."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from cfglint.base.lazy import lazy_pattern
from cfglint.base.spelling import Speller
from cfglint.base.type_names import Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.diagnostic import SeverityName
from cfglint.frameworks.trl_programs.models.loads import FROM_PRETRAINED, loads
from cfglint.frameworks.trl_programs.stated import surely
from cfglint.source.python_program import program_of
from cfglint.source.text import Span

_METHODS: Final = (FROM_PRETRAINED, "from_config")
_CLASSES: Final = "transformers.AutoModel"
_KEYWORD: Final = "attn_implementation"
_FLASH_2: Final = "flash_attention_2"
#: The names of transformers, of whatever release.
_KNOWN: Final = (
    "eager",
    "sdpa",
    _FLASH_2,
    "flash_attention_3",
    "flash_attention_4",
    "flex_attention",
)
#: Other ways to write the second FlashAttention; a word for the third one is not guessed at.
_LIKE_FLASH: Final = lazy_pattern(r"(?i)^(?:flash[-_]?(?:attn|attention)?|fa)[-_]?2?$")
#: What a program calls that adds names of its own.
_REGISTERS: Final = ("AttentionInterface", "ALL_ATTENTION_FUNCTIONS", "AttentionMaskInterface")
#: Releases between these take another kernel for each name that begins so, if they find no FlashAttention but `kernels`.
_STRICT: Final = ("<4.54", ">=5.6")


def attention_not_known(ctx: CheckContext) -> Iterator[Hit]:
    """`AutoModelForCausalLM.from_pretrained(…, attn_implementation="flash_attention")`."""
    program = program_of(ctx.document.text)
    if program.tree is None or any(name in ctx.document.text for name in _REGISTERS):
        return
    for load in loads(program.names, _METHODS):
        word = load.given.get(_KEYWORD)
        written = None if word is None else word.value
        if not load.of.startswith(_CLASSES) or not isinstance(written, ast.Constant):
            continue
        if not isinstance(written.value, str):
            continue
        meant = _meant(written.value)
        if meant is None:
            continue
        start = program.place(program.offset(written.lineno, written.col_offset))
        end = start + len(written.value) + 2
        params = {"value": written.value, "meant": meant}
        yield Hit((), Span(start, end), params, severity=_severity(ctx, written.value))


def _meant(value: str) -> str | None:
    """The name that a text is meant to be; None for a known one, a kernel of the hub, and what resembles no name."""
    if value in _KNOWN or "/" in value or "|" in value:
        return None
    if _LIKE_FLASH.search(value):
        return _FLASH_2
    guess = Speller(_KNOWN).closest(value)
    return guess.name if guess is not None and guess.sure else None


def _severity(ctx: CheckContext, value: str) -> SeverityName | None:
    """A warning where a release may find another kernel."""
    is_strict = any(surely(ctx, "transformers", spec) for spec in _STRICT)
    return None if is_strict or not value.startswith("flash_attention") else "warning"


CHECKS = {"attention-not-known": attention_not_known}

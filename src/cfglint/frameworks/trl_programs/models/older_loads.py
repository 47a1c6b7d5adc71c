"""Models that a program loads with a keyword of older releases of transformers, which newer ones hand to the model's class."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from cfglint.base.lazy import lazy_pattern
from cfglint.base.type_names import Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.diagnostic import Related, SeverityName
from cfglint.environment.copies import is_copied
from cfglint.frameworks.trl.patched import is_patched_program
from cfglint.frameworks.trl_programs.models.loads import FROM_PRETRAINED, loads
from cfglint.source.python_guards import guarded
from cfglint.source.python_program import program_of

#: The classes of models: `AutoModelForCausalLM`, `LlamaForCausalLM`, `MistralModel`.
_MODELS: Final = lazy_pattern(r"transformers\.(?:[A-Za-z0-9]{1,80}Model|\w{0,80}For[A-Z]\w{1,80})")
#: Those of them that take any keyword and drop it, and those that may be one of these.
_TAKING: Final = lazy_pattern(
    r"transformers\.(?:(?:Bart|BigBirdPegasus|MBart|Mvp|PLBart)ForSequenceClassification"
    r"|(?:Flaubert|XLM)ForMultipleChoice|Rag(?:Model|SequenceForGeneration|TokenForGeneration))"
)
_MAY_TAKE: Final = lazy_pattern(
    r"transformers\.AutoModelFor(?:SequenceClassification|MultipleChoice)"
)
_BITS: Final = ("load_in_4bit", "load_in_8bit")
_ATTENTION: Final = ("use_flash_attention_2",)
_TOKEN: Final = ("use_auth_token",)
#: The keyword that newer releases have in place of one, and the value that means the same as `True`.
_NEWER: Final = {
    "load_in_4bit": ("quantization_config", "BitsAndBytesConfig(load_in_4bit=True)"),
    "load_in_8bit": ("quantization_config", "BitsAndBytesConfig(load_in_8bit=True)"),
    "use_flash_attention_2": ("attn_implementation", '"flash_attention_2"'),
}
_REMOTE: Final = "trust_remote_code"


def bits_of_older_releases(ctx: CheckContext) -> Iterator[Hit]:
    """`AutoModelForCausalLM.from_pretrained(…, load_in_4bit=True)`."""
    yield from _given(ctx, _BITS)


def attention_of_older_releases(ctx: CheckContext) -> Iterator[Hit]:
    """`AutoModelForCausalLM.from_pretrained(…, use_flash_attention_2=True)`."""
    yield from _given(ctx, _ATTENTION)


def token_of_older_releases(ctx: CheckContext) -> Iterator[Hit]:
    """`AutoModelForCausalLM.from_pretrained(…, use_auth_token=token)`."""
    yield from _given(ctx, _TOKEN)


def _given(ctx: CheckContext, keywords: tuple[str, ...]) -> Iterator[Hit]:
    program = program_of(ctx.document.text)
    if program.tree is None:
        return
    names = program.names
    if is_patched_program(names.packages, ctx) or is_copied("transformers", ctx.around):
        return
    spared = guarded(names.nodes, ctx.document.text, _loads)
    for load in loads(names):
        if not _MODELS.fullmatch(load.of) or _TAKING.fullmatch(load.of):
            continue
        if any(load.call.lineno in lines for lines in spared):
            continue
        given = load.given
        older = [given[keyword] for keyword in keywords if keyword in given]
        if not older:
            continue
        first = older[0]
        # A class that comes with the model may take any keyword, and so do a few of transformers' own.
        remote = given.get(_REMOTE)
        is_known = remote is None or _is(remote.value, value=False)
        is_sure = is_known and not _MAY_TAKE.fullmatch(load.of)
        params = {
            "keyword": first.arg,
            "release": ctx.target.release,
            "advice": _advice(first.arg or "", given),
        }
        related = tuple(Related(program.name_of(word), "and this one") for word in older[1:])
        severity: SeverityName | None = None if is_sure else "warning"
        yield Hit((), program.name_of(first), params, related, severity=severity)


def _loads(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr == FROM_PRETRAINED


def _advice(keyword: str, given: dict[str, ast.keyword]) -> str:
    """What to do about a keyword, to begin a sentence with."""
    if keyword in _TOKEN:
        return f"Delete `{keyword}`" if "token" in given else f"Rename `{keyword}` to `token`"
    newer, instead = _NEWER[keyword]
    if newer in given or _is(given[keyword].value, value=False):
        return f"Delete `{keyword}`"
    return f"Write `{newer}={instead}`"


def _is(node: ast.expr, *, value: bool) -> bool:
    return isinstance(node, ast.Constant) and node.value is value


CHECKS = {
    "attention-of-older-releases": attention_of_older_releases,
    "bits-of-older-releases": bits_of_older_releases,
    "token-of-older-releases": token_of_older_releases,
}

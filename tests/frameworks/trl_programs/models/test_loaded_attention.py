"""Models that a program loads with an attention that transformers does not have."""

from __future__ import annotations

from cfglint import Linter
from tests.draws import each

PROGRAM = """\
from transformers import AutoConfig, AutoModel, AutoModelForCausalLM, LlamaForCausalLM
{call}
"""
LOAD = 'AutoModelForCausalLM.from_pretrained("a/b", attn_implementation={})'


def found(call: str, release: str = "5.6.0") -> list[tuple[str, str, str]]:
    """The text, the severity and the name that is meant."""
    text = PROGRAM.format(call=call)
    linter = Linter(settings=False, target=[f"transformers=={release}"], select=["TRP003"])
    return [
        (text[one.span.start : one.span.end], one.severity, one.message.split("`")[5])
        for one in linter.lint(text, "train.py").diagnostics
    ]


@each(
    ("value", "meant"),
    [
        ("flash_attn", "flash_attention_2"),
        ("flash_attention", "flash_attention_2"),
        ("Flash-Attn-2", "flash_attention_2"),
        ("fa2", "flash_attention_2"),
        ("flash2", "flash_attention_2"),
        ("flex_atention", "flex_attention"),
        # Short words may be anything.
        ("spda", None),
        ("eager", None),
        ("sdpa", None),
        ("flash_attention_2", None),
        ("flash_attention_3", None),
        ("flex_attention", None),
        # A kernel of the hub, and what resembles nothing.
        ("kernels-community/flash-attn", None),
        ("paged|sdpa", None),
        ("fa3", None),
        ("own", None),
    ],
)
def test_which_name_is_meant(value: str, meant: str | None) -> None:
    expected = [(f'"{value}"', "error", meant)] if meant else []
    assert found(LOAD.format(f'"{value}"')) == expected


@each(
    ("value", "release", "severity"),
    [
        ("flash_attention", "4.53.0", "error"),
        ("flash_attention", "4.54.0", "warning"),
        ("flash_attention", "5.5.0", "warning"),
        ("flash_attention", "5.6.0", "error"),
        ("flash_attn", "5.5.0", "error"),
        ("flex_atention", "5.5.0", "error"),
    ],
)
def test_releases_that_look_for_another_kernel(value: str, release: str, severity: str) -> None:
    assert [one[1] for one in found(LOAD.format(f'"{value}"'), release)] == [severity]


@each(
    ("call", "number"),
    [
        ('AutoModel.from_config(c, attn_implementation="flex_atention")', 1),
        ('AutoModel.from_other(c, attn_implementation="flex_atention")', 0),
        ('LlamaForCausalLM.from_pretrained("a/b", attn_implementation="flex_atention")', 0),
        ('AutoConfig.from_pretrained("a/b", attn_implementation="flex_atention")', 0),
        ("AutoModel.from_config(c, attn_implementation=own)", 0),
        ("AutoModel.from_config(c, attn_implementation=7)", 0),
        ('AutoModel.from_config(c, attn="flex_atention")', 0),
        (
            'AttentionInterface.register("flex_atention", f)\nAutoModel.from_config(c, attn_implementation="flex_atention")',
            0,
        ),
    ],
)
def test_which_calls(call: str, number: int) -> None:
    assert len(found(call)) == number

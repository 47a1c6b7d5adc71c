"""Models that a program loads with a keyword of older releases of transformers."""

from __future__ import annotations

from cfglint import Linter
from tests.draws import each

PROGRAM = """\
from transformers import {name}
model = {name}.from_pretrained("a/b", {given})
"""


def found(
    given: str, name: str = "AutoModelForCausalLM", release: str = "5.0.0", before: str = ""
) -> list[tuple[str, str, str]]:
    """The code, the severity and the advice of each finding."""
    text = before + PROGRAM.format(name=name, given=given)
    linter = Linter(settings=False, target=[f"transformers=={release}"])
    return [
        (one.code, one.severity, one.message.partition(":")[0])
        for one in linter.lint(text, "train.py").diagnostics
        if one.code in ("TRP773", "TRP774", "TRP777")
    ]


BITS = "Write `quantization_config=BitsAndBytesConfig(load_in_{}bit=True)`"


@each(
    ("given", "code", "advice"),
    [
        ("load_in_4bit=True", "TRP773", BITS.format(4)),
        ("load_in_8bit=True", "TRP773", BITS.format(8)),
        ("load_in_4bit=wanted", "TRP773", BITS.format(4)),
        ("load_in_4bit=False", "TRP773", "Delete `load_in_4bit`"),
        ("load_in_4bit=True, quantization_config=q", "TRP773", "Delete `load_in_4bit`"),
        ("use_flash_attention_2=True", "TRP774", 'Write `attn_implementation="flash_attention_2"`'),
        ("use_flash_attention_2=False", "TRP774", "Delete `use_flash_attention_2`"),
        ("use_auth_token=t", "TRP777", "Rename `use_auth_token` to `token`"),
        ("use_auth_token=t, token=t", "TRP777", "Delete `use_auth_token`"),
    ],
)
def test_what_is_advised(given: str, code: str, advice: str) -> None:
    assert found(given) == [(code, "error", advice)]


@each(
    ("name", "given", "severity"),
    [
        ("LlamaForCausalLM", "load_in_4bit=True", "error"),
        ("MistralModel", "load_in_4bit=True", "error"),
        ("AutoModelForSequenceClassification", "load_in_4bit=True", "warning"),
        ("AutoModelForMultipleChoice", "load_in_4bit=True", "warning"),
        # A class that comes with the model may take it.
        ("AutoModelForCausalLM", "load_in_4bit=True, trust_remote_code=True", "warning"),
        ("AutoModelForCausalLM", "load_in_4bit=True, trust_remote_code=own", "warning"),
        ("AutoModelForCausalLM", "load_in_4bit=True, trust_remote_code=False", "error"),
        # And a few drop whatever they do not know.
        ("BartForSequenceClassification", "load_in_4bit=True", None),
        ("RagModel", "load_in_4bit=True", None),
        ("AutoTokenizer", "load_in_4bit=True", None),
        ("AutoModelForCausalLM", "load_in_2bit=True", None),
    ],
)
def test_which_classes(name: str, given: str, severity: str | None) -> None:
    assert [one[1] for one in found(given, name)] == ([severity] if severity else [])


@each(("before", "release"), [("", "4.57.1"), ("import unsloth\n", "5.0.0")])
def test_where_nothing_is_said(before: str, release: str) -> None:
    assert found("load_in_4bit=True", release=release, before=before) == []


def test_a_program_that_tries_it_is_spared() -> None:
    load = 'model = AutoModelForCausalLM.from_pretrained("a/b", load_in_4bit=True)\n'
    tried = (
        "from transformers import AutoModelForCausalLM\n"
        f"try:\n    {load}except TypeError:\n    model = AutoModelForCausalLM.from_pretrained('a/b')\n"
    )
    linter = Linter(settings=False, target=["transformers==5.0.0"], select=["TRP773"])
    assert list(linter.lint(tried, "train.py").diagnostics) == []


def test_two_keywords_are_one_finding() -> None:
    linter = Linter(settings=False, target=["transformers==5.0.0"], select=["TRP773"])
    text = PROGRAM.format(name="AutoModel", given="load_in_8bit=False, load_in_4bit=True")
    (one,) = linter.lint(text, "train.py").diagnostics
    assert text[one.span.start : one.span.end] == "load_in_4bit"
    assert [text[other.span.start : other.span.end] for other in one.related] == ["load_in_8bit"]

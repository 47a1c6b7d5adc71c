"""What PyYAML refuses, in words that say what to look for."""

from __future__ import annotations

import pytest

from cfglint.source.languages.yaml import compose
from cfglint.source.problems import SourceError
from cfglint.source.text import SourceText
from tests.draws import each

#: Text, kind, cause, place, details, and the title of the edit that mends it.
REFUSED: list[tuple[str, str, str | None, str, dict[str, object], str | None]] = [
    (
        "a: !!int x\n",
        "unbuildable-value",
        None,
        "!!int x",
        {"problem": "'x' looks like a number to YAML but is not valid; quote it if it is text"},
        None,
    ),
    (
        "a: !!float ${rate}\n",
        "unbuildable-value",
        "placeholder",
        "!!float ${rate}",
        {"problem": "'${rate}' is a placeholder: check the file in which it has its value"},
        None,
    ),
    (
        "a: 2024-13-45\n",
        "unbuildable-value",
        None,
        "2024-13-45",
        {
            "problem": "'2024-13-45' looks like a date to YAML but is not valid; quote it if it is text"
        },
        None,
    ),
    (
        "a: !!float x\n",
        "unbuildable-value",
        None,
        "!!float x",
        {"problem": "'x' looks like a number to YAML but is not valid; quote it if it is text"},
        None,
    ),
    (
        "a: !!python/name:x y\n",
        "unbuildable-value",
        None,
        "!!python/name:x y",
        {"problem": "the tag !!python/name:x is unknown to the safe loader"},
        None,
    ),
    (
        "a: !x y\n",
        "unbuildable-value",
        None,
        "!x y",
        {"problem": "the tag !x is unknown to the safe loader"},
        None,
    ),
    (
        "a: !!binary x\n",
        "unbuildable-value",
        None,
        "!!binary x",
        {"problem": "'x' is not base64, which the tag !!binary requires"},
        None,
    ),
    (
        "a: !!binary é\n",
        "unbuildable-value",
        None,
        "!!binary é",
        {"problem": "'é' is not base64, which the tag !!binary requires"},
        None,
    ),
    (
        "a: !!omap x\n",
        "unbuildable-value",
        None,
        "!!omap x",
        {"problem": "the tag !!omap does not fit a single value"},
        None,
    ),
    ("a: \x01\n", "control-character", None, "\x01", {"character": "U+0001"}, None),
    ("a\x07b: 1\n", "control-character", None, "\x07", {"character": "U+0007"}, None),
    ("", "empty-config", None, "", {}, None),
    ("# x\n", "empty-config", None, "", {}, None),
    ("null\n", "empty-config", None, "", {}, None),
    ("~\n", "empty-config", None, "", {}, None),
    (
        "- a\n- b\n",
        "root-not-mapping",
        None,
        "- a",
        {"kind": "a list", "remedy": "A config consists of `key: value` lines."},
        None,
    ),
    (
        "[a,\n b]\n",
        "root-not-mapping",
        None,
        "[a,",
        {"kind": "a list", "remedy": "A config consists of `key: value` lines."},
        None,
    ),
    (
        "text\n",
        "root-not-mapping",
        "missing-colon",
        "text",
        {"kind": "one value", "remedy": "`text` has no colon: write `text:`."},
        "Add the colon",
    ),
    (
        "text\nmore\n",
        "root-not-mapping",
        None,
        "text",
        {"kind": "one value", "remedy": "A config consists of `key: value` lines."},
        None,
    ),
    (
        "a=b\n",
        "root-not-mapping",
        "equals-sign",
        "a=b",
        {"kind": "one value", "remedy": "`a` has = where YAML expects a colon: write `a: b`."},
        "Write a colon",
    ),
    (
        "a: &x\n- *y\n",
        "yaml-syntax-error",
        None,
        "*y",
        {"problem": "*y refers to an anchor that is not defined above it."},
        None,
    ),
    (
        "a: *b\n",
        "yaml-syntax-error",
        None,
        "*b",
        {"problem": "*b refers to an anchor that is not defined above it."},
        None,
    ),
    (
        "a: 1\n? b\n- c\n",
        "yaml-syntax-error",
        "indentation",
        "- c",
        {"problem": "The line is not indented; 1 space would fit the lines around it."},
        "Indent it by 1 space",
    ),
    (
        "%YAML 3.0\n---\na: 1\n",
        "yaml-syntax-error",
        None,
        "%",
        {
            "problem": "This is not valid YAML: found incompatible YAML document (version 1.* is required)."
        },
        None,
    ),
    ("a: 1\n---\nb: 1\n", "several-documents", None, "---", {}, None),
    (
        "a: 'x\n",
        "unterminated-quote",
        "open-quote",
        "'x",
        {"problem": "The quote ' that opens here is never closed: write `'x'`.", "quote": "'"},
        "Close the quote",
    ),
    (
        "\t\n\ta\n",
        "tab-in-yaml",
        "tab",
        "\t",
        {
            "problem": "A tab is used for indentation, where YAML expects spaces. Replace it with spaces."
        },
        None,
    ),
    (
        "a: {b: [c}\n",
        "yaml-syntax-error",
        "open-bracket",
        "{b: [c}",
        {"problem": "The { that opens here is never closed: write the } after its last item."},
        None,
    ),
    (
        "@\n",
        "yaml-syntax-error",
        None,
        "@",
        {"problem": "This is not valid YAML: a value cannot start with this character; quote it."},
        None,
    ),
    (
        "a: !!timestamp xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n",
        "unbuildable-value",
        None,
        "!!timestamp xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        {
            "problem": "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...' looks like a date to YAML but is not valid; quote it if it is text"
        },
        None,
    ),
    (
        "a: !!timestamp xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n",
        "unbuildable-value",
        None,
        "!!timestamp xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        {
            "problem": "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' looks like a date to YAML but is not valid; quote it if it is text"
        },
        None,
    ),
    (
        "a: !!bool x\n",
        "unbuildable-value",
        None,
        "!!bool x",
        {
            "problem": "'x' looks like a !!bool value to YAML but is not valid; quote it if it is text"
        },
        None,
    ),
]


@each(("text", "kind", "cause", "place", "details", "title"), REFUSED)
def test_refused(
    text: str,
    kind: str,
    cause: str | None,
    place: str,
    details: dict[str, object],
    title: str | None,
) -> None:
    with pytest.raises(SourceError) as caught:
        compose(SourceText(text))
    error = caught.value
    assert (error.kind.value, error.cause) == (kind, cause)
    assert text[error.span.start : error.span.end] == place
    assert {name: value for name, value in error.details.items() if value != ""} == details
    assert (error.edit and error.edit.title) == title


def test_a_number_without_end() -> None:
    with pytest.raises(SourceError) as caught:
        compose(SourceText(f"a: {'1' * 5_000}\n"))
    assert str(caught.value.details["problem"]).startswith("a number of more than 3000 digits")

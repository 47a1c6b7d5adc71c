"""Several files in one pair of quotes."""

from __future__ import annotations

from cfglint.fixes.applying import apply_edits
from tests.draws import each
from tests.linting import lint_in

HEAD = "torchrun main_finetune.py --llama_type llama "


def found(words: str) -> list[tuple[str, str | None]]:
    """What each finding is about, and the command without the quotes."""
    text = f"{HEAD}{words} --output_dir o\n"
    result = lint_in({}, text, name="exps/run.sh", framework="accessory")
    return [
        (
            text[one.span.start : one.span.end],
            apply_edits(text, list(one.fixes[0].edits))[len(HEAD) :] if one.fixes else None,
        )
        for one in result
        if one.code == "LAC007"
    ]


@each(
    ("words", "expected"),
    [
        (
            '--llama_config "a.json b.json"',
            [('"a.json b.json"', "--llama_config a.json b.json --output_dir o\n")],
        ),
        (
            '--pretrained_path "a/x b/y"',
            [('"a/x b/y"', "--pretrained_path a/x b/y --output_dir o\n")],
        ),
        (
            '--llama_config "$A ${B} c.json"',
            [('"$A ${B} c.json"', "--llama_config $A ${B} c.json --output_dir o\n")],
        ),
        # Other quotes are not taken away.
        ("--llama_config 'a.json b.json'", [("'a.json b.json'", None)]),
        (
            '--llama_config x.json "a.json b.json"',
            [('"a.json b.json"', "--llama_config x.json a.json b.json --output_dir o\n")],
        ),
        ('--llama_config "a.json"', []),
        ("--llama_config a.json b.json", []),
        ('--llama_config "my file.json"', []),
        ('--pretrained_path "a/x b"', []),
        ('--data_config "a/x.yaml b/y.yaml"', []),
    ],
)
def test_quotes(words: str, expected: list[tuple[str, str | None]]) -> None:
    assert found(words) == expected

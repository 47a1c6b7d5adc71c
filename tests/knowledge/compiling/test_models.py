"""What is worked out when the rules are compiled."""

from __future__ import annotations

from cfglint.knowledge.compiling.models import _literal_starts
from tests.draws import each


@each(
    ("pattern", "starts"),
    [
        (r"^qwen2\.5(-coder)?-3b", ("qwen2.5",)),
        (r"^(meta-)?llama-3\.1-8b", ("meta-llama-3.1-8b", "llama-3.1-8b")),
        (r"^(codegemma|gemma)-(1\.1-)?7b", ("codegemma-", "gemma-")),
        (r"^c4ai-v01|^c4ai-08", ("c4ai-v01", "c4ai-08")),
        (r"^deepseek-(v3(\.[12])?|r1)$", ("deepseek-",)),
        (r"^llama-?7b", ("llama",)),
        (r"^phi-2|x", ("",)),
        (r"^(a.c|b)-7b", ("",)),
        (r"^(ab)*c", ("",)),
        ("free", ("",)),
    ],
)
def test_what_the_name_of_a_model_starts_with(pattern: str, starts: tuple[str, ...]) -> None:
    assert _literal_starts(pattern) == starts

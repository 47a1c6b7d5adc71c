"""Keys that other releases read: those that are gone, and those that are still to come."""

from __future__ import annotations

from pathlib import Path

from cfglint import lint_file
from tests.draws import each
from tests.linting import fix, lint

HEAD = "base_model: a/b\ndatasets:\n  - path: a/b\n    type: alpaca\n"


def test_a_removed_key_with_a_successor_is_renamed() -> None:
    text = (
        "compute_environment: LOCAL_MACHINE\ndistributed_type: FSDP\nfsdp_config:\n"
        "  fsdp_backward_prefetch_policy: BACKWARD_PRE\n"
    )
    changed = fix(
        text, framework="accelerate", target=("accelerate==1.13.0",), select=("removed-key",)
    )
    assert changed == text.replace("_policy: BACK", ": BACK")


@each(
    ("release", "line", "expected"),
    [
        (
            "0.21.0",
            "relora_steps: 100",
            ("KEY005", "error", "`relora_steps` was removed in Axolotl 0.12.0"),
        ),
        ("0.11.0", "relora_steps: 100", None),
        ("0.11.0", "attn_implementation: sdpa", ("KEY006", "error", "exists since Axolotl 0.12.0")),
        ("0.12.0", "attn_implementation: sdpa", None),
        # What asks for nothing costs nothing.
        ("0.21.0", "relora_steps:", None),
        ("0.11.0", "attn_implementation:", None),
    ],
)
def test_a_key_and_the_release_that_reads_the_file(
    release: str, line: str, expected: tuple[str, str, str] | None
) -> None:
    found = lint(f"{HEAD}{line}\n", target=(f"axolotl=={release}",), select=("KEY",))
    assert [(one.code, one.severity) for one in found] == ([expected[:2]] if expected else [])
    assert expected is None or expected[2] in found[0].message


def test_what_is_due_knows_the_releases_that_removed_it(tmp_path: Path) -> None:
    """Keys of one cause are one finding, and each release is listed once."""
    program = tmp_path / "train.py"
    program.write_text(
        "from trl import SFTTrainer\nSFTTrainer(model, tokenizer=a, packing=b, max_seq_length=1)\n"
    )
    (found,) = lint_file(program, select=("KEY005",)).diagnostics
    assert (found.due, found.removed) == (True, ("trl 0.16.0", "trl 0.13.0"))
    # Where the release is stated, it is not due: it is gone.
    stated = lint_file(program, target=("trl==0.24.0",), select=("KEY005",)).diagnostics
    assert stated
    assert not any(one.due or one.removed for one in stated)

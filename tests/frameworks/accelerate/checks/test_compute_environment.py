"""Keys of the other kind of file of accelerate's."""

from __future__ import annotations

from cfglint.diagnostic import Diagnostic
from cfglint.fixes.applying import apply_edits
from tests.draws import each
from tests.linting import lint_in

LOCAL = "compute_environment: LOCAL_MACHINE\n"
SAGEMAKER = "compute_environment: AMAZON_SAGEMAKER\n"
OWN = "distributed_type: MULTI_GPU\nnum_processes: 2\n"


def found(text: str) -> list[Diagnostic]:
    result = lint_in(
        {}, text, name="accelerate.yaml", target=["accelerate==1.10.0"], framework="accelerate"
    )
    return [one for one in result if one.code == "ACC071"]


@each(
    ("text", "key", "at"),
    [
        (f"{LOCAL}{OWN}image_uri: x\n", "image_uri", "image_uri"),
        (f"{OWN}image_uri: x\n", "image_uri", "image_uri"),
        (f"{OWN}image_uri: x\nregion: y\n", "image_uri", "image_uri"),
        (f"{SAGEMAKER}image_uri: x\nmachine_rank: 0\n", "machine_rank", "machine_rank"),
        # A word that is none of both is what is wrong.
        (f"compute_environment: OTHER\n{OWN}image_uri: x\n", "", ""),
        (f"compute_environment: 7\n{OWN}image_uri: x\n", "num_processes", "compute_environment"),
        (f"{LOCAL}{OWN}", "", ""),
        (f"{LOCAL}{OWN}no_such_key: x\n", "", ""),
    ],
)
def test_which_key_is_told(text: str, key: str, at: str) -> None:
    diagnostics = found(text)
    assert bool(diagnostics) is bool(key)
    for one in diagnostics:
        assert f"`{key}`" in one.message
        assert one.path == (at,)
        assert text[one.span.start : one.span.end].partition(":")[0] == at


def test_all_are_deleted_together() -> None:
    text = f"{LOCAL}{OWN}image_uri: x\nregion: y\n"
    (one,) = found(text)
    (fix,) = one.fixes
    assert (fix.title, fix.safety) == ("Delete these 2 keys", "unsafe")
    assert apply_edits(text, list(fix.edits)) == LOCAL + OWN
    assert [other.note for other in one.related] == [
        "so is this one",
        "says what kind of file it is",
    ]
    text = f"{OWN}image_uri: x\n"
    (one,) = found(text)
    assert [fix.title for fix in one.fixes] == ["Delete it"]
    assert one.related == ()

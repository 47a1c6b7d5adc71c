"""What a text is checked with when little is given."""

from cfglint.engine.case import Case
from cfglint.engine.lint import lint_source
from cfglint.engine.settings.selection import EVERY_RULE
from cfglint.environment.building import build_environment
from cfglint.roles.framework import load_framework
from cfglint.source.text import SourceText
from tests.linting import environment


def test_a_text_without_a_folder_is_checked_by_itself() -> None:
    case = Case.of_text(load_framework("axolotl"), environment())
    assert (case.around.folder, case.around.project, case.around.launches) == (None, None, ())
    assert case.selection is EVERY_RULE
    assert case.edges is None


def test_texts_share_no_memory_by_accident() -> None:
    framework, target = load_framework("axolotl"), environment()
    first, second = Case.of_text(framework, target), Case.of_text(framework, target)
    assert first.around.memory is not second.around.memory


def test_findings_are_the_same_without_the_edits_of_their_fixes() -> None:
    text = SourceText(
        "base_model: a/b\nflash_attention: true\nsequence_lenn: 1\nload_in_8bit: 'yes'\n"
    )
    framework = load_framework("axolotl")
    target = build_environment(framework.releases, pins=("axolotl==0.21.0",))
    case = Case.of_text(framework, target)
    planned = lint_source(text, case).diagnostics
    plain = lint_source(text, case.replaced(plans=False)).diagnostics
    assert any(fix.edits for one in planned for fix in one.fixes)
    assert not any(fix.edits for one in plain for fix in one.fixes)
    bare = [[one.replaced(fixes=(), cause=None) for one in every] for every in (planned, plain)]
    assert bare[0] == bare[1]

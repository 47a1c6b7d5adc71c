"""What a text is checked with when little is given."""

from cfglint.engine.case import Case
from cfglint.engine.selection import EVERY_RULE
from cfglint.framework import load_framework
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

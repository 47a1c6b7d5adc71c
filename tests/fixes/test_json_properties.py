"""Random actions on random JSON texts; `json.loads` of the result is the judge."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cfglint.fixes.applying import apply_edits
from cfglint.fixes.planning import plan
from cfglint.fixes.verification import verify
from cfglint.source.languages.json import JSON
from cfglint.source.languages.json_reader import repaired
from cfglint.source.text import SourceText
from cfglint.source.values import to_python
from tests.draws import examples
from tests.fixes.json_cases import OBJECTS, Writer, edits, same


@settings(suppress_health_check=list(HealthCheck), deadline=None, max_examples=examples(150))
@given(st.data(), OBJECTS, st.booleans())
def test_an_action_does_to_the_text_what_it_does_to_the_data(
    data: st.DataObject, value: dict[str, Any], comments: bool
) -> None:
    text = Writer(data.draw, comments=comments).text(value)
    case = data.draw(edits(value))
    if case is None:
        return
    action, intended = case
    document = JSON.read(SourceText(text))
    assert same(to_python(document.root), value)
    made = plan(document, (action,))
    if made.refused is not None:
        assert "Comments stand inside" in made.refused
        return
    result = apply_edits(text, made.edits)
    after = JSON.read(SourceText(result))
    assert same(json.loads(repaired(result, after.problems)), intended), (text, result)
    if not comments:
        assert same(json.loads(result), intended)
    doubt = verify(document, result, made.paths, edits=made.edits)
    assert doubt is None, (doubt, action, text, result)
    assert JSON.doubts(document, SourceText(result)) is None
    old = Counter(each.text for each in JSON.comments(document))
    new = Counter(each.text for each in JSON.comments(after))
    assert old == new

"""Templates: what is surely wrong is found, what compiles is left alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cfglint.source.languages.jinja import MAX_DEPTH, fault_in


@pytest.mark.parametrize(
    "text",
    [
        "",
        "plain } text %} with { brackets }} and # signs",
        "{{ messages }}{# a {% if %} comment #}",
        "{%- for m in messages -%}{{- m.content -}}{%- endfor -%}",
        "{% for a in b %}{% else %}{% endfor %}",
        "{% if a %}{% elif b %}{% elif c %}{% else %}{% endif %}",
        "{% for a in b if a %}{% break %}{% continue %}{% endfor %}",
        "{% set a = 1 %}{% set a, b = 1, 2 %}{% set ns.x = a == b %}",
        "{% set a %}text{% endset %}{% set a | upper %}text{% endset %}",
        "{% raw %}{{ {% if %} {# {% endraw %}",
        "{%- raw -%}{% for {%- endraw -%}",
        "{{ {'a': {'b': 1}} }}{{ [{'x': 1}][0]['x'] }}{{ {'a': 1}}}",
        "{{ '}}' + \"{{\" + '\\'}}' }}",
        "{% if '%}' in a %}{% endif %}",
        "{% macro f(a=1) %}{% endmacro %}{% call f() %}{% endcall %}",
        "{% generation %}{{ x }}{% endgeneration %}",
        "{% filter upper %}x{% endfilter %}{% with a = 1 %}{% endwith %}",
        "{% for a in b recursive %}{{ loop(a) }}{% endfor %}",
        "{%+ if a +%}{%+ endif +%}",
        "{%\n  if a\n%}{% endif %}",
        "{% include 'x' %}{% import 'x' as y %}{% from 'x' import y %}",
    ],
)
def test_what_compiles(text: str) -> None:
    assert fault_in(text) is None


@pytest.mark.parametrize(
    ("text", "problem", "offset"),
    [
        ("ab{{ c", "`{{` is never closed", 2),
        ("{% if a", "`{%` is never closed", 0),
        ("{# x", "a comment", 0),
        ("{% raw %}x", "`{% raw %}` is never closed", 0),
        ("{% if a %}x", "`{% if %}` has no `{% endif %}`", 0),
        ("{% for a in b %}{% endif %}", "`{% endif %}` where `{% for %}` is still open", 16),
        ("x{% endfor %}", "`{% endfor %}` closes nothing", 1),
        ("{% else %}", "outside of any `if`", 0),
        ("{% if a %}{% elseif b %}{% endif %}", "no tag `elseif` (meant is `elif`)", 10),
        ("{% for a in b %}{% elif c %}{% endfor %}", "where `{% for %}` is still open", 16),
        ("{% %}", "without a name", 0),
        ("{% set a %}", "has no `{% endset %}`", 0),
        ("{% do x %}", "no tag `do`", 0),
    ],
)
def test_what_does_not(text: str, problem: str, offset: int) -> None:
    fault = fault_in(text)
    assert fault is not None
    assert problem in fault.problem
    assert fault.offset == offset


@given(st.text("{}%# 'iefndr\"(-\n", max_size=60))
def test_any_text_is_read_to_an_end(text: str) -> None:
    fault = fault_in(text)
    assert fault is None or 0 <= fault.offset < len(text)


def test_limits() -> None:
    assert fault_in("{% if a %}" * (MAX_DEPTH + 5)) is None
    assert fault_in("{{" * 1_000_000) is None
    assert fault_in("{{ '" + "\\'" * 50_000) is not None
    fault_in("{{ {" * 40_000)

"""Templates: what is surely wrong is found, what compiles is left alone."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cfglint.source.languages.jinja import MAX_DEPTH, fault_in
from tests.draws import each


@each(
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


@each(
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
        ("{% if a %}{% elseif b %}{% endif %}", "unknown tag `elseif` (did you mean `elif`?)", 10),
        ("{% for a in b %}{% elif c %}{% endfor %}", "where `{% for %}` is still open", 16),
        ("{% %}", "without a name", 0),
        ("{% set a %}", "has no `{% endset %}`", 0),
        ("{% do x %}", "unknown tag `do`", 0),
    ],
)
def test_what_does_not(text: str, problem: str, offset: int) -> None:
    fault = fault_in(text)
    assert fault is not None
    assert problem in fault.problem
    assert fault.offset == offset


#: Templates, what is wrong with them, and where.
FAULTS: list[tuple[str, tuple[str, int] | None]] = [
    ("{{ a }}b{{ c", ("`{{` is never closed by `}}`", 8)),
    ("{# x #}{{", ("`{{` is never closed by `}}`", 7)),
    ("{# x #}{# y", ("a comment `{#` is never closed", 7)),
    ("{#}", ("a comment `{#` is never closed", 0)),
    ("{{ {'a': 1}}} {{", ("`{{` is never closed by `}}`", 14)),
    ("{{ {'a': {'b': 1}}}}", None),
    ("{{ (a }}", None),
    ("{{ a) }} {{", None),
    ("{{ [a}] }} {{", None),
    ("{{ 'a }}", ("`{{` is never closed by `}}`", 0)),
    ("{% if 'a %}", ("`{%` is never closed by `%}`", 0)),
    ("{% if a %}{% if b %}{% endif %}", ("`{% if %}` has no `{% endif %}`", 0)),
    (
        "{% for a in b %}{% if c %}{% endfor %}",
        ("`{% endfor %}` where `{% if %}` is still open", 26),
    ),
    ("{% set a = 1 %}{% endset %}", ("`{% endset %}` closes nothing", 15)),
    ("{% set a('=') = 1 %}{% if %}", None),
    ("{% set a == b %}x", ("`{% set %}` has no `{% endset %}`", 0)),
    (
        "{% set a %}x{% endset %}{% end %}",
        ("unknown tag `end` (did you mean `endif or endfor`?)", 24),
    ),
    ("{% elsif %}", ("unknown tag `elsif` (did you mean `elif`?)", 0)),
    ("{% if a %}{% elsif b %}", ("unknown tag `elsif` (did you mean `elif`?)", 10)),
    ("{% endfi %}", ("unknown tag `endfi` (did you mean `endif`?)", 0)),
    ("{% raw %}{% endraw %}{% if a %}", ("`{% if %}` has no `{% endif %}`", 21)),
    ("{% raw %}{% if %}{%- endraw -%}{% x %}", ("unknown tag `x`", 31)),
    ("{%- -%}", ("a tag `{%` without a name", 0)),
    ("{%+ x +%}", ("unknown tag `x`", 0)),
    ("{% if a %}{% else %}{% else %}{% endif %}", None),
    (
        "{% macro f() %}{% else %}{% endmacro %}",
        ("`{% else %}` where `{% macro %}` is still open", 15),
    ),
    (
        "{% for a in b %}{% else %}{% elif c %}{% endfor %}",
        ("`{% elif %}` where `{% for %}` is still open", 26),
    ),
    ("{% break %}{% endif %}", ("`{% endif %}` closes nothing", 11)),
    (
        "{% xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx %}",
        ("unknown tag `xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx`", 0),
    ),
    ("{{ a -}}{% if a -%}", ("`{% if %}` has no `{% endif %}`", 8)),
    ('{{ "a\\"}}" }}{% y %}', ("unknown tag `y`", 13)),
    ("{{- a -}}{%- y -%}", ("unknown tag `y`", 9)),
    ("{% block a %}{% endblock %}{% endblock %}", ("`{% endblock %}` closes nothing", 27)),
    ("{% autoescape true %}", ("`{% autoescape %}` has no `{% endautoescape %}`", 0)),
    ("{{ '}}' }}{% y %}", ("unknown tag `y`", 10)),
    ("{{ a }}}{% y %}", ("unknown tag `y`", 8)),
    ("{{ {} }}{{ x", ("`{{` is never closed by `}}`", 8)),
    ("{%if a%}{%endif%}{%y%}", ("unknown tag `y`", 17)),
    ("a{% if b %}c{% endif %}d{% endif %}", ("`{% endif %}` closes nothing", 24)),
]


@each(("text", "expected"), FAULTS)
def test_faults(text: str, expected: tuple[str, int] | None) -> None:
    fault = fault_in(text)
    assert (fault and (fault.problem, fault.offset)) == expected


@given(st.text("{}%# 'iefndr\"(-\n", max_size=60))
def test_any_text_is_read_to_an_end(text: str) -> None:
    fault = fault_in(text)
    assert fault is None or 0 <= fault.offset < len(text)


def test_limits() -> None:
    assert fault_in("{% if a %}" * (MAX_DEPTH + 5)) is None
    assert fault_in("{{" * 1_000_000) is None
    assert fault_in("{{ '" + "\\'" * 50_000) is not None
    fault_in("{{ {" * 40_000)

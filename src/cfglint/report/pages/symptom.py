"""What the words of an error are a symptom of, in a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from cfglint.answers.logs.causes import End, home_of
from cfglint.report.escaping import visible
from cfglint.report.prose import terminal
from cfglint.report.style import Style
from cfglint.roles.framework import load_framework

#: How many rules are described; of the others the codes are listed.
_MOST = 5


def render(
    rules: Sequence[tuple[str, str]], ends: Sequence[End], style: Style, width: int = 100
) -> str:
    """The rules and ends with the words in their symptoms, the closest first.

    Args:
        rules: (code, framework).
    """
    pages = [_rule(code, framework, style, width) for code, framework in rules[:_MOST]]
    pages += [_end(end, style, width) for end in ends[:_MOST]]
    text = "\n".join(pages)
    if len(rules) > _MOST:
        others = ", ".join(dict.fromkeys(code for code, _ in rules[_MOST:]))
        more = terminal(
            f"It is also a symptom of {others}; more words tell them apart.",
            style=style,
            width=width,
        )
        text += "\n" + "\n".join(more) + "\n"
    return text


def _rule(code: str, framework: str, style: Style, width: int) -> str:
    known = load_framework(home_of(framework))
    details = known.knowledge.details(code)
    name = dict(known.knowledge.labels())[code]
    whose = "" if framework == "any" else f" ({known.title})"
    return _page(
        f"{style.bold(code)} {style.bold(name)}{whose}",
        [f"{details.summary}.", details.why.split("\n\n")[0]],
        [url for _, _, url in details.references[:1]] + [f"cfglint explain {code}"],
        style,
        width,
    )


def _end(end: End, style: Style, width: int) -> str:
    head = f"{style.bold(end.title)}, whatever the config says"
    return _page(head, [end.why, end.remedy], [end.references[0][2]], style, width)


def _page(head: str, texts: Sequence[str], lines: Sequence[str], style: Style, width: int) -> str:
    shown = [head]
    for text in texts:
        shown += terminal(text, "  ", style=style, width=width)
    return "\n".join([*shown, *(f"    {visible(line)}" for line in lines)]) + "\n"

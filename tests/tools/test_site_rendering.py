"""Pages as HTML: what Markdown becomes, what the frame adds, what the search knows."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("mdit_py_plugins", reason="the site needs the extra docs")
from tools.site.console import colored
from tools.site.layout import Site, framed
from tools.site.rendering import block, rendered
from tools.site.searching import Found, index, shortened

PAGE = """# `datasets` (Axolotl)

{.crumbs}
[Keys](../index.md) / [Axolotl](../axolotl.md#x)

{.summary}
The datasets to
train on.

{.facts}
accepts
: a list with <angle brackets>

## Rules

- [DAT102](../../rules/DAT102.md) [error]{.badge .error} Neither

## Rules

| key | text |
| --- | --- |
| `a\\|b` | [out](https://example.org/a.md) |

````{code-block} yaml
:class: no-search

hidden: 1
````

```yaml
shown: 1
```
"""


def test_a_page_becomes_html() -> None:
    page = rendered(PAGE)
    assert page.title == "datasets (Axolotl)"
    assert page.summary == "The datasets to train on."
    assert '<h1 id="datasets-axolotl"><code>datasets</code> (Axolotl)</h1>' in page.body
    assert [one.anchor for one in page.headings] == ["rules", "rules-1"]
    assert '<a href="../index.html">Keys</a> / <a href="../axolotl.html#x">' in page.body
    assert 'href="https://example.org/a.md"' in page.body
    assert '<dl class="facts">' in page.body
    assert "&lt;angle brackets&gt;" in page.body
    assert '<span class="badge error">error</span>' in page.body
    assert '<div class="table" tabindex="0"><table>' in page.body
    assert "<code>a|b</code>" in page.body
    assert ":class:" not in page.body


def test_the_search_knows_all_words_but_those_of_examples() -> None:
    text = rendered(PAGE).text
    assert "shown: 1" in text
    assert "hidden" not in text
    # What stands side by side is not one word.
    assert "accepts a list" in text
    assert "key text a|b" in text


def test_code_is_never_html() -> None:
    assert "<b>" not in block("<b>", "text")
    assert "<b>" not in block("<b>", "no-such-language")
    assert "<b>" not in block("$ <b>\na.yml:1:1  error  KEY001 <b>\n 1 │ <b>", "console")
    # Broken examples are shown like all others.
    assert 'class="err"' not in block("a: [1, @", "yaml")


def test_a_terminal_is_shown_in_its_colors() -> None:
    shown = colored(
        "$ cfglint a.yml\n"
        "a.yml:19:1  warning  KEY002 foreign-key\n"
        "  19 │ num_train_epochs: 3\n"
        "     │ ^^^^ fix: Use num_epochs\n"
        "     │ --- the other\n"
        "     cost: time\n"
        "\n"
        "1 warning in 1 file"
    ).split("\n")
    assert shown[0] == '<span class="t-dim">$ </span><span class="t-b">cfglint a.yml</span>'
    assert '<span class="t-warning">warning</span> ' in shown[1]
    assert '<span class="t-b">KEY002</span> foreign-key' in shown[1]
    assert shown[2] == '<span class="t-dim">  19 │</span> num_train_epochs: 3'
    # Carets have the color of the finding.
    assert '<span class="t-warning">^^^^</span> fix: Use num_epochs' in shown[3]
    assert '<span class="t-note">--- the other</span>' in shown[4]
    assert '<span class="t-dim">     cost:</span> time' in shown[5]
    assert shown[7] == '<span class="t-b">1 warning</span> in 1 file'


def test_the_frame_leads_around_the_site() -> None:
    site = Site({"fit": "Will it fit?"}, "https://example.org/", playground=True)
    out = framed(site, "keys/axolotl/datasets", rendered(PAGE))
    assert "<title>datasets (Axolotl) - cfglint</title>" in out
    assert '<a href="../../keys/index.html" aria-current="true">Keys</a>' in out
    assert '<a href="../../playground/index.html">Playground</a>' in out
    assert '<link rel="canonical" href="https://example.org/keys/axolotl/datasets.html">' in out
    assert '<a href="#rules-1">Rules</a>' in out
    plain = framed(Site({}, "", playground=False), "guides/fit", rendered("# Will it fit?\n"))
    assert "playground/index.html" not in plain
    assert "canonical" not in plain
    assert plain.count("Previous") == plain.count("Next") == 1
    assert 'class="contents"' not in plain


def test_the_index_has_every_word_once_with_its_best_place() -> None:
    pages = [
        Found("a.html", "eval_sample_packing (Axolotl)", "Packs it.", "", "eval_sample_packing"),
        Found("b.html", "PAK001", "", "Fix", "set eval_sample_packing; packs"),
    ]
    text = index(pages)
    told = json.loads(text.removeprefix("globalThis.cfglintIndex = ").removesuffix(";\n"))
    assert told["pages"][0] == ["a.html", "eval_sample_packing (Axolotl)", "Packs it."]
    assert told["words"] == sorted(told["words"])
    at = dict(zip(told["words"], told["places"], strict=True))
    # In the title of the first page, in the text of the second.
    assert at["eval_sample_packing"] == [0, 5]
    assert at["packs"] == [1, 4]
    assert at["fix"] == [4]


def test_a_long_summary_ends_with_a_whole_word() -> None:
    assert shortened("word " * 50).endswith("word …")
    assert shortened("short") == "short"

"""The pages of the site: what is on them, before they are made HTML."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cfglint.report.pages.explain import render
from cfglint.report.style import Style
from tools.site import guides, keys, rules
from tools.site.catalogue import ANY, Entry, entries, families, titles
from tools.site.examples import NotReported, shown
from tools.site.key_tables import KeyTables, address, every_table, keys_of_rules, rules_of_keys
from tools.site.markdown import block, code, plain, table

ROOT = Path(__file__).resolve().parents[2]


def entry(wanted: str) -> Entry:
    return next(one for one in entries() if one.code == wanted)


def words(text: str) -> list[str]:
    """The words of a page, without what only marks them up."""
    return re.sub(r"[`*\\]|\{[^}]*\}", "", text).split()


@pytest.mark.parametrize("wanted", ["PAK001", "KEY001", "DSZ009", "OPT469", "LAC044", "YML020"])
def test_a_rule_has_on_its_page_what_explain_says(wanted: str) -> None:
    one = entry(wanted)
    page = " ".join(words(rules.rule_page(one, [])))
    said = render(one.rule, one.knowledge, Style(color=False), 10_000).replace("`", "")
    why = said.partition("\n\n")[2].partition("\n\n")[2].partition("\n\nFix\n")[0]
    for line in why.partition("\n\nExample")[0].splitlines():
        assert " ".join(words(line)) in page
    facts = said.partition("\n\n")[2].splitlines()[0].split(" · ")
    assert all(f"[{fact}]" in page for fact in facts)
    for _, title, url in one.knowledge.details(wanted).references:
        assert " ".join(words(title)) in page
        assert f"(<{url}>)" in page


def test_examples_are_shown_with_their_finding_and_the_change() -> None:
    page = rules.rule_page(entry("KEY002"), [])
    assert page.index("**Reported**") < page.index("What is printed:") < page.index("diff\n")
    assert "train.yml:" in page
    assert "KEY002 foreign-key" in page
    assert "# <-" not in page


def test_files_beside_an_example_are_shown() -> None:
    one = entry("DST553")
    examples = one.knowledge.details(one.code).examples
    ran = shown(one.rule, one.knowledge.framework, next(e for e in examples if e.get("bad")))
    assert ran.files
    assert "DST553" in ran.report
    assert "cfglint-" not in ran.report  # the folder in which it ran


def test_an_example_that_is_not_reported_stops_the_build() -> None:
    one = entry("PAK001")
    with pytest.raises(NotReported, match="PAK001"):
        shown(one.rule, one.knowledge.framework, {"bad": "base_model: a/b\n"})


def test_a_rule_leads_to_its_keys_and_they_to_it() -> None:
    assert ("axolotl", "eval_sample_packing") in keys_of_rules()["PAK001"]
    codes = [rule.code for rule in rules_of_keys()["axolotl", "eval_sample_packing"]]
    assert "PAK001" in codes
    assert codes == sorted(codes)
    assert address("axolotl", "eval_sample_packing") == "axolotl/eval_sample_packing.md"
    # A key of a list's items is on the page of the list.
    assert address("axolotl", "datasets[].type") == "axolotl/datasets.md#datasets-type"


def test_every_rule_is_in_a_list_of_its_framework() -> None:
    lists = {home: rules.framework_page(home) for home in titles()}
    for one in entries():
        assert all(f"[{one.code}]({one.code}.md)" in lists[home] for home in one.frameworks)
        assert one.family in families()
    assert ANY in entry("YML001").frameworks
    assert set(entry("OPT469").frameworks) >= {"axolotl", "deepspeed", "trl"}


def test_a_page_of_a_key_has_its_history() -> None:
    axolotl = next(one for one in every_table() if one.framework == "axolotl")
    page = keys.key_page(axolotl, "optimizer", ["optimizer"])
    assert 'default\n: `"adamw_torch_fused"`\n' in page
    assert "| axolotl 0.21.0 | new values: `muon_8bit` |" in page
    assert "[`optim`](../trl/optim.md) (TRL)" in page
    page = keys.key_page(axolotl, "dataset_processes", ["dataset_processes"])
    assert "deprecated, use `dataset_num_proc`" in page
    assert "[`dataset_num_proc`](axolotl/dataset_num_proc.md)" not in page
    assert "[`dataset_num_proc`](dataset_num_proc.md)" in page


def test_keys_below_a_package_name_its_releases() -> None:
    trl = next(one for one in every_table() if one.framework == "trl")
    page = keys.key_page(trl, "learning_rate", ["learning_rate"])
    assert "releases\n: all known\n" in page
    assert "`sft`" in page


@pytest.mark.parametrize("one", every_table(), ids=lambda one: one.framework)
def test_every_key_is_on_one_page_at_a_place_of_its_own(one: KeyTables) -> None:
    pages = one.pages()
    assert sorted(path for paths in pages.values() for path in paths) == sorted(one.keys)
    places = [address(one.framework, path) for path in one.keys]
    assert len(set(places)) == len(places)
    # File systems of two of three systems do not tell `A.html` from `a.html`.
    assert len({top.lower() for top in pages}) == len(pages)
    assert all(re.fullmatch(r"[\w-]+", top) for top in pages)


def test_links_of_guides_lead_to_pages_files_or_the_repository() -> None:
    page = guides.guide("docs/targets.md", "")
    assert "](rules/hardware.yaml)" not in page
    assert "`rules/hardware.yaml`" in page
    told = guides.guide("docs/targets.md", "https://github.com/o/r/blob/main")
    assert "](https://github.com/o/r/blob/main/rules/hardware.yaml)" in told
    assert "](contributing.md" in guides.guide("docs/team-rules.md", "")
    assert "](json-report.schema.json)" in guides.guide("docs/formats.md", "")
    assert "](suppressing.md)" in guides.guide("docs/first-run.md", "")


def test_every_written_page_is_in_the_side_bar() -> None:
    listed = [name for names in guides.SECTIONS.values() for name in names]
    assert sorted(listed) == sorted(guides.PAGES.values())
    assert guides.page_titles().keys() == set(listed)
    assert guides.page_titles()["fit"] == "Will it fit?"


def test_the_start_and_the_guide_lead_to_the_playground_if_the_site_has_one() -> None:
    page = guides.guide("docs/playground.md", "", playground=True)
    assert page.startswith("# ")
    assert 'href="../playground/index.html"' in page.partition("## ")[0]
    assert "index.html" not in guides.guide("docs/playground.md", "")
    start = guides.start_page(playground=True)
    assert 'href="playground/index.html"' in start.partition("## ")[0]
    assert "[**The playground**](playground/index.html)" in start
    assert "[**The playground**](guides/playground.md)" in guides.start_page()


def test_code_and_text_are_not_interpreted() -> None:
    assert code("a`b") == "`` a`b ``"
    assert plain("a_b <c> [d](e)") == r"a\_b \<c\> \[d\](e)"
    assert table(("a",), [("`x|y`",)]) == "| a |\n| --- |\n| `x\\|y` |\n"
    assert block("```\n\x1b[1m").startswith("````{code-block} text\n")
    assert "\x1b" not in block("\x1b[1m")
    assert "… 40 more lines" in block("\n".join("x" * 100))


def test_the_list_for_agents_leads_to_pages_of_the_site() -> None:
    text = guides.list_for_agents("https://example.org/")
    assert "](https://example.org/guides/preflight.html)" in text
    assert "](https://example.org/SKILL.md)" in text
    assert "](docs/" not in text
    assert "](guides/agents.html)" in guides.list_for_agents("")

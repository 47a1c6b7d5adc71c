"""What a setting of a run knows: its value, who wrote it, where, and what it replaces."""

from __future__ import annotations

import pytest

from cfglint.diagnostic import OtherFile
from cfglint.runs.settings.layers import Assignment, Layer, Setting, Writer
from cfglint.runs.settings.merged import MergedSettings, merged, source_map
from cfglint.runs.settings.source_map import SourcePlace, moved
from cfglint.runs.settings.words import Override, layer_of_words
from cfglint.source.document import Document, Path
from cfglint.source.languages.named import language
from cfglint.source.languages.yaml import compose
from cfglint.source.text import SourceText, Span
from cfglint.source.values import to_python

YAML = language("yaml")
CONFIG = "max_steps: 100  # long\nlora: {r: 8, alpha: 16}\nnull_section:\nname: ds.json\n"
SCRIPT = OtherFile("/run.sh", SourceText("train x.yml --max-steps 10 --lora.r 4\n"))
NAMED = OtherFile("/ds.json", SourceText('{"stage": 3}\n'))
SWEEP = OtherFile("/sweep.yml", SourceText("max_steps: [5, 6]\n"))


def with_words(document: Document, *values: tuple[Path, object, str]) -> MergedSettings:
    text = SCRIPT.source.text
    sources, begin = source_map(document).with_file(SCRIPT)
    overrides = [
        Override(path, value, text.index(words), text.index(words) + len(words))
        for path, value, words in values
    ]
    return merged(document, layer_of_words("/run.sh", overrides, YAML, begin), sources)


def with_named(document: Document) -> MergedSettings:
    sources, begin = source_map(document).with_file(NAMED)
    root = moved(compose(NAMED.source).root, begin)
    layer = Layer(Writer("named file", NAMED.path), (Assignment(("name",), root),), at_keys=True)
    return merged(document, layer, sources)


def config(text: str = CONFIG) -> Document:
    return compose(SourceText(text))


def known(settings: MergedSettings, path: Path) -> Setting:
    found = settings.setting(path)
    assert found is not None
    return found


def place_text(place: SourcePlace, own: str = CONFIG) -> str:
    return (own if place.file is None else place.file.source.text)[slice(*place.span)]


def test_a_setting_of_the_file_is_the_file_s() -> None:
    settings = with_words(config(), (("max_steps",), 10, "--max-steps 10"))
    found = known(settings, ("lora", "alpha"))
    assert (found.value, found.writer, found.over) == (16, Writer("file"), ())
    assert place_text(found.place) == "alpha: 16"


def test_an_option_replaces_a_value_of_the_file() -> None:
    settings = with_words(config(), (("max_steps",), 10, "--max-steps 10"))
    found = known(settings, ("max_steps",))
    assert (found.value, found.writer) == (10, Writer("option", "/run.sh"))
    assert (found.place.file, place_text(found.place)) == (SCRIPT, "--max-steps 10")
    (replaced,) = found.over
    assert (replaced.value, replaced.writer) == (100, Writer("file"))
    assert place_text(replaced.place) == "max_steps: 100"


def test_an_option_reaches_into_a_section() -> None:
    settings = with_words(config(), (("lora", "r"), 4, "--lora.r 4"))
    assert to_python(settings.root)["lora"] == {"r": 4, "alpha": 16}
    assert [one.value for one in known(settings, ("lora", "r")).over] == [8]
    assert known(settings, ("lora", "alpha")).writer.kind == "file"


@pytest.mark.parametrize("section", ["null_section", "new_section"])
def test_a_section_that_has_nothing_is_made(section: str) -> None:
    settings = with_words(config(), ((section, "r"), 4, "--lora.r 4"))
    found = known(settings, (section, "r"))
    assert (found.value, found.writer.kind) == (4, "option")
    assert place_text(found.place) == "--lora.r 4"


def test_what_is_below_a_plain_value_has_no_effect() -> None:
    settings = with_words(config(), (("max_steps", "r"), 4, "--lora.r 4"))
    assert to_python(settings.root) == to_python(config().root)


def test_layers_lie_on_layers() -> None:
    document = config()
    sources, begin = source_map(document).with_file(SWEEP)
    root = moved(compose(SWEEP.source).root, begin)
    items = root.lookup["max_steps"].value
    assignment = Assignment(("max_steps",), items.items[1], root.lookup["max_steps"].key)  # type: ignore[attr-defined]
    swept = merged(document, Layer(Writer("sweep", SWEEP.path), (assignment,)), sources)
    settings = with_words(swept, (("max_steps",), 10, "--max-steps 10"))
    found = known(settings, ("max_steps",))
    assert [(one.value, one.writer.kind) for one in (found, *found.over)] == [
        (10, "option"),
        (6, "sweep"),
        (100, "file"),
    ]
    assert [place_text(one.place) for one in found.over] == ["6", "max_steps: 100"]
    assert settings.own_span(settings.entry(("max_steps",)).span, ("max_steps",)) == Span(0, 14)  # type: ignore[union-attr]


def test_a_named_file_is_in_place_of_its_name() -> None:
    settings = with_named(config())
    found = known(settings, ("name", "stage"))
    assert (found.value, found.writer) == (3, Writer("named file", "/ds.json"))
    assert (found.place.file, place_text(found.place)) == (NAMED, '"stage": 3')
    assert settings.span(("name",)) == Span(CONFIG.index("name"), CONFIG.index("name") + 4)


def test_a_finding_about_an_option_has_a_place_in_the_file_if_the_file_has_the_key() -> None:
    settings = with_words(config(), (("max_steps",), 10, "--max-steps 10"), (("b",), 1, "train"))
    replaced, new = settings.span(("max_steps",)), settings.span(("b",))
    assert replaced is not None
    assert new is not None
    assert settings.own_span(replaced, ("max_steps",)) == Span(0, 14)
    assert settings.own_span(new, ("b",)) is None
    own = settings.span(("lora",))
    assert own is not None
    assert settings.own_span(own, ("lora",)) == own


def test_positions_are_in_their_own_text() -> None:
    settings = with_named(config())
    node = settings.node(("name", "stage"))
    assert node is not None
    assert settings.text_at(node.start)[0] == NAMED.source
    assert settings.line_at(node.start) == 1
    assert settings.line_at(CONFIG.index("lora")) == 2
    section = settings.section(settings.node(("name",)))  # type: ignore[arg-type]
    assert section.texts == (CONFIG, NAMED.source.text)


def test_the_file_is_left_as_it_is() -> None:
    document = config()
    with_words(document, (("lora", "r"), 4, "--lora.r 4"), (("max_steps",), 1, "train"))
    assert to_python(document.root) == to_python(config().root)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: 1\na: 2\n", {"a": 3}),
        ("x: &x {a: 1, b: 2}\n<<: *x\n", {"x": {"a": 1, "b": 2}, "a": 3, "b": 2}),
        ("a: &a 1\nold: *a\n", {"a": 3, "old": 1}),
    ],
)
def test_repeated_merged_and_aliased_keys(text: str, value: object) -> None:
    settings = with_words(config(text), (("a",), 3, "train"))
    assert to_python(settings.root) == value
    assert sum(entry.name == "a" for entry in settings.root.entries) == 1

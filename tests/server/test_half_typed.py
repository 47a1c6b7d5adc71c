"""Texts that cannot be read because of half-typed lines, as they can be read without them."""

from __future__ import annotations

from cfglint.server.half_typed import Readable, emptied_lines, readable
from cfglint.source.languages.named import language
from cfglint.source.problems import SourceError
from cfglint.source.text import SourceText, Span
from tests.draws import each

EARLIER = "a: 1\nb: 2\nc:\n  d: 3\ne: 4\n"


def broken_at(text: str) -> int | None:
    try:
        language("yaml").read(SourceText(text))
    except SourceError as error:
        return error.span.start
    return None


def read(text: str, earlier: str | None = EARLIER) -> Readable:
    found = readable(text, earlier, broken_at)
    assert found is not None
    return found


def test_a_text_that_can_be_read_is_itself() -> None:
    assert read("a: 1\nnew: 2\n") == Readable("a: 1\nnew: 2\n")


@each("half", ["sample_pa", "key: [", "key: {", 'key: "', "key: 'it", "- "])
@each("line", range(5))
def test_a_line_that_is_added_is_left_out(half: str, line: int) -> None:
    lines = EARLIER.splitlines(keepends=True)
    lines.insert(line, f"{half}\n")
    found = read("".join(lines))
    assert found.text == EARLIER
    places = [found.here(Span(place, place + 1)) for place in range(len(EARLIER))]
    shown = "".join("".join(lines)[span.start] for span in places if span is not None)
    assert shown == EARLIER


def test_the_last_line_may_have_no_end() -> None:
    assert read(f"{EARLIER}key: [").text == EARLIER


def test_a_line_that_is_changed_counts_as_it_was() -> None:
    text = EARLIER.replace("c:\n", "c\n")
    found = read(text)
    assert found.text == EARLIER
    at = EARLIER.index("c:")
    assert found.here(Span(at, at + 1)) is None
    assert found.here(Span(0, 1)) == Span(0, 1)
    after = EARLIER.index("e: 4")
    assert found.here(Span(after, after + 4)) == Span(after - 1, after + 3)
    assert found.there(after - 1) == after
    assert found.there(at + 1) == at


def test_what_is_written_elsewhere_meanwhile_counts() -> None:
    text = EARLIER.replace("b: 2\n", "b: 2\nlora_\n") + "new: 5\n"
    assert read(text).text == EARLIER + "new: 5\n"


def test_of_many_added_lines_only_the_half_one_is_left_out() -> None:
    text = EARLIER + "x: 1\nlora_\ny: 2\n"
    assert read(text).text == EARLIER + "x: 1\n\ny: 2\n"


def test_in_a_long_text_only_what_differs_is_compared() -> None:
    lines = [f"key{number}: {number}\n" for number in range(3000)]
    for place in (0, 1500, 3000):
        half = "".join([*lines[:place], "lora_\n", *lines[place:]])
        assert read(half, "".join(lines)).text == "".join(lines)


def test_two_half_lines_are_left_out() -> None:
    text = EARLIER.replace("b: 2\n", "b: 2\nlora_\n") + "key: [\n"
    assert read(text).text == EARLIER


def test_another_text_is_not_taken_for_the_earlier_one() -> None:
    assert readable("x: [\n", EARLIER, broken_at) is None


def test_of_a_text_that_is_opened_so_only_the_beginning_of_a_key_is_left_out() -> None:
    assert read(EARLIER + "lora_\n", None).text == EARLIER + "\n"
    assert readable(EARLIER.replace("b: 2", "b 2"), None, broken_at) is None


def test_lines_that_have_to_stay_do() -> None:
    text = "a: 1\nlora_\ncfglintprobe:\nkey: [\n"
    assert emptied_lines(text, broken_at, keep=text.index("cfg")) == (1, 3)
    assert emptied_lines("a: 1\nlora_\n", broken_at, keep=6) is None

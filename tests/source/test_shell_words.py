"""How a script is split into commands and words, as bash does it."""

from __future__ import annotations

from cfglint.source.shell_words import RawWord, SimpleCommand, read
from tests.draws import each


def text_of(word: RawWord) -> str:
    return "".join(p.text if p.kind == "text" else f"<{p.text}>" for p in word.pieces)


def commands(text: str) -> list[list[str]]:
    return [[text_of(word) for word in one.words] for one in read(text).statements]


def statements(text: str) -> tuple[SimpleCommand, ...]:
    return read(text).statements


@each(
    ("text", "words"),
    [
        ("a b\tc", ["a", "b", "c"]),
        ("a\x0cb c\u00a0d", ["a\x0cb", "c\u00a0d"]),
        ("a 'b c' \"d e\"", ["a", "b c", "d e"]),
        ("a \\\n b", ["a", "b"]),
        ("a \\\r\n b", ["a", "b"]),
        ("a b\\\nc", ["a", "bc"]),
        ("a 'two\nlines'", ["a", "two\nlines"]),
        ('a "x\\"y" "\\z" "a\\\nb"', ["a", 'x"y', "\\z", "ab"]),
        ("a b\\ c", ["a", "b c"]),
        ("a # b", ["a"]),
        ("a b#c", ["a", "b#c"]),
        ("a \"\" ''", ["a", "", ""]),
        ("a 2>&1 b > out <in &>all >>more", ["a", "b"]),
        ('a --x="$y"z', ["a", "--x=<y>z"]),
        (
            "a ${x} ${x:-5} $1 $(b c) `d` $((1 + 2)) $",
            ["a", "<x>", "<${x:-5}>", "<$1>", "<$(b c)>", "<`d`>", "<$((1 + 2))>", "$"],
        ),
        # No shell could run these: a person fills them in, or a script.
        ("a <your-path> --x=<n> b", ["a", "<your-path>", "--x=<n>", "b"]),
        ("a --m [your model] {{ lr }}", ["a", "--m", "[your model]", "{{ lr }}"]),
        ("a <in >out b", ["a", "b"]),
        ("a x[0 1] [a b", ["a", "x[0", "1]", "[a", "b"]),
        ("a $(echo ')' \"(\")x", ["a", "<$(echo ')' \"(\")>x"]),
    ],
)
def test_words(text: str, words: list[str]) -> None:
    assert commands(text) == [words]


def test_commands_end_where_the_shell_ends_them() -> None:
    text = "a 1; b 2 & c\nd | e |& f && g || h\n(i)\n"
    assert [one[0] for one in commands(text)] == list("abcdefghi")
    assert [one.joined for one in statements(text)] == ["", "", "", "", "|", "|&", "&&", "||", ""]


def test_a_pipe_of_redirections_alone_has_no_command() -> None:
    # bash: the comment ends `a` even with a backslash behind it, and `tee` gets nothing.
    cut = statements("a \\\n# b \\\n2>&1 | tee c\n")
    assert [(len(one.words), one.joined) for one in cut] == [(1, ""), (2, "")]
    assert [one.joined for one in statements("a \\\n2>&1 | tee c\n")] == ["", "|"]
    assert [one.joined for one in statements("a | 2>&1 | tee c\n")] == ["", ""]
    assert [one.joined for one in statements("a 2>&1 |\n# b\n tee c\n")] == ["", "|"]


def test_here_documents_are_no_commands() -> None:
    assert commands("cat <<EOF\na b\nEOF\nc\n") == [["cat"], ["c"]]
    assert commands("cat <<-'EOF' > x\n\ta\n\tEOF\nc\n") == [["cat"], ["c"]]
    assert commands("cat <<<word\nc\n") == [["cat"], ["c"]]


def test_keywords_open_blocks() -> None:
    text = "a\nif b; then\n c\nelse\n d\nfi\nfor x in 1 2; do e; done\nf() { g; }\nh\n"
    blocks = {one.words[0].pieces[0].text: one.block for one in statements(text)}
    assert blocks["a"] == blocks["h"] == ()
    assert len(blocks["b"]) == len(blocks["c"]) == len(blocks["d"]) == len(blocks["g"]) == 1
    assert blocks["c"] != blocks["d"] != blocks["b"]
    assert blocks["e"] != blocks["c"]


def test_the_branches_of_a_case_are_blocks() -> None:
    text = "case $x in a) b=1 ;; c) d=1 ;; esac\ne\n"
    found = {one.words[0].pieces[0].text: one.block for one in statements(text)}
    assert found["b=1"] != found["d=1"]
    assert found["e"] == ()


def test_what_runs_on_a_condition_is_a_block() -> None:
    first, second, third, last = statements("a && b && c\nd\n")
    assert first.block == last.block == ()
    assert second.block == third.block != ()
    assert statements("a || b")[1].block != ()


def test_what_closes_nothing_is_no_crash() -> None:
    assert commands("fi\ndone\n}\n)\n;;\nthen\na") == [["a"]]
    inside, outside = statements("(\nfi\na\n)\nb\n")
    assert (len(inside.block), outside.block) == (1, ())


def test_comments_have_their_place() -> None:
    text = "# one\na b # two\r\n  # three"
    assert [(c.text, c.own_line) for c in read(text).comments] == [
        ("# one", True),
        ("# two", False),
        ("# three", True),
    ]


@each("text", ["a 'b", 'a "b', "a `b", "a $(b 'c"])
def test_a_quote_that_is_never_closed(text: str) -> None:
    assert read(text).open_at is not None
    assert read("a 'b'").open_at is None


def test_words_stand_where_they_are() -> None:
    text = "x='a b'  \"$c\" \\\n  d"
    (statement,) = statements(text)
    assert [text[word.start : word.end] for word in statement.words] == ["x='a b'", '"$c"', "d"]


def test_a_backslash_at_the_end_of_a_script_is_nothing() -> None:
    script = read("a b \\")
    assert [len(one.words) for one in script.statements] == [2]
    (statement,) = read("a b\\").statements
    assert [piece.text for piece in statement.words[1].pieces] == ["b"]


def test_the_words_of_a_list() -> None:
    (statement,) = read("A=( --lr 1 # c\n '--x y'\n)\n").statements
    (word,) = statement.words
    assert word.items is not None
    assert ["".join(p.text for p in one.pieces) for one in word.items] == ["--lr", "1", "--x y"]
    assert read("A=(a;b)").statements[0].words[0].items is None


@each(
    ("text", "pieces"),
    [
        ("a$x", [("text", "a", False), ("variable", "x", False)]),
        ('"a$x"', [("text", "a", True), ("variable", "x", True)]),
        ("'a'\\b", [("text", "a", True), ("text", "b", True)]),
        ("$1", [("open", "$1", False)]),
        ('"$@"', [("open", "$@", True)]),
        ("${x[@]}", [("list", "x", False)]),
        ('"${x[@]}"', [("list", "x", True)]),
        ("$'a\\n'b", [("open", "$'a\\n'", False), ("text", "b", False)]),
        ('$"a"b', [("open", '$"a"', False), ("text", "b", False)]),
        ("\"$'a'\"", [("text", "$", True), ("text", "'a'", True)]),
        ('`a`"`b`"', [("open", "`a`", False), ("open", "`b`", True)]),
        ("${x:-${y}}z", [("open", "${x:-${y}}", False), ("text", "z", False)]),
        ('$(a "\\")" \\) )z', [("open", '$(a "\\")" \\) )', False), ("text", "z", False)]),
    ],
)
def test_the_pieces_of_a_word(text: str, pieces: list[tuple[str, str, bool]]) -> None:
    for before, after in (("", ""), ("x ", " y"), ("x \\\r\n", ";")):
        (one,) = statements(f"{before}{text}{after}")
        word = one.words[1 if before else 0]
        assert [tuple(piece) for piece in word.pieces] == pieces
        assert f"{before}{text}{after}"[word.start : word.end] == text


@each("joint", ["\\\n", "\\\r\n"])
def test_joined_lines(joint: str) -> None:
    assert commands(f"a {joint}b{joint}c {joint}{joint}d\ne") == [["a", "bc", "d"], ["e"]]
    (one,) = statements(f"x=(a {joint}b{joint}c)")
    assert one.words[0].items is not None
    assert [text_of(word) for word in one.words[0].items] == ["a", "bc"]


@each(("count", "is_list"), [(998, True), (999, True), (1_000, False)])
def test_a_very_long_list_is_none(count: int, is_list: bool) -> None:
    script = read(f"x=({'a ' * count})\n")
    assert (script.statements[0].words[0].items is not None) is is_list
    assert script.open_at is None


def test_words_of_a_list_are_no_lists_themselves() -> None:
    script = read("x=(y=(a b) c\n")
    assert script.open_at == 2
    assert read("x=(a b # c\n").open_at == 2
    assert read("x=(a\n  # b\n  c)\n").statements[0].words[0].items is not None


def test_comments_at_the_ends_of_lines() -> None:
    text = "#a\r\nb #c\n  #d"
    script = read(text)
    assert [(one.text, one.own_line, text[slice(*one.span)]) for one in script.comments] == [
        ("#a", True, "#a"),
        ("#c", False, "#c"),
        ("#d", True, "#d"),
    ]


def test_the_branches_of_a_block_differ() -> None:
    text = "if a; then\n b\nelse\n c\nfi\n(d)\nfor x in y; do\n e\ndone\nf\n"
    blocks = {one.words[0].start: one.block for one in statements(text)}
    found = {text[start]: block for start, block in blocks.items()}
    assert found["f"] == ()
    inner = [found[name] for name in "abcde"]
    assert all(len(block) == 1 for block in inner)
    assert len(set(inner)) == 5

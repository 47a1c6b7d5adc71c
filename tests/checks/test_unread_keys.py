"""What the framework does about a key that it does not read, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from cfglint import lint_text
from cfglint.checks import unread_keys
from cfglint.checks.context import CheckContext
from cfglint.checks.written_keys import file_keys
from cfglint.roles.key_policy import WrittenKey
from tests.draws import each
from tests.linting import case_in, from_the_root

HEAD = "model_name_or_path: a/b\ndataset_name: c\noutput_dir: o\n"
PROMPT, STRATEGY, FOLDER, STRANGE = (
    f"{name}: 1\n"
    for name in ("max_prompt_length", "evaluation_strategy", "overwrite_output_dir", "no_such")
)
COMMIT = "trl @ git+https://github.com/huggingface/trl@abcdef1234\n"
MINE = "trl @ git+https://github.com/me/trl-mine\n"


def unread(
    line: str, requirements: str = "", files: Mapping[str, str] | None = None
) -> tuple[CheckContext, WrittenKey]:
    every = {".git/HEAD": "", **(files or {})}
    if requirements:
        every["requirements.txt"] = requirements
    case, source = case_in(every, HEAD + line, name="recipe.yaml", framework="trl")
    language = case.framework.parsing.language_for(source.text, case.target, case.around)
    ctx = CheckContext(language.read(source), case.framework, case.target, case.around)
    found = file_keys(ctx)
    (key,) = [*found.unknown, *found.unusual]
    return ctx, key


@each(
    ("line", "requirements", "is_open", "is_later"),
    [
        (PROMPT, "", True, True),
        # A project that asks for the package without an upper bound gets the newest.
        (PROMPT, "trl\n", True, False),
        (PROMPT, "trl==1.16.0\n", False, False),
        (PROMPT, "trl>=0.20\n", True, False),
        (PROMPT, "trl>=1.10\n", False, False),
        (PROMPT, COMMIT, True, False),
        (STRATEGY, "", True, True),
        (STRATEGY, "trl\n", True, True),
        # In none of the versions that this release asks for.
        (STRATEGY, "trl==1.16.0\n", False, False),
        (STRATEGY, "trl>=0.20\n", True, False),
        (STRATEGY, "trl==1.16.0\ntransformers==4.57.0\n", False, False),
        (FOLDER, "trl==1.16.0\n", True, False),
        (FOLDER, "trl==1.16.0\ntransformers==5.0.0\n", False, False),
        (FOLDER, "trl==1.16.0\ntransformers>=4.57\n", True, False),
        (FOLDER, "trl==1.16.0\ntransformers>=5.1\n", False, False),
        (STRANGE, "", True, False),
        (STRANGE, "trl==1.16.0\n", False, False),
    ],
)
def test_whether_another_release_may_run(
    line: str, requirements: str, is_open: bool, is_later: bool
) -> None:
    ctx, key = unread(line, requirements)
    assert unread_keys.leaves_open(ctx, key) is is_open
    assert unread_keys.is_due_later(ctx, key) is is_later


@each(
    ("line", "requirements", "words"),
    [
        (PROMPT, "", ", if that release or a later one runs"),
        (PROMPT, COMMIT, ", if that release or a later one runs"),
        (PROMPT, "trl==1.16.0\n", ""),
        (PROMPT, MINE, ""),
        (
            PROMPT,
            "trl>=0.20\n",
            ", and `trl>=0.20` admits that release (/project/requirements.txt line 1)",
        ),
        (STRATEGY, "trl==1.16.0\n", ", if that release or a later one runs"),
        (STRATEGY, "trl==1.16.0\ntransformers==4.57.0\n", ""),
    ],
)
def test_why_the_release_may_be_the_one(line: str, requirements: str, words: str) -> None:
    assert from_the_root(unread_keys.admitted(*unread(line, requirements))) == words


@each(
    ("line", "requirements", "fork"),
    [(PROMPT, MINE, "me/trl-mine"), (STRANGE, MINE, "me/trl-mine"), (PROMPT, COMMIT, None)],
)
def test_a_fork(line: str, requirements: str, fork: str | None) -> None:
    ctx, key = unread(line, requirements)
    found = unread_keys.fork_behind(ctx, key)
    assert (found and found.fork) == fork
    hit = unread_keys.unread_hit(ctx, key, {}, (), "error")
    assert (hit.severity, hit.upstream) == (
        ("note", "silent") if fork else (hit.severity, "rejects")
    )
    doubt = "but the project installs a fork, me/trl-mine, which may ("
    assert hit.params["effect"].startswith(doubt if fork else "TRL ")


SLIP = "learning_ratee: 1\n"


@each(
    ("line", "requirements", "page", "is_doubted"),
    [
        (STRANGE, "", "- Installs TRL from the lab's fork\n", True),
        (STRANGE, "", "You need our TRL fork.\n", True),
        (STRANGE, "", "based on a fork of [trl](https://example.org)\n", True),
        (STRANGE, "", "Fork TRL, and open a pull request.\n", False),
        (STRANGE, "", "TRL; a fork of Axolotl\n", False),
        (STRANGE, "", "TRL\n", False),
        # A release is stated, or there is another cause.
        (STRANGE, "trl==1.16.0\n", "You need our TRL fork.\n", False),
        (PROMPT, "", "You need our TRL fork.\n", False),
        (SLIP, "", "You need our TRL fork.\n", False),
    ],
)
def test_a_fork_that_a_page_tells_of(
    line: str, requirements: str, page: str, is_doubted: bool
) -> None:
    ctx, key = unread(line, requirements, {"docs/guide.md": f"# Guide\n\n{page}"})
    hit = unread_keys.unread_hit(ctx, key, {}, (), "error")
    doubt = "but the project tells of a fork, which may (docs/guide.md line 3)"
    assert (hit.params["effect"] == doubt) is is_doubted
    assert (hit.severity == "note") is is_doubted


@each(
    ("line", "requirements", "severity", "expected"),
    [
        (STRANGE, "trl==0.24.0\n", "note", ("note", "TRL silently ignores it")),
        (STRANGE, "trl==0.24.0\n", "error", ("error", "TRL silently ignores it")),
        (STRANGE, "trl==1.16.0\n", "note", ("error", "TRL refuses the file")),
        (STRANGE.replace("1", ""), "trl==0.24.0\n", "error", ("note", "TRL silently ignores it")),
        (PROMPT, "trl==1.16.0\n", "note", ("error", "TRL refuses the file")),
    ],
)
def test_how_severe_it_is(
    line: str, requirements: str, severity: str, expected: tuple[str, str]
) -> None:
    ctx, key = unread(line, requirements)
    hit = unread_keys.unread_hit(ctx, key, {}, (), severity)  # type: ignore[arg-type]
    assert (hit.severity, hit.params["effect"]) == expected
    assert hit.params["known_since"] == " since 0.8.0"


@each(
    ("url", "expected"),
    [
        ("url = https://github.com/huggingface/trl.git", True),
        ("url = https://github.com/huggingface/TRL", True),
        ("url = git@github.com:huggingface/trl.git", True),
        ("url = https://github.com/huggingface/peft.git", False),
        ("path = https://github.com/huggingface/trl", False),
        ("", False),
    ],
)
def test_a_submodule(url: str, expected: bool) -> None:
    modules = {".gitmodules": f'[submodule "trl"]\n\tpath = trl\n\t{url}\n'}
    ctx, _ = unread(PROMPT, "", modules)
    assert unread_keys.has_submodule(ctx) is expected
    assert unread_keys.is_a_submodule(ctx) is False
    ctx, _ = unread(PROMPT, "trl==1.16.0\n", modules)
    assert unread_keys.is_a_submodule(ctx) is expected
    ctx, _ = unread(PROMPT)
    assert unread_keys.has_submodule(ctx) is False


def test_places_in_words() -> None:
    ctx, key = unread(STRANGE)
    assert unread_keys.named(ctx, key) == {
        "key": "no_such",
        "name": "no_such",
        "kind": "a key",
        "place": " at the top level",
    }
    deep = key.replaced(section="a.b", path=("a", "b", "no_such"))
    assert unread_keys.place_of(ctx, deep) == " in `a.b`"
    chosen = key.replaced(section="a.*", path=("a", "mine", "no_such"))
    assert unread_keys.place_of(ctx, chosen) == " in `a.mine`"
    assert unread_keys.in_words(ctx, "0.29.0") == "TRL 0.29.0"
    assert unread_keys.in_words(ctx, "transformers 5.0.0") == "transformers 5.0.0"


@pytest.mark.parametrize(("more", "expected"), [("", ["KEY005"]), (" --use_tool_calls", [])])
def test_a_removed_option_beside_one_that_no_release_ever_had(
    more: str, expected: list[str]
) -> None:
    text = f"source $HOME/OpenRLHF/bin/activate\npython3 -m openrlhf.cli.train_sft --pretrain a/b --bf16{more}\n"
    found = lint_text(text, "run.sh", framework="openrlhf", target=["transformers==4.57.3"])
    assert [one.code for one in found.diagnostics if one.code == "KEY005"] == expected

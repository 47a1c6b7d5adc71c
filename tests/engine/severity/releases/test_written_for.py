"""The release that a file was written for."""

from __future__ import annotations

from cfglint.engine.severity.releases.written_for import WrittenFor, written_for
from cfglint.frameworks.for_files import variant
from cfglint.roles.framework import load_framework
from cfglint.source.languages.named import language
from cfglint.source.text import SourceText
from tests.draws import each

AXOLOTL = load_framework("axolotl")
NEWEST = AXOLOTL.releases.versions[-1]
KEYS = AXOLOTL.keys
#: Keys that came with a release, and that one removed.
LATER = next(
    name
    for name in sorted(KEYS.names(""))
    if (info := KEYS.info("", name)) is not None and info.since == "0.16.0" and info.removed is None
)
GONE = next(
    name
    for name in sorted(KEYS.names(""))
    if (info := KEYS.info("", name)) is not None
    and info.removed is not None
    and " " not in info.removed
    and info.since == AXOLOTL.releases.versions[0]
)


def release(text: str, refused: dict[str, int] | None = None) -> WrittenFor:
    document = language("yaml").read(SourceText(text))
    if refused is None:
        return written_for(document, AXOLOTL)
    return written_for(document, AXOLOTL, lambda version: refused.get(version, refused["other"]))


def before(version: str) -> str:
    versions = AXOLOTL.releases.versions
    return versions[versions.index(version) - 1]


@each(
    ("text", "version", "unread"),
    [
        ("base_model: a/b\n", NEWEST, 0),
        (f"base_model: a/b\n{LATER}: 1\n", NEWEST, 0),
        (f"base_model: a/b\n{GONE}: 1\n", "gone", 0),
        # Keys without a value, or of no release, do not count.
        (f"base_model: a/b\n{GONE}:\nmade_up: 1\n", NEWEST, 0),
    ],
)
def test_the_newest_release_that_reads_all_keys(text: str, version: str, unread: int) -> None:
    info = KEYS.info("", GONE)
    assert info is not None
    assert info.removed is not None
    expected = before(info.removed) if version == "gone" else version
    assert release(text) == WrittenFor(expected, unread)


def test_what_a_release_refuses_counts_twice() -> None:
    text = "base_model: a/b\n"
    assert release(text, {"other": 0}) == WrittenFor(NEWEST, 0, 0)
    found = release(text, {NEWEST: 1, "other": 0})
    assert found == WrittenFor(before(NEWEST), 0, 0)
    assert release(text, {"other": 1}) == WrittenFor(NEWEST, 0, 1)
    assert WrittenFor("1", 3, 2).doubts == 7
    # One key that is not read is better than a value that is refused.
    gone = f"base_model: a/b\n{GONE}: 1\n"
    assert release(gone, {NEWEST: 0, "other": 1}) == WrittenFor(NEWEST, 1, 0)
    assert release(gone, {NEWEST: 1, "other": 1}).unread == 0


@each(
    ("command", "version"),
    [
        # DPO's and RLOO's arguments had the key in 0.28, those of GRPO did not.
        ("grpo", "0.27.2"),
        ("dpo", "0.28.0"),
    ],
)
def test_a_key_counts_as_the_command_of_the_file_reads_it(command: str, version: str) -> None:
    text = f"model_name_or_path: a/b\nmax_prompt_length: 512\nloss_type: {command}\n"
    text += "num_generations: 8\n" if command == "grpo" else "precompute_ref_log_probs: true\n"
    document = language("yaml").read(SourceText(text))
    trl = variant(load_framework("trl"), kind=command)
    assert written_for(document, trl).release == version

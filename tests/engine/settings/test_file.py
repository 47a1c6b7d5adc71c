"""What one settings file may say, setting by setting, and what is made of it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from cfglint.engine.settings.file import SchemaSetting
from cfglint.engine.settings.nearest import Settings, SettingsError, read_settings
from cfglint.source.files.disk import Disk
from cfglint.source.files.memory import InMemory
from tests.draws import each

#: The settings file of a folder in a repository.
FILE = "p/a/cfglint.toml"


def read(text: str, **others: str) -> Settings:
    """The settings that a file has.

    Args:
        others: files beside it, by their names without `.toml`.
    """
    files = {"p/.git/HEAD": "", FILE: text}
    files |= {f"p/a/{name}.toml": other for name, other in others.items()}
    return read_settings(FILE, InMemory({name: one.encode() for name, one in files.items()}))


def refusal(text: str, **others: str) -> str:
    """What is said of a file that is refused."""
    with pytest.raises(SettingsError) as caught:
        read(text, **others)
    return str(caught.value)


@each(
    ("text", "value"),
    [
        ("target = 'trl==0.15.1'", ("trl==0.15.1",)),
        ("target = []", ()),
        ("as-of = 2026-11-01", "2026-11-01"),
        ("as-of = '2026-11-01'", "2026-11-01"),
        ("gpus = 0", 0),
        ("extend-select = ['KEY', 'DAT']", ("KEY", "DAT")),
        ("preview = true", True),
        ("preview = false", False),
        ("force-exclude = true", True),
        ("fail-on = 'never'", "never"),
        ("fail-on = 'error'", "error"),
        ("min-severity = 'info'", "note"),
        ("min-severity = 'warning'", "warning"),
        ("min-confidence = 'low'", "low"),
        # Paths count from the file, and are given from where the run is.
        ("baseline = 'known.json'", os.path.join("p", "a", "known.json")),
        ("baseline = '../b/../known.json'", os.path.join("p", "known.json")),
        ("rules = 'rules'", (os.path.join("p", "a", "rules"),)),
        ("rules = ['.', 'b/rules']", (os.path.join("p", "a"), os.path.join("p", "a", "b/rules"))),
    ],
)
def test_settings_and_their_values(text: str, value: Any) -> None:
    name = text.partition(" = ")[0]
    found = read(text)
    assert getattr(found, name.replace("-", "_")) == (
        tuple(map(os.path.normpath, value)) if name == "rules" else value
    )
    assert found.sources == ((name, FILE),)


@each(
    ("text", "said"),
    [
        ("as-of = 'yesterday'", "as-of expects a day such as 2026-11-01"),
        ("as-of = 2026", "as-of expects a day"),
        ("min-severity = 'never'", "min-severity expects one of error, warning, note"),
        ("min-severity = 1", "min-severity expects one of"),
        ("min-confidence = 1", "min-confidence expects one of"),
        ("exclude = ['ok', '!']", "exclude: '!' is not a valid pattern"),
        ("baseline = '../../known.json'", "baseline: '../../known.json' is outside the project"),
        ("baseline = '/known.json'", "baseline: '/known.json' is outside the project"),
        ('baseline = "a\\u0000b"', "is outside the project"),
        ("rules = '../rules'", "rules: '../rules' is not a folder next to or below this file"),
        ("rules = ['rules', '..']", "rules: '..' is not a folder"),
        ("rules = '../ab'", "rules: '../ab' is not a folder"),
        (f"rules = '{os.path.abspath('p/a/rules')}'", "is not a folder next to or below"),
        ('rules = "a\\u0000b"', "is not a folder next to or below"),
        ("rules = {a = 'rules'}", "rules expects a list of strings"),
        ("ignores = 'KEY'", "unknown setting 'ignores'; did you mean 'ignore'?"),
    ],
)
def test_settings_that_are_refused(text: str, said: str) -> None:
    told = refusal(text)
    assert told.startswith(f"{FILE}: ")
    assert said in told


@each(
    ("text", "expected"),
    [
        ("{schema = 's.json'}", {}),
        ("{schema = 's.json', files = '*.yml'}", {"files": ("*.yml",)}),
        ("{schema = 's.json', files = ['a/', 'b/']}", {"files": ("a/", "b/")}),
        ("{schema = 's.json', framework = 'trl'}", {"framework": ("trl",)}),
        ("{schema = 's.json', at = 'plugin'}", {"at": "plugin"}),
        ("{schema = 's.json', at = 'a.b[].c d'}", {"at": "a.b[].c d"}),
    ],
)
def test_schemas(text: str, expected: dict[str, Any]) -> None:
    one = SchemaSetting(origin=FILE, schema=os.path.join("p", "a", "s.json"), **expected)
    assert read(f"schemas = [{text}]").schemas == (one,)


@each(
    ("text", "said"),
    [
        ("'s.json'", "schemas expects a list of tables"),
        ("{schema = 's.json'}", "schemas expects a list of tables"),
        ("[{schema = 's.json'}, 's.json']", "schemas expects a list of tables"),
        ("[{at = 'plugin'}]", "schemas expects a list of tables, each with the file of a schema"),
        ("[{schema = 1}]", "schemas: schema expects a string"),
        ("[{schema = '../../s.json'}]", "schemas: '../../s.json' is outside the project"),
        ("[{schema = 's.json', file = '*'}]", "unknown setting 'file'; did you mean 'files'?"),
        ("[{schema = 's.json', files = '!'}]", "schemas: files: '!' is not a valid pattern"),
        ("[{schema = 's.json', at = ''}]", "at expects a key such as plugin"),
        ("[{schema = 's.json', at = 'a..b'}]", "at expects a key such as plugin"),
        ("[{schema = 's.json', at = 'a[0]'}]", "at expects a key such as plugin"),
    ],
)
def test_schemas_that_are_refused(text: str, said: str) -> None:
    assert said in refusal(f"schemas = {text}")


def test_schemas_of_the_nearest_file_come_first() -> None:
    found = read("extend = 'b.toml'\nschemas = [{schema = '1'}]", b="schemas = [{schema = '2'}]")
    assert [os.path.basename(one.schema) for one in found.schemas] == ["1", "2"]


def test_as_many_files_in_a_row_as_are_allowed() -> None:
    chain = {f"f{n}": f"extend = 'f{n + 1}.toml'" for n in range(8)} | {"f8": "gpus = 3"}
    found = read("extend = 'f0.toml'", **chain)
    assert (found.gpus, len(found.extended)) == (3, 9)
    assert "more than 10 files in a row" in refusal(
        "extend = 'f0.toml'", **chain | {"f8": "extend = 'f9.toml'", "f9": ""}
    )


@each(("size", "accepted"), [(1_000_000, True), (1_000_001, False)])
def test_the_largest_file(size: int, accepted: bool) -> None:
    text = f"#{'x' * (size - 1)}"
    for own, others in ((text, {}), ("extend = 'b.toml'", {"b": text})):
        if accepted:
            assert read(own, **others).origin == FILE
        else:
            assert "larger than 1,000,000 bytes" in refusal(own, **others)


def test_paths_from_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    files = InMemory({"p/cfglint.toml": b"baseline = 'b.json'\nrules = 'rules'\n"})
    file = os.path.abspath("p/cfglint.toml")
    found = read_settings(file, files)
    assert (found.baseline, found.rules) == (
        os.path.join("p", "b.json"),
        (os.path.join("p", "rules"),),
    )
    for name in ("elsewhere", "p2"):
        (tmp_path / name).mkdir()
        monkeypatch.chdir(tmp_path / name)
        found = read_settings(file, files)
        folder = os.path.dirname(file)
        assert found.baseline == os.path.join(folder, "b.json")
        assert found.rules == (os.path.join(folder, "rules"),)


@pytest.mark.skipif(os.name == "nt", reason="links need a right there")
def test_a_project_that_is_reached_through_a_link(tmp_path: Path) -> None:
    project = tmp_path / "project"
    (project / "rules").mkdir(parents=True)
    (tmp_path / "link").symlink_to(project)
    (tmp_path / "outside").mkdir()
    (project / "away").symlink_to(tmp_path / "outside")
    file = tmp_path / "link" / "cfglint.toml"
    for name in (".", "rules"):
        file.write_text(f"rules = '{name}'\nbaseline = 'known.json'\n", encoding="utf-8")
        found = read_settings(str(file), Disk())
        assert list(map(os.path.abspath, found.rules)) == [str(file.parent / name)]
        assert os.path.abspath(found.baseline or "") == str(file.with_name("known.json"))
    file.write_text("rules = 'away'\n", encoding="utf-8")
    with pytest.raises(SettingsError, match="rules: 'away' is not a folder"):
        read_settings(str(file), Disk())

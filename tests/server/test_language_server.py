"""What the server answers, without a client."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from lsprotocol import types as lsp

from cfglint.server.language_server import Server
from tests.cli.files import CLEAN
from tests.draws import each
from tests.server.opening import BASE, DATA

TYPO = f"{BASE}{DATA}adapter: lora\nlora_r: 8\nlora_alpah: 8\n"
ROW = TYPO.split("\n").index("lora_alpah: 8")
FIX_ALL = "Fix all that cfglint can fix safely"
MIGRATE = "Migrate to axolotl 0.21.0"
RENAME = "Rename it to lora_alpha [KEY001]"
IGNORE = "Ignore KEY001 (unknown-key)"
EXPLAIN = "Explain KEY001 (unknown-key)"


class Answers(Server):
    """A server of which everything is kept that it would send."""

    encoding = "utf-16"

    def __init__(self, **workspace: Any) -> None:
        super().__init__()
        self.shown: list[tuple[str, str]] = []
        self.applied: list[lsp.ApplyWorkspaceEditParams] = []
        self.able = SimpleNamespace(
            text_document=None,
            window=None,
            workspace=SimpleNamespace(workspace_edit=SimpleNamespace(**workspace)),
        )

    @property
    def client_capabilities(self) -> Any:
        return self.able

    def window_show_message(self, params: lsp.ShowMessageParams) -> None:
        self.shown.append((params.type.name.upper(), params.message.removeprefix("cfglint: ")))

    async def workspace_apply_edit_async(self, params: Any) -> Any:
        self.applied.append(params)


def server(text: str, folder: Path | str = "/nowhere", **can: Any) -> tuple[Answers, str]:
    made, uri = Answers(**can), Path(folder, "train.yml").as_uri()
    made.configure({"target": "axolotl==0.18.0", "select": "KEY"})
    made.state.texts.put(uri, 3, text)
    return made, uri


def at(uri: str, row: int, column: int, end: int | None = None) -> Any:
    """What names a place, as every request about one does."""
    start, stop = lsp.Position(row, column), lsp.Position(row, column if end is None else end)
    return SimpleNamespace(
        text_document=lsp.TextDocumentIdentifier(uri),
        position=start,
        range=lsp.Range(start, stop),
        context=lsp.CodeActionContext([]),
    )


def actions(made: Answers, place: Any, **context: Any) -> list[lsp.CodeAction]:
    place.context = lsp.CodeActionContext([], **context)
    return made.actions(place)


# --------------------------------------------------------------------------- actions


@each(
    ("row", "only", "trigger", "expected"),
    [
        (ROW, None, None, [RENAME, IGNORE, EXPLAIN, FIX_ALL, MIGRATE]),
        (ROW, None, 2, [RENAME, IGNORE, EXPLAIN, FIX_ALL]),
        (ROW, ["quickfix"], None, [RENAME, IGNORE, EXPLAIN]),
        (ROW, [""], 1, [RENAME, IGNORE, EXPLAIN, FIX_ALL, MIGRATE]),
        (ROW - 1, None, None, [FIX_ALL, MIGRATE, "Explain lora_r"]),
        (ROW - 1, None, 1, [FIX_ALL, MIGRATE, "Explain lora_r"]),
        (ROW - 1, None, 2, [FIX_ALL]),
        (ROW - 1, ["quickfix"], 2, []),
        (ROW - 1, ["source"], None, [FIX_ALL]),
        (ROW - 1, ["source.fixAll"], None, [FIX_ALL]),
        (ROW - 1, ["source.fixAll.cfglint"], None, [FIX_ALL]),
        (ROW - 1, ["source.fix"], None, []),
        (ROW - 1, ["refactor"], None, [MIGRATE]),
        (ROW - 1, ["refactor.rewrite"], None, [MIGRATE]),
        (ROW - 1, ["refactor"], 2, []),
        (ROW - 1, [], None, []),
    ],
)
def test_which_actions_are_offered(
    row: int, only: list[str] | None, trigger: int | None, expected: list[str]
) -> None:
    made, uri = server(TYPO)
    kind = None if trigger is None else lsp.CodeActionTriggerKind(trigger)
    found = actions(made, at(uri, row, 2), only=only, trigger_kind=kind)
    assert [one.title for one in found] == expected
    kinds = {FIX_ALL: "quickfix" if only is None else "source.fixAll.cfglint"}
    kinds[MIGRATE] = "refactor.rewrite"
    for one in found:
        assert getattr(one.kind, "value", one.kind) == kinds.get(one.title, "quickfix")


def test_what_an_action_does() -> None:
    made, uri = server(TYPO)
    rename, ignore, explain, every, migrate = actions(made, at(uri, ROW, 2))
    assert [one.is_preferred for one in (rename, ignore, every)] == [True, None, None]
    for one in (rename, ignore, every):
        assert [about.code for about in one.diagnostics or ()] == ["KEY001"]
    assert rename.edit is not None
    assert rename.edit.document_changes is None
    (edit,) = (rename.edit.changes or {})[uri]
    assert edit == lsp.TextEdit(at(uri, ROW, 0, 10).range, "lora_alpha")
    for action, command in ((explain, [uri, "KEY001"]), (migrate, [uri, "axolotl==0.21.0"])):
        assert action.command is not None
        assert action.command.arguments == command
        assert action.command.title == action.title
    assert ignore.edit is not None
    (comment,) = (ignore.edit.changes or {})[uri]
    assert "# cfglint: ignore[KEY001] <reason>\n" in comment.new_text


def test_an_edit_is_of_the_version_that_it_was_made_for() -> None:
    made, uri = server(TYPO, document_changes=True, snippet_edit_support=True)
    rename, ignore, *_ = actions(made, at(uri, ROW, 2))
    for one in (rename, ignore):
        assert one.edit is not None
        (change,) = one.edit.document_changes or ()
        assert isinstance(change, lsp.TextDocumentEdit)
        assert (change.text_document.uri, change.text_document.version) == (uri, 3)
        edit: Any = change.edits[0]
        assert hasattr(edit, "snippet") is (one is ignore)
        if one is ignore:
            assert edit.snippet.value == "# cfglint: ignore[KEY001] ${1:<reason>}\n"


def test_while_a_line_is_half_typed_only_what_is_sure_is_offered() -> None:
    made, uri = server(TYPO)
    assert made.hover(at(uri, ROW - 1, 2)) is not None
    made.state.texts.put(uri, 4, f"half_\n{TYPO}")
    made.state.look_again()
    found = [one.title for one in actions(made, at(uri, ROW + 1, 2))]
    assert found == [RENAME, EXPLAIN]
    assert asyncio.run(made.migrate(uri, "axolotl==0.21.0")) is False
    assert made.shown == [("ERROR", "the file cannot be read")]
    # What is known about a key is known at the place where it is shown.
    hover = made.hover(at(uri, ROW, 2))
    assert hover is not None
    assert hover.range == at(uri, ROW, 0, 6).range
    key = [one.title for one in actions(made, at(uri, ROW, 2))]
    assert key == ["Explain lora_r"]


def test_nothing_is_known_about_what_is_not_open_or_no_config() -> None:
    for uri, text in (("file:///nowhere/b.yml", TYPO), (server("")[1], "a: 1\nb: 2\n")):
        made, _ = server(text)
        place = at(uri, 0, 0)
        assert actions(made, place) == []
        assert made.hover(place) is None
        assert made.completion(place) == lsp.CompletionList(False, [])
        assert (made.links(uri), made.definition(place), made.symbols(uri)) == ([], None, [])
        assert made.explanation(uri, "KEY001") == ""
        assert made.knows(uri) is False
        assert asyncio.run(made.migrate(uri, "axolotl==0.21.0")) is False
        assert made.shown == [("ERROR", "the file cannot be read")]
        assert made.effective(uri).startswith("# ")


# --------------------------------------------------------------------------- migration


@each(
    ("line", "after", "message", "done"),
    [
        (
            "flash_attention: true\n",
            "attn_implementation: flash_attention_2\n",
            ("INFO", "migrated to axolotl 0.21.0 in 1 step"),
            True,
        ),
        ("", None, ("INFO", "migrated to axolotl 0.21.0 in 0 steps"), True),
        (
            "sample_packing: true\nflash_attention: true\nxformers_attention: true\n",
            None,
            (
                "WARNING",
                "migrated to axolotl 0.21.0 in 0 steps; `cfglint migrate` lists 2 changes that you "
                "have to make",
            ),
            False,
        ),
    ],
)
def test_a_migration(line: str, after: str | None, message: tuple[str, str], done: bool) -> None:
    made, uri = server(CLEAN + line)
    made.configure({"target": "axolotl==0.14.0"})
    assert asyncio.run(made.migrate(uri, "axolotl==0.21.0")) is done
    assert made.shown == [message]
    assert [one.label for one in made.applied] == ([MIGRATE] if after else [])
    for one in made.applied:
        (edit,) = (one.edit.changes or {})[uri]
        assert edit.new_text == after


def test_a_migration_to_an_unknown_release_is_refused() -> None:
    made, uri = server(BASE + DATA)
    assert asyncio.run(made.migrate(uri, "nothing==1")) is False
    assert [kind for kind, _ in made.shown] == ["ERROR"]
    assert "nothing" in made.shown[0][1]


# --------------------------------------------------------------------------- explanations


def test_explanations() -> None:
    made, uri = server(TYPO)
    for subject, there in (("KEY001", True), ("lora_r", True), ("lora_alpah", False)):
        assert bool(made.explanation(uri, subject)) is there
        assert asyncio.run(made.explain(uri, subject)) is there
    assert [one[0] for one in made.shown] == ["INFO", "INFO", "WARNING"]
    assert made.shown[0][1].startswith("# KEY001 unknown-key\n")
    assert made.shown[-1][1] == "nothing is known about lora_alpah"


# --------------------------------------------------------------------------- places


def test_links_and_definitions(tmp_path: Path) -> None:
    (tmp_path / "zero2.json").write_text("{}", encoding="utf-8")
    text = f"{BASE}{DATA}deepspeed: zero2.json\n"
    made, uri = server(text, tmp_path)
    row, there = text.count("\n") - 1, (tmp_path / "zero2.json").as_uri()
    assert made.links(uri) == [(at(uri, row, 11, 21).range, there)]
    found = {column: made.definition(at(uri, row, column)) for column in (10, 11, 21, 0)}
    assert [column for column, one in found.items() if one is not None] == [11, 21]
    assert found[11] == lsp.Location(there, at(uri, 0, 0).range)
    assert made.definition(at(uri, 0, 12)) is None


@each("tree", [True, False])
def test_symbols(tree: bool) -> None:
    made, uri = server(BASE + DATA)
    made.able.text_document = SimpleNamespace(
        document_symbol=SimpleNamespace(hierarchical_document_symbol_support=tree)
    )
    found = made.symbols(uri)
    names = ["base_model", "micro_batch_size", "num_epochs", "datasets"]
    if tree:
        assert [one.name for one in found] == names
        assert all(isinstance(one, lsp.DocumentSymbol) for one in found)
    else:
        assert [one.name for one in found][:4] == names
        assert {one.location.uri for one in found if isinstance(one, lsp.SymbolInformation)} == {
            uri
        }


def test_completion_is_of_keys_values_and_codes() -> None:
    made, uri = server(f"{BASE}{DATA}adapter: lo\n# cfglint: ignore[KEY\n")
    values = made.completion(at(uri, 6, 11)).items
    assert "lora" in {one.label for one in values}
    codes = made.completion(at(uri, 7, 21)).items
    assert "KEY001" in {one.label for one in codes}
    assert "lora" not in {one.label for one in codes}
    assert made.completion(at(uri, 7, 3)).items == []


@each(
    ("name", "text", "expected"),
    [
        ("train.yml", BASE + DATA, True),
        ("run.sh", "trl sft --model_name_or_path a/b --dataset_name c\n", False),
        ("other.yml", "a: 1\n", False),
    ],
)
def test_of_which_texts_there_is_an_effective_configuration(
    name: str, text: str, expected: bool
) -> None:
    made, _ = server("")
    uri = made.state.texts.put(f"file:///nowhere/{name}", 1, text).uri
    assert made.knows(uri) is expected


def test_the_effective_configuration(tmp_path: Path) -> None:
    made, uri = server(TYPO, tmp_path)
    assert "micro_batch_size: 2" in made.effective(uri)
    (tmp_path / "saved.yml").write_text(BASE + DATA, encoding="utf-8")
    assert "micro_batch_size: 2" in made.effective((tmp_path / "saved.yml").as_uri())


def test_options_of_a_command_are_told_about() -> None:
    made, _ = server("")
    script = "accelerate launch --num_processes 4 -m axolotl.cli.train train.yml\n"
    uri = made.state.texts.put("file:///nowhere/run.sh", 1, script).uri
    found = made.hover(at(uri, 0, script.index("num_")))
    assert found is None or isinstance(found, lsp.Hover)


def test_settings_that_cannot_be_read_leave_no_offer_to_migrate(tmp_path: Path) -> None:
    (tmp_path / "cfglint.toml").write_text("nothing = 1\n", encoding="utf-8")
    made, uri = server(TYPO, tmp_path)
    assert actions(made, at(uri, ROW, 2)) == []
    assert asyncio.run(made.migrate(uri, "axolotl==0.21.0")) is False

"""Explanations of findings and keys in an editor."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp

from cfglint.base.documentation import VARIABLE
from tests.cli.files import CLEAN
from tests.server.client import Editor, capabilities, editor

TYPO = CLEAN.replace("num_epochs", "num_epochss")


def shows_documents() -> lsp.ClientCapabilities:
    can = capabilities()
    assert can.window is not None
    can.window.show_document = lsp.ShowDocumentClientCapabilities(support=True)
    return can


def here(text: str, words: str) -> lsp.Range:
    line = text[: text.index(words)].count("\n")
    place = lsp.Position(line, len(text[: text.index(words)].rpartition("\n")[2]) + 1)
    return lsp.Range(place, place)


async def explained(shown: Editor, uri: str, where: lsp.Range, **options: Any) -> list[str]:
    """The titles of the offers to explain something, after all were taken."""
    found = await shown.actions(uri, where, **options)
    offers = [one for one in found if one.title.startswith("Explain")]
    for one in offers:
        assert one.command is not None
        asked = lsp.ExecuteCommandParams(one.command.command, one.command.arguments)
        assert await shown.client.workspace_execute_command_async(asked)
    return [one.title for one in offers]


def test_a_finding_and_the_key_at_the_cursor_are_explained(tmp_path: Path) -> None:
    async def story() -> tuple[list[str], list[str], list[str], list[tuple[str, str]]]:
        # The pages are removed when the process ends.
        async with editor(tmp_path, can=shows_documents(), own_process=True) as shown:
            uri = shown.open(tmp_path / "a.yml", TYPO)
            finding = await explained(shown, uri, here(TYPO, "num_epochss"))
            key = await explained(shown, uri, here(TYPO, "type: "))
            automatic = lsp.CodeActionTriggerKind.Automatic
            by_itself = await explained(shown, uri, here(TYPO, "type: "), trigger=automatic)
            return finding, key, by_itself, shown.documents

    finding, key, by_itself, documents = asyncio.run(story())
    assert finding == ["Explain KEY001 (unknown-key)"]
    assert key == ["Explain datasets[0].type"]
    assert by_itself == []
    (rule_name, rule), (key_name, of_key) = documents
    assert (rule_name, key_name) == ("KEY001.md", "datasets_0_.type.md")
    assert rule.startswith("# KEY001 unknown-key\n\n")
    for heading in ("## Example", "## Evidence", "## Silencing it"):
        assert f"\n{heading}" in rule
    assert of_key.startswith("# `datasets[0].type`\n\n")
    assert "DAT209" in of_key


def test_codes_are_links_where_the_documentation_has_an_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, "https://docs.example/cfglint")

    async def story() -> tuple[str, str, Any]:
        async with editor(tmp_path) as shown:
            uri = shown.open(tmp_path / "a.yml", TYPO)
            asked = lsp.ExecuteCommandParams("cfglint.explanation", [uri, "KEY001"])
            rule = await shown.client.workspace_execute_command_async(asked)
            hover = await shown.at(uri, 0, 2, "hover")
            return str(rule), hover.contents.value, (await shown.findings(uri))[0].code_description

    rule, hover, description = asyncio.run(story())
    page = "https://docs.example/cfglint/rules/"
    assert f"(<{page}KEY001.html>)" in rule
    assert description.href == f"{page}KEY001.html"
    assert re.search(rf"- \[[A-Z]{{3}}\d+\]\(<{page}[A-Z]{{3}}\d+\.html>\) ", hover)


def test_a_client_without_documents_gets_a_message_and_what_is_unknown_is_told(
    tmp_path: Path,
) -> None:
    async def story() -> list[str]:
        async with editor(tmp_path) as shown:
            uri = shown.open(tmp_path / "a.yml", TYPO)
            for subject in ("KEY001", "no_such_key", "XYZ999"):
                asked = lsp.ExecuteCommandParams("cfglint.explain", [uri, subject])
                await shown.client.workspace_execute_command_async(asked)
            await shown.until(lambda: len(shown.messages) == 3)
            return shown.messages

    first, *others = asyncio.run(story())
    assert first.startswith("cfglint: # KEY001 unknown-key\n")
    assert "`" not in first
    assert others == [
        "cfglint: nothing is known about no_such_key",
        "cfglint: nothing is known about XYZ999",
    ]

"""What the server tells a client by itself, without a client."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from lsprotocol import types as lsp

from cfglint.server.publishing import DELAY, Publisher
from tests.draws import each
from tests.server.opening import BASE, DATA

URI = Path("/nowhere/train.yml").as_uri()
TYPO = f"{BASE}{DATA}lora_alpah: 8\n"


class Told(Publisher):
    """Keeps what would be sent."""

    def __init__(self, capabilities: Any = None) -> None:
        super().__init__()
        self.messages: list[str] = []
        self.sent: list[tuple[str, int, int | None]] = []
        self.capable = capabilities or SimpleNamespace(text_document=None)

    @property
    def encoding(self) -> str:
        return "utf-16"

    @property
    def client_capabilities(self) -> Any:
        return self.capable

    def window_show_message(self, params: lsp.ShowMessageParams) -> None:
        self.messages.append(params.message)

    def text_document_publish_diagnostics(self, params: lsp.PublishDiagnosticsParams) -> None:
        self.sent.append((params.uri, len(params.diagnostics), params.version))

    def taken(self) -> list[tuple[str, int, int | None]]:
        sent, self.sent = self.sent, []
        return sent


@each(
    ("given", "delay", "messages"),
    [
        (None, DELAY, 0),
        ({}, DELAY, 0),
        ([], DELAY, 0),
        ({"delay": 0}, 0, 0),
        ({"delay": 10_000}, 10_000, 0),
        ({"delay": 10_001}, DELAY, 1),
        ({"delay": -1}, DELAY, 1),
        ({"delay": True}, DELAY, 1),
        ({"delay": 0.5}, DELAY, 1),
        ({"gpus": "many"}, DELAY, 1),
        ({"gpus": "many", "delay": "x"}, DELAY, 2),
        ({"minConfidence": "none"}, DELAY, 1),
        ({"min_confidence": "none"}, DELAY, 0),
    ],
)
def test_settings(given: object, delay: int, messages: int) -> None:
    server = Told()
    server.configure(given)
    assert server.delay == delay
    assert len(server.messages) == messages
    assert all(one.startswith("cfglint: ") for one in server.messages)


def test_findings_follow_the_texts() -> None:
    server = Told()
    server.configure({"target": "axolotl==0.18.0", "select": "KEY"})
    server.state.texts.put(URI, 1, TYPO)
    server.publish()
    assert server.taken() == [(URI, 1, 1)]
    server.state.texts.put(URI, 2, BASE + DATA)
    server.state.look_again()
    server.publish()
    assert server.taken() == [(URI, 0, 2)]
    server.state.close(URI)
    server.publish()
    assert server.taken() == [(URI, 0, None)]
    server.publish()
    assert server.taken() == []


def test_what_is_wrong_with_settings_is_told_once(tmp_path: Path) -> None:
    (tmp_path / "cfglint.toml").write_text("nothing = 1\n", encoding="utf-8")
    server = Told()
    server.state.texts.put((tmp_path / "train.yml").as_uri(), 1, TYPO)
    for _ in range(2):
        server.state.look_again()
        server.publish()
    assert len(server.messages) == 1
    (tmp_path / "cfglint.toml").write_text("", encoding="utf-8")
    server.state.look_again()
    server.publish()
    (tmp_path / "cfglint.toml").write_text("nothing = 1\n", encoding="utf-8")
    server.state.look_again()
    server.publish()
    assert len(server.messages) == 2


def test_only_the_last_change_is_checked() -> None:
    async def story() -> list[tuple[str, int, int | None]]:
        server = Told()
        server.configure({"select": "KEY", "delay": 1})
        for version in range(1, 4):
            server.state.texts.put(URI, version, TYPO)
            server.text_changed()
        await asyncio.sleep(0.02)
        for _ in range(100):
            if server.sent:
                break
            await asyncio.sleep(0.01)
        return server.taken()

    assert asyncio.run(story()) == [(URI, 1, 3)]


@each(
    ("path", "expected"),
    [(("a",), True), (("a", "b"), True), (("a", "c"), False), (("d", "b"), False), (("x",), False)],
)
def test_what_the_client_can(path: tuple[str, ...], expected: bool) -> None:
    able = SimpleNamespace(a=SimpleNamespace(b=True, c=False), d=None)
    assert Told(able).can(*path) is expected


@each(
    ("formats", "kind"),
    [
        (None, "markdown"),
        (["markdown", "plaintext"], "markdown"),
        (["plaintext"], "plaintext"),
        ([], "plaintext"),
    ],
)
def test_markup(formats: list[str] | None, kind: str) -> None:
    hover = SimpleNamespace(content_format=formats)
    server = Told(SimpleNamespace(text_document=SimpleNamespace(hover=hover)))
    assert server.markup("**a**").kind == kind
    server = Told(SimpleNamespace(text_document=SimpleNamespace(hover=None)))
    assert server.markup("**a**").kind == "markdown"


class Progress:
    """The progress that a client shows, which may be cancelled at once."""

    def __init__(self, *, cancelled: bool) -> None:
        self.said: list[str] = []
        self.tokens = {"cfglint-1": SimpleNamespace(cancelled=lambda: cancelled)}

    async def create_async(self, token: str) -> None:
        self.said.append(f"create {token}")

    def begin(self, token: str, value: lsp.WorkDoneProgressBegin) -> None:
        self.said.append(value.title)

    def report(self, token: str, value: lsp.WorkDoneProgressReport) -> None:
        self.said.append(f"{value.message} {value.percentage}")

    def end(self, token: str, value: lsp.WorkDoneProgressEnd) -> None:
        self.said.append(f"end {value.message}")


@each(("shown", "cancelled"), [(False, False), (True, False), (True, True)])
def test_a_workspace(shown: bool, cancelled: bool, tmp_path: Path) -> None:
    for name in ("a.yml", "b.yml"):
        (tmp_path / name).write_text(TYPO, encoding="utf-8")
    progress = Progress(cancelled=cancelled)

    class OfFolder(Told):
        folders = [str(tmp_path)]  # noqa: RUF012
        work_done_progress = progress  # type: ignore[assignment]

    server = OfFolder(SimpleNamespace(window=SimpleNamespace(work_done_progress=shown)))
    server.configure({"select": "KEY"})
    counts = asyncio.run(server.check_workspace())
    if cancelled:
        assert server.sent == []
    else:
        assert counts == {"files": 2, "errors": 2, "warnings": 0, "notes": 0}
        assert [row[1:] for row in server.taken()] == [(1, None), (1, None)]
        server.forget((tmp_path / "a.yml").as_uri())
        server.forget((tmp_path / "a.yml").as_uri())
        assert server.taken() == [((tmp_path / "a.yml").as_uri(), 0, None)]
    assert bool(progress.said) is shown
    if shown:
        assert progress.said[:2] == ["create cfglint-1", "cfglint: checking the workspace"]
        assert progress.said[-1] == f"end {counts['files']} configs"
        assert progress.tokens == {}
    if shown and not cancelled:
        assert "0 of 2 files 0" in progress.said

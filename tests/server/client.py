"""An editor without a screen: pygls' own client, at the other end of a real server's pipes."""

from __future__ import annotations

import ast
import asyncio
import os
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, BinaryIO, TypeVar, cast

from lsprotocol import types as lsp
from pygls.io_ import StdoutWriter, run_async
from pygls.lsp.client import LanguageClient
from pygls.uris import to_fs_path

from cfglint.server.features import create
from cfglint.server.protocol import MessageInput

F = TypeVar("F", bound=Callable[..., Any])
ROOT = Path(__file__).resolve().parents[2]
#: Seconds after which an answer will not come.
PATIENCE = 60.0


class Editor:
    """A client with open texts."""

    def __init__(self, client: LanguageClient) -> None:
        self.client = client
        self.versions: dict[str, int] = {}
        #: What was published last, by name of the file.
        self.published: dict[str, lsp.PublishDiagnosticsParams] = {}
        #: How many times something was published.
        self.count = 0
        self.messages: list[str] = []
        self.progress: list[Any] = []
        #: What the server asked to be changed.
        self.edits: list[lsp.WorkspaceEdit] = []
        #: The files that the server asked to be shown, and what was in them.
        self.documents: list[tuple[str, str]] = []
        self.settings: dict[str, Any] | None = None
        self.registered: list[lsp.Registration] = []
        self.result: lsp.InitializeResult | None = None
        self._news = asyncio.Event()

    def open(self, path: Path | str, text: str, language: str = "yaml") -> str:
        """Show a text; its name is returned."""
        uri = path.as_uri() if isinstance(path, Path) else path
        self.versions[uri] = 1
        item = lsp.TextDocumentItem(uri, language, 1, text)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        return uri

    def change(self, uri: str, text: str) -> int:
        """Show another text in the place of one; its version is returned."""
        self.versions[uri] += 1
        name = lsp.VersionedTextDocumentIdentifier(self.versions[uri], uri)
        whole = lsp.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(name, [whole]))
        return self.versions[uri]

    def close(self, uri: str) -> None:
        """Show a text no more."""
        self.versions.pop(uri, None)
        name = lsp.TextDocumentIdentifier(uri)
        self.client.text_document_did_close(lsp.DidCloseTextDocumentParams(name))

    async def forget(self) -> None:
        """Close everything and discard the received messages, for the next test."""
        texts, self.versions = list(self.versions), {}
        for uri in texts:
            self.close(uri)
        # The last message about each text is that it has no findings any more.
        await self.until(
            lambda: all(
                uri in self.published and self.published[uri].version is None for uri in texts
            )
        )
        self.published.clear()
        self.count = 0
        self.messages, self.progress, self.edits = [], [], []

    async def findings(self, uri: str) -> list[lsp.Diagnostic]:
        """What is published about the version that is shown."""
        await self.until(
            lambda: uri in self.published and self.published[uri].version == self.versions.get(uri)
        )
        return list(self.published[uri].diagnostics)

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait for messages of the server until a condition is met.

        Raises:
            TimeoutError: it is not met in time.
        """

        async def wait() -> None:
            while not condition():
                self._news.clear()
                await self._news.wait()

        await asyncio.wait_for(wait(), PATIENCE)

    def heard(self) -> None:
        """Record a message of the server."""
        self._news.set()

    async def at(self, uri: str, line: int, character: int, method: str) -> Any:
        """Ask something about a place."""
        ask = getattr(self.client, f"text_document_{method}_async")
        params = {
            "hover": lsp.HoverParams,
            "completion": lsp.CompletionParams,
            "definition": lsp.DefinitionParams,
        }[method]
        name, place = lsp.TextDocumentIdentifier(uri), lsp.Position(line, character)
        return await asyncio.wait_for(ask(params(name, place)), PATIENCE)

    async def actions(
        self,
        uri: str,
        where: lsp.Range,
        only: list[str] | None = None,
        trigger: lsp.CodeActionTriggerKind | None = None,
    ) -> list[lsp.CodeAction]:
        """What can be done about a range."""
        context = lsp.CodeActionContext([], only=only, trigger_kind=trigger)
        params = lsp.CodeActionParams(lsp.TextDocumentIdentifier(uri), where, context)
        found = await asyncio.wait_for(
            self.client.text_document_code_action_async(params), PATIENCE
        )
        return [_action(one) for one in found or ()]


def _action(one: lsp.CodeAction | lsp.Command) -> lsp.CodeAction:
    """An action; lsprotocol reads one that has a command as a command, and its as a text."""
    if isinstance(one, lsp.CodeAction):
        return one
    command = lsp.Command(**ast.literal_eval(one.command))
    return lsp.CodeAction(one.title, command=command)


def capabilities(encodings: list[str] | None = None) -> lsp.ClientCapabilities:
    """An editor that can do everything that the server makes use of."""
    return lsp.ClientCapabilities(
        general=lsp.GeneralClientCapabilities(
            position_encodings=[lsp.PositionEncodingKind(one) for one in encodings or ["utf-16"]]
        ),
        window=lsp.WindowClientCapabilities(work_done_progress=True),
        workspace=lsp.WorkspaceClientCapabilities(
            configuration=True,
            workspace_edit=lsp.WorkspaceEditClientCapabilities(document_changes=True),
            did_change_configuration=lsp.DidChangeConfigurationClientCapabilities(
                dynamic_registration=True
            ),
            did_change_watched_files=lsp.DidChangeWatchedFilesClientCapabilities(
                dynamic_registration=True
            ),
        ),
        text_document=lsp.TextDocumentClientCapabilities(
            document_symbol=lsp.DocumentSymbolClientCapabilities(
                hierarchical_document_symbol_support=True
            )
        ),
    )


@asynccontextmanager
async def editor(
    folder: Path,
    *,
    can: lsp.ClientCapabilities | None = None,
    options: dict[str, Any] | None = None,
    settings: dict[str, Any] | None = None,
    delay: int = 0,
    own_process: bool = False,
) -> AsyncIterator[Editor]:
    """A client that has started a server for a folder, and ends it.

    Args:
        own_process: start the command, as an editor does; otherwise the server is a thread of the
            tests with pipes of its own, and need not be imported again.
    """
    client = LanguageClient("test", "1")
    shown = Editor(client)
    shown.settings = settings

    def feature(method: str) -> Callable[[F], F]:
        return cast("Callable[[F], F]", client.feature(method))

    @feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    def published(params: lsp.PublishDiagnosticsParams) -> None:
        shown.published[params.uri] = params
        shown.count += 1
        shown.heard()

    @feature(lsp.WINDOW_SHOW_MESSAGE)
    def message(params: lsp.ShowMessageParams) -> None:
        shown.messages.append(params.message)
        shown.heard()

    @feature(lsp.WORKSPACE_CONFIGURATION)
    def configuration(_params: lsp.ConfigurationParams) -> list[Any]:
        return [shown.settings]

    @feature(lsp.WORKSPACE_APPLY_EDIT)
    def apply(params: lsp.ApplyWorkspaceEditParams) -> lsp.ApplyWorkspaceEditResult:
        shown.edits.append(params.edit)
        return lsp.ApplyWorkspaceEditResult(applied=True)

    @feature(lsp.WINDOW_SHOW_DOCUMENT)
    def show(params: lsp.ShowDocumentParams) -> lsp.ShowDocumentResult:
        path = Path(to_fs_path(params.uri) or "")
        shown.documents.append((path.name, path.read_text(encoding="utf-8")))
        return lsp.ShowDocumentResult(success=True)

    @feature(lsp.CLIENT_REGISTER_CAPABILITY)
    def register(params: lsp.RegistrationParams) -> None:
        shown.registered += params.registrations
        shown.heard()

    @feature(lsp.WINDOW_WORK_DONE_PROGRESS_CREATE)
    def create(_params: lsp.WorkDoneProgressCreateParams) -> None:
        return None

    @feature(lsp.PROGRESS)
    def progress(params: lsp.ProgressParams) -> None:
        shown.progress.append(params.value)
        shown.heard()

    end = await (_start_process if own_process else _start_thread)(client, folder)
    shown.result = await asyncio.wait_for(
        client.initialize_async(
            lsp.InitializeParams(
                capabilities=can or capabilities(),
                workspace_folders=[lsp.WorkspaceFolder(folder.as_uri(), folder.name)],
                initialization_options={"delay": delay, **(options or {})},
            )
        ),
        PATIENCE,
    )
    client.initialized(lsp.InitializedParams())
    try:
        yield shown
    finally:
        await asyncio.wait_for(client.shutdown_async(None), PATIENCE)
        client.exit(None)
        await end()


async def _start_process(client: LanguageClient, folder: Path) -> Callable[[], Awaitable[None]]:
    own = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    await client.start_io(sys.executable, "-m", "cfglint", "server", "--stdio", cwd=folder, env=own)

    async def end() -> None:
        await client.stop()  # type: ignore[no-untyped-call]

    return end


async def _start_thread(client: LanguageClient, folder: Path) -> Callable[[], Awaitable[None]]:
    to_server, from_client = os.pipe()
    to_client, from_server = os.pipe()
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    transport, _ = await loop.connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(to_client, "rb")
    )
    writer = os.fdopen(from_client, "wb")
    client.protocol.set_writer(StdoutWriter(writer))
    reading = asyncio.create_task(
        run_async(stop_event=threading.Event(), reader=reader, protocol=client.protocol)
    )

    def serve() -> None:
        with os.fdopen(to_server, "rb") as stdin, os.fdopen(from_server, "wb") as stdout:
            create().start_io(cast("BinaryIO", MessageInput(stdin)), stdout)

    before = os.getcwd()
    os.chdir(folder)
    server = threading.Thread(target=serve)
    server.start()

    async def end() -> None:
        await loop.run_in_executor(None, server.join, PATIENCE)
        os.chdir(before)
        await asyncio.wait_for(reading, PATIENCE)
        transport.close()
        writer.close()

    return end

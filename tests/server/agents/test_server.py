"""The server, as a client of the protocol sees it."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from cfglint.server.agents import functions
from tests.cli.running import environment, run
from tests.test_skill import CONFIG

try:
    import anyio
    from mcp import ClientSession, StdioServerParameters, stdio_client
except ImportError:
    IS_THERE = False
else:
    IS_THERE = True
needs_mcp = pytest.mark.skipif(not IS_THERE, reason="the extra `mcp` is not installed")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sft.yaml").write_text(CONFIG)
    return tmp_path


def in_session(here: Path, use: Callable[[Any], Awaitable[None]]) -> None:
    """Use a session with a server of its own process, over standard input and output."""

    async def main() -> None:
        server = StdioServerParameters(
            command=sys.executable, args=["-m", "cfglint", "mcp"], env=environment(), cwd=here
        )
        async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
            await session.initialize()
            await use(session)

    anyio.run(main)


def text_of(result: Any) -> str:
    (content,) = result.content
    return str(content.text)


@needs_mcp
def test_the_tools_are_the_functions(here: Path) -> None:
    async def use(session: Any) -> None:
        tools = {tool.name: tool for tool in (await session.list_tools()).tools}
        assert set(tools) == {one.__name__ for one in (*functions.READING, functions.WRITING)}
        assert [name for name, tool in tools.items() if not tool.annotations.read_only_hint] == [
            "fix"
        ]
        for tool in tools.values():
            assert tool.description
        assert tools["fix"].input_schema["required"] == ["path"]

    in_session(here, use)


@needs_mcp
def test_an_agent_repairs_a_config(here: Path) -> None:
    target = ["trl==1.16.0"]

    async def use(session: Any) -> None:
        command = {"command": "trl sft --config sft.yaml", "target": target}
        before = await session.call_tool("preflight", command)
        assert text_of(before).endswith("verdict: do not start: 2 errors\n")
        fixed = await session.call_tool("fix", {"path": "sft.yaml", "target": target})
        assert text_of(fixed).endswith("No problems in 1 file; fixed 2 findings\n")
        after = await session.call_tool("preflight", command)
        assert "verdict: start: " in text_of(after)
        keys = await session.call_tool("keys", {"subject": "trl sft", "target": target[0]})
        assert text_of(keys).startswith("`trl sft` (trl 1.16.0, --target): 263 keys\n")

    in_session(here, use)
    assert "max_length: 1024" in (here / "sft.yaml").read_text()


@needs_mcp
def test_errors_are_answers(here: Path) -> None:
    async def use(session: Any) -> None:
        for tool, arguments, message in (
            ("check", {"path": "no.yaml"}, "no such file"),
            ("fix", {"path": "/etc/passwd"}, "only files below"),
            ("check", {"path": "sft.yaml", "target": ["trl==99.0"]}, "99.0 is newer"),
            ("check", {}, "path"),
        ):
            result = await session.call_tool(tool, arguments)
            assert result.is_error
            assert message in text_of(result)
        # The session goes on.
        answer = await session.call_tool("explain", {"subject": "KEY001"})
        assert text_of(answer).startswith("KEY001 unknown-key\n")

    in_session(here, use)


@pytest.mark.skipif(IS_THERE, reason="it is installed")
def test_without_the_package() -> None:
    result = run("mcp")
    assert (result.code, result.out) == (2, "")
    assert "pip install 'cfglint-llm[mcp]'" in result.err

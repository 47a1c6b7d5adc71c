"""The server: the functions as tools of the Model Context Protocol."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from threading import Lock

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations

import cfglint
from cfglint.knowledge.releases.table import example_target
from cfglint.roles.framework import frameworks, load_framework
from cfglint.server.agents.functions import READING, WRITING

_INSTRUCTIONS = """\
cfglint judges LLM training runs without running anything: configs, launch scripts and Python programs of {titles}. \
Call `preflight` before every start, and do not start a run whose verdict is `do not start`. Repair with `fix`, or by the \
replacements that `check` prints, and check again; stop when the same findings come back twice. After a crash, give \
the log to `diagnose`. Look names up with `keys` \
and `explain`: those of memory are often of an older release. A target is written like {example}.
"""
#: The server calls tools in threads, and what is known of frameworks is shared.
_ONE_AT_A_TIME = Lock()


def create() -> MCPServer:
    """A server with one tool for each function; it keeps nothing between two calls."""
    known = map(load_framework, sorted(frameworks()))
    titles = ", ".join(one.title for one in known if not one.row["of_sections"])
    instructions = _INSTRUCTIONS.format(titles=titles, example=example_target())
    server = MCPServer("cfglint", instructions=instructions, version=cfglint.__version__)
    for function in READING:
        server.tool(
            annotations=ToolAnnotations(read_only_hint=True, open_world_hint=False),
            structured_output=False,
        )(_tool(function))
    server.tool(
        annotations=ToolAnnotations(
            read_only_hint=False,
            destructive_hint=False,
            idempotent_hint=True,
            open_world_hint=False,
        ),
        structured_output=False,
    )(_tool(WRITING))
    return server


def _tool(function: Callable[..., str]) -> Callable[..., str]:
    """A function as a tool: one call after the other, and an error is an answer with its text."""

    @wraps(function)
    def answer(**arguments: object) -> str:
        try:
            with _ONE_AT_A_TIME:
                return function(**arguments)
        except ValueError as error:
            raise ToolError(str(error)) from None

    return answer

"""Modules that only define things, while nothing in their project imports them."""

from __future__ import annotations

import ast

from cfglint.engine.severity.no_run.searched_file import SearchedFile
from cfglint.environment.project.mentioned import is_mentioned
from cfglint.source.python_names import last_name
from cfglint.source.python_program import program_of

#: Statements that do nothing by themselves when a module is started.
_DEFINING = (
    ast.AsyncFunctionDef,
    ast.ClassDef,
    ast.FunctionDef,
    ast.Import,
    ast.ImportFrom,
)
#: Calls that set up the process, and start nothing.
_SETTING_UP = (
    *(
        "logging.",
        "os.environ.",
        "sys.path.",
        "torch.backends.",
        "transformers.logging.",
        "warnings.",
    ),
    *("np.random.seed", "numpy.random.seed", "random.seed", "torch.cuda.empty_cache"),
    *("torch.cuda.manual_seed", "torch.manual_seed"),
)
_REASON = "This module starts nothing by itself, and nothing in the project names it."


def why_never_reached(file: SearchedFile) -> str:
    """Why no run meets what is found in a module that no program reaches; empty for any other."""
    if not _only_defines(file.report.source.text):
        return ""
    return "" if is_mentioned(file.around) else _REASON


def _only_defines(text: str) -> bool:
    """Whether starting a module runs none of its functions. A guard for starting it is a start."""
    tree = program_of(text).tree
    if tree is None:
        return False
    body = tree.body
    own = {one.name for one in body if isinstance(one, (ast.AsyncFunctionDef, ast.FunctionDef))}
    return all(_defines(one, own) for one in body)


def _defines(statement: ast.stmt, own: set[str]) -> bool:
    if isinstance(statement, ast.If):  # imports that depend on what is installed
        return all(_defines(one, own) for one in (*statement.body, *statement.orelse))
    if isinstance(statement, ast.Expr):  # a docstring, or how the process is to behave
        call = statement.value
        return isinstance(call, ast.Constant) or (
            isinstance(call, ast.Call) and ast.unparse(call.func).startswith(_SETTING_UP)
        )
    if isinstance(statement, (ast.AnnAssign, ast.Assign)):
        return not any(_starts(node, own) for node in ast.walk(statement))
    return isinstance(statement, _DEFINING)


def _starts(node: ast.AST, own: set[str]) -> bool:
    """Whether an expression calls a function of the module, or a class, as its name says: `SFTConfig(…)`, but not `logging.getLogger(…)`."""
    if not isinstance(node, ast.Call):
        return False
    name = last_name(node.func)
    return name[:1].isupper() or (isinstance(node.func, ast.Name) and name in own)

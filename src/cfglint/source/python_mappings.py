"""The mappings that a program writes out, as far as nothing changes them before they are used."""

from __future__ import annotations

import ast

from cfglint.source.python_scopes import Scopes

#: Methods of a mapping that do not change it.
_READING = frozenset({"get", "items", "keys", "values"})


class Mappings:
    """Finds the mappings of one program."""

    def __init__(self, scopes: Scopes) -> None:
        self._scopes = scopes

    def mapping(self, node: ast.expr) -> ast.Dict | None:
        """A mapping that is written out: in place, or under a name that the program does nothing with but read."""
        return self._table(self._written_out(node))

    def handed(self, node: ast.expr) -> ast.Dict | None:
        """A mapping that is written out: in place, or under a name with which it is handed over here and nowhere else.

        Before that, the same block may give it further items, one by one.
        """
        return self._table(self.handed_node(node)) or self._with_items(node)

    def handed_node(self, node: ast.expr) -> ast.Dict | ast.Call | None:
        """The same as the program has it: in braces, or as a call of `dict`."""
        return self._written_out(node, but=node)

    def _written_out(
        self, node: ast.expr, *, but: ast.expr | None = None
    ) -> ast.Dict | ast.Call | None:
        """A mapping that is written out, under a name too, all uses of which only read it, but for one."""
        own = self._as_table(node)
        if own is not None:
            return own
        if isinstance(node, ast.Call):
            return self._given_back(node) if but is not None else None
        held = self._scopes.binding(node) if isinstance(node, ast.Name) else None
        if not isinstance(node, ast.Name) or held is None or held.kind != "set":
            return None
        uses, table = self._scopes.uses(node.id, held.scope), self._as_table(held.node)
        if table is None or uses is None:
            return None
        return table if all(use is but or self._is_read(use) for use in uses) else None

    def _with_items(self, node: ast.expr) -> ast.Dict | None:
        """A mapping with the items that `name["key"] = value` gives it between its own statement and the use."""
        held = self._scopes.binding(node) if isinstance(node, ast.Name) else None
        if not isinstance(node, ast.Name) or held is None or held.kind != "set":
            return None
        table = self._table(self._as_table(held.node))
        own, scope = self._scopes.parent(held.node), held.scope
        if table is None or own is None or self._scopes.scope(node) is not scope:
            return None
        home, last = self._scopes.parent(own), self._statement_in(node, self._scopes.parent(own))
        items: dict[str, tuple[ast.expr, ast.expr]] = {}
        for key, value in zip(table.keys, table.values, strict=True):
            if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
                return None
            items[key.value] = key, value
        others = [use for use in self._scopes.uses(node.id, scope) or () if use is not node]
        for use in sorted(others, key=lambda one: one.lineno):
            if self._is_read(use):
                continue
            given = self._scopes.parent(use)
            statement = None if given is None else self._scopes.parent(given)
            if not isinstance(given, ast.Subscript) or not isinstance(statement, ast.Assign):
                return None
            key = given.slice
            is_between = (
                statement.targets == [given]
                and self._scopes.parent(statement) is home
                and isinstance(home, (ast.Module, ast.FunctionDef))
                and isinstance(last, ast.stmt)
                and table.lineno < statement.lineno < last.lineno
            )
            if not is_between or not isinstance(key, ast.Constant) or type(key.value) is not str:
                return None
            items[key.value] = key, statement.value
        keys, values = zip(*items.values(), strict=True) if items else ((), ())
        return ast.copy_location(ast.Dict(list(keys), list(values)), table)

    def _statement_in(self, node: ast.AST, home: ast.AST | None) -> ast.AST | None:
        """The statement of a block that a node is a part of."""
        at: ast.AST | None = node
        while at is not None and self._scopes.parent(at) is not home:
            at = self._scopes.parent(at)
        return at

    def _as_table(self, node: ast.AST) -> ast.Dict | ast.Call | None:
        """A node that is a mapping in braces, or `dict(a=1)`."""
        if isinstance(node, ast.Dict):
            return node
        if not isinstance(node, ast.Call) or node.args or not isinstance(node.func, ast.Name):
            return None
        is_dict = node.func.id == "dict" and self._scopes.is_builtin(node.func)
        return node if is_dict and all(one.arg is not None for one in node.keywords) else None

    def _table(self, node: ast.Dict | ast.Call | None) -> ast.Dict | None:
        """A mapping as if it were in braces."""
        if not isinstance(node, ast.Call):
            return node
        keys: list[ast.expr | None] = [_name_of(one) for one in node.keywords]
        return ast.copy_location(ast.Dict(keys, [one.value for one in node.keywords]), node)

    def _given_back(self, call: ast.Call) -> ast.Dict | ast.Call | None:
        """The mapping that a function of the program makes anew in each call, and gives back."""
        function = self._scopes.function(call.func)
        given = None if function is None else self._scopes.returned(function)
        if function is None or given is None:
            return None
        own = self._as_table(given)
        if own is not None:
            return own
        held = self._scopes.binding(given) if isinstance(given, ast.Name) else None
        if held is None or held.scope is not self._scopes.inner(function):
            return None
        return self._written_out(given, but=given)

    def _is_read(self, use: ast.Name) -> bool:
        """Whether a use of a mapping takes something out, and leaves it as it is, with all that is in it."""
        node: ast.AST = use
        while True:
            parent = self._scopes.parent(node)
            if isinstance(parent, ast.Subscript) and parent.value is node:
                if not isinstance(parent.ctx, ast.Load):
                    return False
                node = parent
                continue
            if isinstance(parent, ast.Attribute):
                call = self._scopes.parent(parent)
                if parent.attr not in _READING or not isinstance(call, ast.Call):
                    return False
                if call.func is not parent:
                    return False
                node = call
                continue
            break
        if node is not use:
            return True
        return isinstance(parent, ast.keyword) and parent.arg is None


def _name_of(keyword: ast.keyword) -> ast.Constant:
    """The name of a keyword as a key in its place."""
    text = str(keyword.arg)
    name = ast.copy_location(ast.Constant(text), keyword)
    name.end_lineno = keyword.lineno
    name.end_col_offset = keyword.col_offset + len(text.encode())
    return name

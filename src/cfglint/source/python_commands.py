"""The commands that a program starts: lists of words, and texts for a shell. Nothing is run.

`subprocess.run(["launch", "train.py", "--lr", str(lr)])`, `cmd = [...]; cmd += [...]; run(cmd)`, `os.system(f"launch {path}")`.
A list is followed from statement to statement. What a branch or a loop adds is there in some runs alone; what is
computed is not known.
"""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache

from cfglint.base.lazy import lazy_pattern
from cfglint.base.record import Record
from cfglint.source.command_values import (
    MAX_ALTERNATIVES,
    MAX_WORDS,
    OPEN,
    CommandValues,
    Items,
    is_text,
    plain_name,
)
from cfglint.source.python_names import Names, last_name
from cfglint.source.python_nodes import children
from cfglint.source.python_program import PythonProgram, program_of
from cfglint.source.shell_values import ExpandedWord
from cfglint.source.starting_programs import starts_others

#: Functions that are handed a command, by a part of their name.
_RUNNING = lazy_pattern(
    r"(?i)run|exec|system|popen|call|cmd|command|launch|spawn|shell|check_output|^(?:ba)?sh$"
)
#: Those of them that may change a list that they are handed, and functions that do not.
_CHANGING = lazy_pattern(r"(?i)(?:^|_)(?:add|append|extend|set|insert|update)(?:_|$)")
_READING = lazy_pattern(
    r"^(?:print|len|str|repr|join|list|tuple|quote|dumps|write|log|debug|info|warning|error)$"
)
#: Methods that add to a list, and others that change it.
_ADDING = frozenset({"append", "extend"})
_ALTERING = frozenset({"insert", "pop", "remove", "clear", "reverse", "sort"})
#: What makes a list of something else, or a text of a list.
_DIVIDING = frozenset({"split", "list", "join"})
_WITH_BLOCKS = (
    *(ast.If, ast.For, ast.AsyncFor, ast.While, ast.Try, ast.Match, ast.With, ast.AsyncWith),
)
#: The parts of these that are blocks, and not in front of them.
_IN_BLOCKS = (ast.stmt, ast.ExceptHandler, ast.match_case)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
#: No real program has as many commands.
_MAX_COMMANDS = 400
#: Of the lists that a function has at a time, the last ones are followed.
_MAX_NAMES = 40
#: Deeper blocks are not looked into.
_MAX_DEPTH = 20

#: Name -> the lists that it may be.
_State = dict[str, tuple[Items, ...]]


class ProgramCommand(Record):
    """A command of a program."""

    #: Its words, each with the number of the branch that adds it; 0 for those that are always there.
    items: Items

    @property
    def branches(self) -> tuple[int, ...]:
        """The branches that add words."""
        return tuple(dict.fromkeys(item.branch for item in self.items if item.branch))

    def words(self, branch: int = 0) -> list[ExpandedWord]:
        """The words that are always there, with those of one branch, and a word that may be any in place of each other one's."""
        found: list[ExpandedWord] = []
        before = 0
        for word, of in self.items:
            if of in (0, branch):
                found.append(word)
            elif of != before:
                found.append(ExpandedWord(OPEN, word.start, word.end, True, True))
            before = of
        return found


def command_around(text: str, at: int) -> list[ExpandedWord]:
    """The words of the command of which one is at a place in a program's text; none where there is none."""
    places = _places_in(text)
    number = bisect_right(places, (at, len(text), len(places))) - 1
    if number < 0 or places[number][1] <= at:
        return []
    command, branch = _items_in(text)[places[number][2]]
    return command.words(branch)


@lru_cache(maxsize=16)
def _items_in(text: str) -> list[tuple[ProgramCommand, int]]:
    """The commands that the words of a program's commands are in, and the branches that add them."""
    return [(one, item.branch) for one in commands_of(text) for item in one.items]


@lru_cache(maxsize=16)
def _places_in(text: str) -> list[tuple[int, int, int]]:
    """Where these words begin and end, in the order of the text, and their numbers; the first of several in one place."""
    found: dict[tuple[int, int], int] = {}
    words = (item.word for command in commands_of(text) for item in command.items)
    for number, word in enumerate(words):
        if not word.many:
            found.setdefault((word.start, word.end), number)
    return sorted((*place, number) for place, number in found.items())


@lru_cache(maxsize=16)
def commands_of(text: str) -> tuple[ProgramCommand, ...]:
    """The commands of the program that a text is, in its order; none for what is no Python."""
    if not starts_others(text):
        return ()
    program = program_of(text)
    if program.tree is None or program.pieces:
        return ()  # a notebook has no places for the parts of a text
    found = _Commands(program, program.names)
    found.look_through(program.tree)
    return tuple(_each_once(found.commands))


def _each_once(commands: list[Items]) -> Iterator[ProgramCommand]:
    """The commands in the order of their first words, without those that are a part of another one."""
    places = [frozenset(word[1:3] for word, _ in items) for items in commands]
    owners: dict[tuple[int, int], set[int]] = {}
    for number, own in enumerate(places):
        for place in own:
            owners.setdefault(place, set()).add(number)
    kept = []
    for number, own in enumerate(places):
        rarest = min((owners[place] for place in own), key=len)
        if not any(
            places[other] > own or (places[other] == own and other < number) for other in rarest
        ):
            kept.append(commands[number])
    kept.sort(key=lambda items: items[0].word[1:3])
    yield from map(ProgramCommand, kept)


class _Commands:
    """Goes through a program once, block by block."""

    def __init__(self, program: PythonProgram, names: Names) -> None:
        self.commands: list[Items] = []
        self._names = names
        self._values = CommandValues(program, names)
        self._branches = 0
        #: The names of lists that are joined to a text, and of what functions are handed to run.
        self._joined: set[str] = set()
        self._handed: set[str] = set()

    def look_through(self, tree: ast.Module) -> None:
        """Collect the commands of a program."""
        for node in self._names.nodes:
            if isinstance(node, ast.Call) and node.args:
                name = last_name(node.func)
                if name == "join":
                    self._joined.add(plain_name(node.args[0]))
                elif name == "split" or _RUNNING.search(name):
                    self._handed.update(map(plain_name, node.args[:2]))
            if isinstance(node, ast.Attribute) and node.attr in _ADDING | _ALTERING:
                self._values.changed.add(plain_name(node.value))
        waiting: list[tuple[ast.AST, tuple[int, ...]]] = [(tree, ())]
        while waiting:
            node, scope = waiting.pop()
            assert isinstance(node, (ast.Module, *_SCOPES))
            inner = scope if isinstance(node, ast.Module) else (*scope, id(node))
            below: list[ast.AST] = []
            state: _State = {}
            self._block(node.body, state, inner, below, 0)
            for name, lists in state.items():
                self._finish(name, lists)
            waiting += [(one, inner) for one in below]

    def _finish(self, name: str, lists: tuple[Items, ...]) -> None:
        """Keep the lists that a name has."""
        for items in lists:
            # One that is handed over as a list is joined for a message.
            if name in self._joined and name not in self._handed:
                items = tuple(self._values.divided(items))
            self._keep(items)

    def _keep(self, items: Items) -> None:
        if len(items) > 1 and len(self.commands) < _MAX_COMMANDS:
            self.commands.append(items)

    def _block(
        self,
        statements: list[ast.stmt],
        state: _State,
        scope: tuple[int, ...],
        below: list[ast.AST],
        depth: int,
    ) -> None:
        """Follow the statements of a block; `below` gets the functions and classes in it."""
        for statement in statements:
            if isinstance(statement, _SCOPES):
                below.append(statement)
            elif isinstance(statement, _WITH_BLOCKS):
                heads = [one for one in children(statement) if not isinstance(one, _IN_BLOCKS)]
                self._look_into(heads, state, scope)
                if depth == _MAX_DEPTH:
                    continue
                if isinstance(statement, (ast.With, ast.AsyncWith)):
                    self._block(statement.body, state, scope, below, depth + 1)
                else:
                    self._branching(statement, state, scope, below, depth + 1)
            else:
                self._statement(statement, state, scope)

    def _branching(
        self,
        statement: ast.stmt,
        state: _State,
        scope: tuple[int, ...],
        below: list[ast.AST],
        depth: int,
    ) -> None:
        sure: list[list[ast.stmt]] = []
        branches: list[list[ast.stmt]] = []
        if isinstance(statement, ast.Try):
            sure = [statement.body, statement.orelse, statement.finalbody]
            branches = [handler.body for handler in statement.handlers]
        elif isinstance(statement, ast.Match):
            branches = [case.body for case in statement.cases]
        else:
            assert isinstance(statement, (ast.If, ast.For, ast.AsyncFor, ast.While))
            branches = [statement.body, statement.orelse]
        if sure:
            self._block(sure[0], state, scope, below, depth)
        ends = []
        for branch in branches:
            after = dict(state)
            self._block(branch, after, scope, below, depth)
            ends.append(after)
        self._merge(state, ends)
        for block in sure[1:]:
            self._block(block, state, scope, below, depth)

    def _merge(self, state: _State, ends: list[_State]) -> None:
        """What names may be behind a branching, of which the state has what they are before it."""
        for name in dict.fromkeys(name for end in ends for name in end):
            before = state.get(name, ())
            changed = [end[name] for end in ends if end.get(name, before) is not before]
            if not changed:
                continue
            if len(before) == 1 and all(_extends(one, before[0]) for one in changed):
                items = list(before[0])
                for one in changed:
                    items += self._of_branch(one[0][len(before[0]) :])
                state[name] = (tuple(items[:MAX_WORDS]),)
                continue
            kept = before if len(changed) < len(ends) else ()
            every = (*kept, *(items for one in changed for items in one))
            if len(every) > MAX_ALTERNATIVES:
                self._finish(name, every[MAX_ALTERNATIVES:])
            state[name] = tuple(dict.fromkeys(every))[:MAX_ALTERNATIVES]

    def _of_branch(self, items: Items) -> Items:
        """The words that a branch adds."""
        self._branches += 1
        return tuple(one._replace(branch=one.branch or self._branches) for one in items)

    def _statement(self, statement: ast.stmt, state: _State, scope: tuple[int, ...]) -> None:
        """Follow a statement that has no others in it."""
        target, value, adds = _given(statement)
        if not target or value is None:
            self._look_into(children(statement), state, scope)
            self._leave_open(statement, state)
            return
        if is_text(value) and not (target in self._handed or adds):
            return  # it may be anything
        single = adds == "append"
        found = self._values.lists(value, state, scope, single=single, adds=bool(adds))
        if adds:
            before = state.get(target)
            if before is not None:
                more = found if found is not None else (self._values.unknown(value),)
                state[target] = tuple(
                    (*one, *other)[:MAX_WORDS] for one in before for other in more
                )[:MAX_ALTERNATIVES]
            return
        called = value.args if found is None and isinstance(value, ast.Call) else ()
        if target in state and any(plain_name(one) == target for one in called):
            self._add_unknown(target, value, state)
            return
        if target in state:
            own = any(isinstance(one, ast.Name) and one.id == target for one in ast.walk(value))
            if not own:
                self._finish(target, state[target])
            del state[target]
        if found is None or isinstance(value, (ast.List, ast.Tuple)):
            below = children(value) if found is not None else children(statement)
            self._look_into(below, state, scope)
        if found is not None:
            state[target] = found[:MAX_ALTERNATIVES]
            if len(state) > _MAX_NAMES:
                first = next(iter(state))
                self._finish(first, state.pop(first))

    def _leave_open(self, statement: ast.stmt, state: _State) -> None:
        """Add any words to the lists that a statement may change in a way that is not followed."""
        call = statement.value if isinstance(statement, ast.Expr) else None
        if not isinstance(call, ast.Call):
            return
        function = call.func
        if isinstance(function, ast.Attribute) and function.attr in _ALTERING:
            self._add_unknown(plain_name(function.value), call, state)
        name = last_name(function)
        if _READING.search(name) or (_RUNNING.search(name) and not _CHANGING.search(name)):
            return
        for one in call.args:
            self._add_unknown(plain_name(one), call, state)

    def _add_unknown(self, name: str, node: ast.expr, state: _State) -> None:
        if name in state:
            more = self._values.unknown(node)
            state[name] = tuple((*items, *more)[:MAX_WORDS] for items in state[name])

    def _look_into(self, nodes: Sequence[ast.AST], state: _State, scope: tuple[int, ...]) -> None:
        """Keep the commands that some expressions have in place."""
        waiting: list[ast.AST] = list(reversed(nodes))
        while waiting:
            node = waiting.pop()
            if isinstance(node, ast.Call):
                runs = _RUNNING.search(last_name(node.func)) is not None
                taken = [one for one in node.args[:2] if self._is_command(one, state, scope, runs)]
                left = [one for one in children(node) if not any(one is each for each in taken)]
                inner = [one for each in taken for one in children(each)]
                waiting += reversed([*left, *inner])
                continue
            if isinstance(node, ast.List):
                self._is_command(node, state, scope, runs=False)
            waiting += reversed(children(node))

    def _is_command(
        self, node: ast.expr, state: _State, scope: tuple[int, ...], runs: bool
    ) -> bool:
        """Whether an argument is a command that is written in place, which is kept."""
        in_place = isinstance(node, (ast.List, ast.BinOp)) or (
            runs
            and (
                isinstance(node, (ast.Constant, ast.JoinedStr))
                or (isinstance(node, ast.Call) and last_name(node.func) in _DIVIDING)
            )
        )
        found = self._values.lists(node, state, scope) if in_place else None
        for items in found or ():
            self._keep(items)
        return found is not None


def _extends(lists: tuple[Items, ...], before: Items) -> bool:
    """Whether a list begins as it was before."""
    return len(lists) == 1 and lists[0][: len(before)] == before


def _given(statement: ast.stmt) -> tuple[str, ast.expr | None, str]:
    """(name, what it is given, how that is added to what it has; empty in place of it)."""
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        return plain_name(statement.targets[0]), statement.value, ""
    if isinstance(statement, ast.AnnAssign):
        return plain_name(statement.target), statement.value, ""
    if isinstance(statement, ast.AugAssign) and isinstance(statement.op, ast.Add):
        return plain_name(statement.target), statement.value, "extend"
    call = statement.value if isinstance(statement, ast.Expr) else None
    if not isinstance(call, ast.Call) or len(call.args) != 1:
        return "", None, ""
    function = call.func
    if not isinstance(function, ast.Attribute) or function.attr not in _ADDING:
        return "", None, ""
    return plain_name(function.value), call.args[0], function.attr

"""The tokenizer of a program that has one alone, and its token for padding."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cached_property

from cfglint.base.lazy import lazy_pattern
from cfglint.base.record import NamedTuple
from cfglint.base.type_names import Final, Literal
from cfglint.checks.context import CheckContext
from cfglint.frameworks.trl_programs.given_calls import GivenCalls, keywords_of
from cfglint.frameworks.trl_programs.rows.looked_at import only_looks
from cfglint.knowledge.rules.knowledge import load_knowledge
from cfglint.source.python_names import last_name

_LOAD: Final = "from_pretrained"
_PAD: Final = frozenset({"pad_token", "pad_token_id"})
_END: Final = frozenset({"eos_token", "eos_token_id"})
_ADD: Final = frozenset({"add_special_tokens", "add_tokens"})
#: Names of models whose tokenizer ends a text as their chat template ends an answer.
_OF_CHATS: Final = lazy_pattern(
    r"(?i)^(?:meta-llama|mistralai|qwen|codellama|tinyllama|huggingfacetb)/.*-(?:instruct|chat)\b"
)
#: What pads the rows that it is called with, or makes batches of rows.
_COLLATORS: Final = frozenset(
    {
        *("transformers.DataCollatorForLanguageModeling", "transformers.DataCollatorWithPadding"),
        *("transformers.DataCollatorForSeq2Seq", "transformers.DataCollatorForTokenClassification"),
    }
)
#: What leaves a tokenizer as it is.
_KNOWN: Final = ("transformers.", "trl.", "peft.", "datasets.", "functools.")
_HARMLESS: Final = frozenset(
    {"len", "print", "type", "isinstance", "hasattr", "getattr", "map", "dict"}
)
WHOLE: Final = "max_length"
PADS: Final = frozenset({True, "longest", WHOLE})
#: A program with one of these gives its tokenizer, or its model, tokens in other ways.
_OTHERWISE: Final = (
    "setattr(",
    "chat_format",
    "clone_chat_template",
    "smart_tokenizer",
    "tokenizer_config",
)


class Padding(NamedTuple):
    """What gives a tokenizer its token for padding."""

    node: ast.expr
    #: Whether it is the one that ends a text, a new one, or something else.
    kind: Literal["end", "new", "other"]
    #: Whether it is only given to a tokenizer that has none.
    if_missing: bool


class Tokenizer:
    """The only tokenizer of a program.

    Args:
        load: the call that loads it.
        model: the name of the model that it is of; empty if that is not certain.
    """

    def __init__(self, program: GivenCalls, load: ast.Call, model: str) -> None:
        self.load = load
        self.model = model
        self.paddings = list(_paddings(program))

    @cached_property
    def _tokens(self) -> Mapping[str, str | None]:
        """The tokens with a meaning that the model is published with; none if these are not known."""
        owner, _, name = self.model.rpartition("/")
        known = load_knowledge("trl").model(name) or {}
        published = str(known.get("example", "")).rpartition("/")[0]
        tokens: Mapping[str, str | None] = known.get("tokens") or {}
        return tokens if owner == published or (not owner and name.startswith("gpt2")) else {}

    @property
    def has_no_padding(self) -> bool:
        """Whether its model surely is published without a token for padding."""
        return "pad" in self._tokens and self._tokens["pad"] is None

    @property
    def ends_answers(self) -> bool:
        """Whether its chat template surely ends an answer with the token that ends a text."""
        return bool(self._tokens.get("eos_chat")) and _OF_CHATS.search(self.model) is not None

    @property
    def ends_with_padding(self) -> Padding | None:
        """What surely makes the token that ends a text the one for padding."""
        if not self.paddings or any(one.kind != "end" for one in self.paddings):
            return None
        sure = (one for one in self.paddings if self.has_no_padding or not one.if_missing)
        return next(sure, None)


def only_tokenizer(program: GivenCalls, ctx: CheckContext) -> Tokenizer | None:
    """The tokenizer that all of a program is about; None if there are several, or none that it loads itself."""
    if any(word in ctx.document.text for word in _OTHERWISE):
        return None
    loads = [call for call in program.names.calls if _is_load(call)]
    if len({ast.dump(call) for call in loads}) != 1:
        return None
    given = keywords_of(loads[0])
    if given is None or not _PAD.isdisjoint(given) or _is_handed_on(loads[0], program, ctx):
        return None
    named = given.get("pretrained_model_name_or_path", loads[0].args[0] if loads[0].args else None)
    model = program.value(named, loads[0])
    return Tokenizer(program, loads[0], model if isinstance(model, str) else "")


def _is_handed_on(load: ast.Call, program: GivenCalls, ctx: CheckContext) -> bool:
    """Whether a function of another module, which may give it tokens, gets the tokenizer."""
    parent = program.scopes.parent(load)
    target = parent.targets[0] if isinstance(parent, ast.Assign) else None
    name = target.id if isinstance(target, ast.Name) else ""
    for call in program.names.calls:
        values = (*call.args, *(word.value for word in call.keywords))
        if not any(isinstance(one, ast.Name) and one.id == name for one in values):
            continue
        origin = program.names.imported(call.func) or ""
        is_own = isinstance(call.func, ast.Name) and program.scopes.function(call.func) is not None
        if is_own or origin.startswith(_KNOWN) or last_name(call.func) in _HARMLESS:
            continue
        if not only_looks(call, name, origin, ctx):
            return True
    return False


def _is_load(call: ast.Call) -> bool:
    method = call.func
    if not isinstance(method, ast.Attribute) or method.attr != _LOAD:
        return False
    return "Tokenizer" in last_name(method.value) or "Processor" in last_name(method.value)


def _paddings(program: GivenCalls) -> Iterator[Padding]:
    """All that gives something a token for padding, in no order."""
    for node in program.names.nodes:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if (
                    isinstance(target, ast.Attribute)
                    and target.attr in _PAD
                    and not _is_config(target)
                ):
                    is_end = last_name(node.value) in _END
                    yield Padding(target, "end" if is_end else "other", _if_missing(node, program))
        elif isinstance(node, ast.Call) and last_name(node.func) in _ADD:
            yield Padding(node, "new" if _is_new(node) else "other", _if_missing(node, program))


def _is_config(target: ast.Attribute) -> bool:
    """`model.config.pad_token_id`, which is nothing of the tokenizer."""
    holder = last_name(target.value)
    return "config" in holder or holder in ("model", "self", "args")


def _is_new(call: ast.Call) -> bool:
    """`add_special_tokens({"pad_token": "[PAD]"})`, with a token that none of the known tokenizers has."""
    table = call.args[0] if len(call.args) == 1 else None
    if not isinstance(table, ast.Dict) or len(table.keys) != 1:
        return False
    key, value = table.keys[0], table.values[0]
    is_padding = isinstance(key, ast.Constant) and key.value == "pad_token"
    return (
        is_padding
        and isinstance(value, ast.Constant)
        and value.value in ("[PAD]", "<pad>", "<PAD>", "<|pad|>")
    )


def _if_missing(node: ast.AST, program: GivenCalls) -> bool:
    """Whether something only runs in a branch."""
    parent = program.scopes.parent(node)
    while parent is not None and not isinstance(parent, (ast.FunctionDef, ast.Module)):
        if isinstance(parent, (ast.If, ast.Try, ast.For, ast.While, ast.IfExp)):
            return True
        parent = program.scopes.parent(parent)
    return False


def is_padding(call: ast.Call, program: GivenCalls) -> bool:
    """Whether a call surely pads rows: one of the tokenizer, or of what makes batches with it."""
    given = keywords_of(call)
    if given is None:
        return False
    value = program.value(given.get("padding"), call)
    if program.names.imported(call.func) in _COLLATORS:
        return "padding" not in given or (isinstance(value, (bool, str)) and value in PADS)
    is_tokenizer = "tokeniz" in last_name(call.func).lower() and isinstance(
        call.func, (ast.Name, ast.Attribute)
    )
    return is_tokenizer and pads(value, given)


def pads(value: object, given: Mapping[str, ast.expr]) -> bool:
    """Whether a value of `padding` surely pads: many tokenizers have no length of their own, and leave rows as they are then.

    Args:
        given: the keywords beside it.
    """
    if value == WHOLE and "max_length" not in given:
        return False
    return isinstance(value, (bool, str)) and value in PADS

"""Values that the framework's reader refuses: their type, their choice, their range."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from functools import lru_cache
from itertools import takewhile

from cfglint.base.shortened import shortened
from cfglint.base.spelling import Guess
from cfglint.base.type_names import TYPE_CHECKING, Any
from cfglint.checks.context import Check, CheckContext, Hit, Repair, rests_on_another_copy
from cfglint.checks.later_releases import is_without, package_of
from cfglint.checks.meant_numbers import meant_number
from cfglint.checks.written_keys import file_keys
from cfglint.diagnostic import ANY, SEVERITIES, SeverityName
from cfglint.fixes.actions import Action, DeleteKey, RewriteScalar, SetValue
from cfglint.knowledge.keys.judges import BOUNDS, alternatives
from cfglint.knowledge.keys.release_keys import Schema
from cfglint.roles.key_policy import WrittenKey
from cfglint.source.document import Scalar, format_path
from cfglint.source.values import is_placeholder

if TYPE_CHECKING:
    from cfglint.base.spelling import Speller

#: What is left of `qwen2.5` behind `qwen`.
_VERSION = re.compile(r"[-_.v]?\d[\d._-]{0,9}")
#: What may be an item of a list without quotes.
_PLAIN = re.compile(r"[A-Za-z_][\w./-]*")
#: A longer text is not written as a list.
_LONGEST_LIST = 200
#: What comes of a part of a step that no reader refuses.
_NONE = "nothing refuses this, and less than one step is none"
#: A message does not list more of the words that a key takes.
_SHOWN_CHOICES = 8


def wrong_type(ctx: CheckContext) -> Iterator[Hit]:
    """A value of a type that the key does not accept."""
    for key, schema, value in file_keys(ctx).refused:
        if schema.takes(value) or _has_own_rule(ctx, key, schema):
            continue
        if isinstance(value, str) and schema.offers():
            continue  # a misspelt choice
        placeholder = isinstance(value, str) and is_placeholder(value)
        if placeholder and "template" in ctx.around.path.rpartition("/")[2].lower():
            continue  # a script fills it in, as the file's name says
        is_scalar = isinstance(key.entry.value.target(), Scalar)
        repairs = _repairs(ctx, key, schema, value) if is_scalar else ()
        refuses = schema.refuses(value)
        refusal = ctx.framework.key_policy.refusal if refuses else schema.judge.unexamined
        share = _key_of_shares(ctx, key, value)
        params = {
            "key": format_path(key.path),
            "wanted": wanted_words(schema),
            "found": found_words(value) if value is not None else schema.judge.null,
            "hint": f" A share of all steps is `{share}`." if share else "",
            "outcome": _NONE if share and not refuses else f"the run does not start{refusal}",
        }
        yield Hit(
            key.path,
            key.entry.span,
            params,
            repairs=repairs,
            severity="warning" if placeholder or (not refuses and _may_do(value, schema)) else None,
            upstream=None if refuses else "silent",
        )


def _key_of_shares(ctx: CheckContext, key: WrittenKey, value: Any) -> str:
    """The key that takes a part of all steps, where one that counts steps has less than one; empty if there is none."""
    stem, ending, _ = key.name.rpartition("_steps")
    if not ending or not isinstance(value, float) or not 0 < value < 1:
        return ""
    share = f"{stem}_ratio"
    info = ctx.framework.keys.info(key.section, share)
    return share if info is not None and ctx.release_keys.has(info) else ""


def _may_do(value: Any, schema: Schema) -> bool:
    """Whether a run may do with a value of a wrong type: nothing reads it, or it counts with a part of a step as well."""
    is_fraction = isinstance(value, float) and "int" in schema.kinds
    return schema.judge.may_be_ignored or is_fraction


def _repairs(ctx: CheckContext, key: WrittenKey, schema: Schema, value: Any) -> tuple[Repair, ...]:
    """What a value of a wrong type may be meant to be."""
    node = key.entry.value.target()
    assert isinstance(node, Scalar)
    if value is False and node.text.lower() == "false":
        # A text "false" would be a path or a name; what is meant is that there is none.
        return (Repair("Delete it", "unsafe", (DeleteKey(key.path),)),)
    number = _number_repair(key, schema, value)
    if number is not None:
        return (number,)
    listed = _list_repair(ctx, key, schema, value)
    if listed is not None:
        return (listed,)
    is_bare = not node.style and node.text and (node.value is not None or not is_json(ctx))
    if not is_bare or "str" not in schema.kinds:
        return ()
    safety = "unsafe" if isinstance(value, bool) else "safe"
    return (Repair("Quote it", safety, (RewriteScalar(key.path, f'"{node.text}"'),)),)


def _list_repair(ctx: CheckContext, key: WrittenKey, schema: Schema, value: Any) -> Repair | None:
    """The list that a single value, or several with commas between them, was evidently meant to be."""
    if ctx.document.language.structure not in ("indentation", "brackets"):
        return None
    node = key.entry.value.target()
    items = [value]
    if isinstance(value, str):
        if not value or len(value) > _LONGEST_LIST or is_placeholder(value):
            return None
        items = [part.strip() for part in value.split(",")]
    if not all(items) or not schema.takes(items):
        return None
    if is_json(ctx):
        return Repair("Write it as a list", "safe", (SetValue(key.path, items),))
    assert isinstance(node, Scalar)
    if len(items) == 1:
        literal = f"[{ctx.document.text[node.start : node.end]}]"
    elif not node.style and all(_PLAIN.fullmatch(item) for item in items):
        literal = f"[{', '.join(items)}]"
    else:
        return None
    # Blanks may be of a sentence.
    is_sure = not isinstance(value, str) or " " not in value.replace(", ", ",")
    return Repair(
        f"Write {literal}", "safe" if is_sure else "unsafe", (RewriteScalar(key.path, literal),)
    )


def _number_repair(key: WrittenKey, schema: Schema, value: Any) -> Repair | None:
    """The number that a text was evidently meant to be."""
    number = meant_number(value, key.name, schema) if isinstance(value, str) else None
    if number is None or number == value:
        return None
    return Repair(f"Write {number}", "unsafe", (RewriteScalar(key.path, number),))


def meant_repair(ctx: CheckContext, key: WrittenKey, schema: Schema, value: Any) -> Repair | None:
    """The word or the number that a refused text was evidently meant to be; None if nothing tells."""
    if not isinstance(value, str) or not isinstance(key.entry.value.target(), Scalar):
        return None
    if not schema.offers():
        return _number_repair(key, schema, value)
    choices = key.verdict.own_words or tuple(map(str, schema.choices))
    return _word_repair(ctx, key, value, _newer_word(key, schema), _guess(value, choices))


def _word_repair(
    ctx: CheckContext, key: WrittenKey, value: str, newer: str | None, guess: Guess | None
) -> Repair | None:
    """The choice that was meant: a word's newer name, or the one that is spelled alike."""
    word = newer or (guess.name if guess is not None else None)
    if word is None:
        return None
    sure = newer or word.lower() == value.lower() or (guess is not None and guess.sure)
    safety = "safe" if sure else "unsafe"
    action: Action = (SetValue if is_json(ctx) else RewriteScalar)(key.path, word)
    # The right word may bring to light what the slip hid.
    return Repair(f"Write {word}", safety, (action,), (ANY,) if sure else ())


def unknown_choice(ctx: CheckContext) -> Iterator[Hit]:
    """A word that is not one of the key's choices."""
    for key, schema, value in file_keys(ctx).refused:
        if not isinstance(value, str) or not schema.offers() or schema.takes(value):
            continue
        own = key.verdict.own_words
        choices = own or tuple(str(choice) for choice in schema.choices)
        since = (
            ctx.framework.keys.choice_since(key.section, key.name, value, ctx.release_keys.released)
            if not own
            else None
        )
        if since is not None and (rests_on_another_copy(ctx) or not is_without(ctx, since)):
            continue
        guess = _guess(value, choices) if since is None else None
        taken = not own and _was_taken(ctx, key, value, is_slip=guess is not None)
        if guess is not None and not guess.sure and taken:
            guess = None  # a word that is gone has become what the release says, and not what is spelled alike
        newer = _newer_word(key, schema)
        repair = _word_repair(ctx, key, value, newer, guess)
        params = {
            "key": format_path(key.path),
            "written": value,
            "choices": wanted_words(schema, value)
            if schema.judge.sees_text and not own
            else _choices(
                ("true", "false", *choices) if "bool" in schema.kinds else choices, value, " or "
            ),
            "hint": _choice_hint(ctx, newer, guess, since, taken=taken),
        }
        refuses = schema.refuses(value)
        params["refusal"] = ctx.framework.key_policy.refusal if refuses else schema.judge.unexamined
        severity = _choice_severity(ctx, schema, value, refuses=refuses, taken=taken)
        yield Hit(
            key.path,
            key.entry.span,
            params,
            repairs=() if repair is None else (repair,),
            severity=severity,
            upstream=None if refuses else "silent",
            later="" if since is None else package_of(ctx, since),
        )


def _choice_hint(
    ctx: CheckContext, newer: str | None, guess: Guess | None, since: str | None, *, taken: bool
) -> str:
    """What to write instead of a word that is not a choice, or since when it is one."""
    if newer is not None:
        return f" Use `{newer}`, which does the same."
    if guess is not None:
        return f" Did you mean `{guess.name}`?"
    if since is not None:
        return f" {ctx.framework.title} accepts it since {since}."
    return " Earlier releases accepted it." if taken else ""


def _choice_severity(
    ctx: CheckContext, schema: Schema, value: str, *, refuses: bool, taken: bool
) -> SeverityName | None:
    """The severity of a word that is not a choice; None for the rule's."""
    if not refuses and schema.judge.may_be_ignored:
        return "warning"
    is_open = taken and (ctx.target.assumed or ctx.target.placed)
    if refuses and is_open and not is_placeholder(value):
        # The release that runs may accept the word; the newest one refuses the file.
        newest = ctx.framework.key_policy.refused_by_newest
        return min("warning", newest, key=SEVERITIES.index)
    return "warning" if is_open or is_placeholder(value) else None


def _was_taken(ctx: CheckContext, key: WrittenKey, value: str, *, is_slip: bool) -> bool:
    """Whether a release up to the target's took a word; one that took any text took slips, too."""
    keys, released = ctx.framework.keys, ctx.release_keys.released
    if keys.has_offered(key.section, key.name, value, released):
        return True
    return not is_slip and keys.took_any_text(key.section, key.name, released)


def _newer_word(key: WrittenKey, schema: Schema) -> str | None:
    """What the release calls a word that older ones accept; None unless it has that name."""
    newer = key.verdict.newer_word
    return newer if newer is not None and schema.takes(newer) else None


def out_of_range(ctx: CheckContext) -> Iterator[Hit]:
    """A number outside the bounds of its key."""
    for key, schema, value in file_keys(ctx).refused:
        broken = schema.broken_bound(value)
        if broken is not None:
            name, limit = broken
            if name == "min_length":
                bound = (
                    f"{schema.judge.names[type(value).__name__]}, not empty"
                    if limit == 1
                    else "longer"
                )
            else:
                bound = f"{BOUNDS[name][1]} {limit}"
            params = {"key": format_path(key.path), "written": value, "bound": bound}
            yield Hit(key.path, key.entry.span, params)


def is_json(ctx: CheckContext) -> bool:
    """Whether texts need quotes, as every text in the file has them."""
    return ctx.document.language.structure == "brackets"


def _has_own_rule(ctx: CheckContext, key: WrittenKey, schema: Schema) -> bool:
    """Whether the value is one of YAML's traps, which have their own rules and texts."""
    node = key.entry.value.target()
    if ctx.document.language.structure == "calls":
        return False  # a program has its values from a YAML file, and no class converts them
    if not isinstance(node, Scalar) or node.style:
        return False
    if isinstance(node.value, bool):
        if schema.judge.sees_text and not schema.judge.wants_word("|".join(schema.kinds)):
            return False
        return node.text.lower() in ("yes", "no", "on", "off")
    if schema.judge.sees_text:
        return False
    if isinstance(node.value, date):
        return True
    if isinstance(node.value, str):
        wants_number = "int" in schema.kinds or "float" in schema.kinds
        return wants_number and bool(re.fullmatch(r"[-+]?[\d._]+[eE][-+]?\d+", node.text))
    return ":" in node.text


def wanted_words(schema: Schema, written: str = "") -> str:
    """The values that a key accepts, in words; of many choices those that begin like what is written."""
    words = []
    for kind in schema.kinds:
        base = re.split(r"[<:]", kind)[0]
        if base in schema.judge.of_choices and schema.choices:
            words.append(_choices(tuple(str(choice) for choice in schema.choices), written))
        elif base in schema.judge.names:
            words.append(schema.judge.names[base])
    if schema.kinds == ("null",) and schema.judge.sees_text:
        return "a value that no text can stand for"
    return alternatives(words) or "another value"


def _choices(choices: tuple[str, ...], written: str = "", last: str = ", ") -> str:
    """The words that a key accepts; of many those that begin like what is written.

    Args:
        last: the separator before the last word, unless there are too many to list.
    """
    if len(choices) <= _SHOWN_CHOICES + 1:
        return last.join(filter(None, (", ".join(choices[:-1]), *choices[-1:])))
    alike = sorted(choices, key=lambda choice: -_shared_beginning(written, choice))
    others = len(choices) - _SHOWN_CHOICES
    return f"{', '.join(alike[:_SHOWN_CHOICES])} and {others} others"


def _shared_beginning(written: str, choice: str) -> int:
    """How many letters two words begin with in common; one alone says nothing."""
    pairs = zip(written.lower(), choice.lower(), strict=False)
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    return shared if shared > 1 else 0


def found_words(value: Any) -> str:
    """What was found instead, in words."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return f"the number {value}"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, dict):
        return "a mapping"
    text = str(value)
    if is_placeholder(text):
        return f"the placeholder {shortened(text, 40)!r}"
    return f"the text {shortened(text, 40)!r}" if text else "an empty text"


def _guess(value: str, choices: tuple[str, ...]) -> Guess | None:
    """The choice that is meant: one that is spelled alike, or else one of all versions where a version is named."""
    found = _speller(choices).closest(value)
    if found is not None and found.sure:
        return found
    lowered = value.lower()
    general = [one for one in choices if one and lowered.startswith(one.lower())]
    longest = max(general, key=len, default="")
    if longest and _VERSION.fullmatch(lowered, len(longest)):
        return Guess(longest, sure=False)
    return found


@lru_cache(maxsize=64)
def _speller(choices: tuple[str, ...]) -> Speller:
    from cfglint.base.spelling import Speller

    return Speller(choices)


CHECKS: dict[str, Check] = {
    "out-of-range": out_of_range,
    "unknown-choice": unknown_choice,
    "wrong-type": wrong_type,
}

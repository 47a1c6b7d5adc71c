"""Options of the launcher behind the program that it starts, and keywords that a trainer does not take together."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.type_names import TYPE_CHECKING
from cfglint.checks.context import CheckContext, Hit, Repair
from cfglint.diagnostic import Related
from cfglint.fixes.actions import DeleteKey
from cfglint.frameworks.trl.scripts import is_of_launcher, starts_itself

if TYPE_CHECKING:
    from cfglint.frameworks.trl.key_policy import TrlKeyPolicy

#: Two names of one parameter.
OLDER, NEWER = "tokenizer", "processing_class"


def launcher_option_behind_program(ctx: CheckContext) -> Iterator[Hit]:
    """`accelerate launch -m trl.scripts.sft --num_processes 4`: the program gets it, not the launcher."""
    if starts_itself(ctx.document):
        return
    policy: TrlKeyPolicy = ctx.framework.key_policy  # type: ignore[assignment]
    drops = policy.drops_words(ctx)
    for entry in ctx.document.root.entries:
        name = entry.name
        if name is None or not is_of_launcher(name, policy):
            continue
        params = {
            "option": name,
            "effect": "silently ignores it" if drops else "refuses it",
        }
        upstream = "silent" if drops else "rejects"
        yield Hit((name,), entry.span, params, upstream=upstream)


def both_names_of_the_tokenizer(ctx: CheckContext) -> Iterator[Hit]:
    """A keyword under its older and its newer name, both of which the release knows."""
    keys, written = ctx.release_keys, ctx.document.root.lookup
    if all(name in written and keys.standing("", name).ordinary for name in (OLDER, NEWER)):
        related = Related(written[NEWER].span, "the newer name")
        repair = Repair("Remove the older name", "unsafe", (DeleteKey((OLDER,)),))
        yield Hit((OLDER,), written[OLDER].span, {}, (related,), (repair,))


CHECKS = {
    "launcher-option-behind-program": launcher_option_behind_program,
    "both-names-of-the-tokenizer": both_names_of_the_tokenizer,
}

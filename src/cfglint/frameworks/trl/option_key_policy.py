"""What becomes of an option of a program whose parser fills a class: what no class has is refused."""

from __future__ import annotations

from cfglint.base.type_names import TYPE_CHECKING, ClassVar
from cfglint.frameworks.trl.call_key_policy import CallKeyPolicy, is_slip
from cfglint.frameworks.trl.filled_classes import filled_by
from cfglint.frameworks.trl.serving import SERVER, hands_on
from cfglint.knowledge.keys.judges import Judge
from cfglint.knowledge.keys.release_keys import ReleaseKeys
from cfglint.knowledge.keys.word_judge import CLASS_WORDS
from cfglint.roles.key_policy import LEFT_ALONE, UNREAD, Verdict, WrittenKey
from cfglint.roles.scripts import command_of
from cfglint.source.languages.shell import is_frame

if TYPE_CHECKING:
    from cfglint.roles.parts import FileContext


class OptionKeyPolicy(CallKeyPolicy):
    """The fields of a class, as options."""

    values: ClassVar[Judge] = CLASS_WORDS

    @property
    def noun(self) -> str:
        return "a field"

    @property
    def refused_whole(self) -> str:
        return "the command"

    def by_name(self, section: str, name: str, keys: ReleaseKeys) -> Verdict:
        return Verdict(LEFT_ALONE) if is_frame(name) else super().by_name(section, name, keys)

    def standing(self, key: WrittenKey, ctx: FileContext) -> Verdict:
        verdict = super().standing(key, ctx)
        is_handed_on = self.framework.kind == SERVER and hands_on(ctx.target.release)
        if is_handed_on and verdict.state == UNREAD and not is_slip(key, self.framework.keys):
            return Verdict(LEFT_ALONE)  # vLLM may have it
        return verdict

    def _is_unseen(self, key: WrittenKey, ctx: FileContext) -> bool:
        return False  # every word is converted

    def drops_words(self, ctx: FileContext) -> bool:
        """Whether it is not known what the program does with them.

        What TRL's parser drops in some releases is in its file: no release goes on with such a word of the command.
        """
        if self.framework.kind == SERVER:
            return False
        return filled_by(command_of(ctx.document.root), ctx.around) is None

    def refuses(self, key: WrittenKey, ctx: FileContext) -> bool:
        return not self.drops_words(ctx)


ROLE = OptionKeyPolicy

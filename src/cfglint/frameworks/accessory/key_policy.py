"""What becomes of an option in a script of LLaMA2-Accessory."""

from __future__ import annotations

from cfglint.knowledge.keys.release_keys import ReleaseKeys
from cfglint.roles.key_policy import LEFT_ALONE, UNKNOWN_KEY, KeyPolicy, Verdict
from cfglint.source.languages.shell import is_frame


class AccessoryKeyPolicy(KeyPolicy):
    """The options of the program that a script starts."""

    def by_name(self, section: str, name: str, keys: ReleaseKeys) -> Verdict:
        """What starts the program, and further commands of the script, are no options."""
        verdict = super().by_name(section, name, keys)
        is_left = verdict.why == UNKNOWN_KEY and is_frame(name)
        return Verdict(LEFT_ALONE) if is_left else verdict


ROLE = AccessoryKeyPolicy

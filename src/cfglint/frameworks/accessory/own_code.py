"""Whether the project's own copy of a program reads a script's options."""

from __future__ import annotations

from cfglint.base.type_names import TYPE_CHECKING, Any
from cfglint.roles.own_code import OwnCode

if TYPE_CHECKING:
    from cfglint.roles.key_policy import WrittenKey
    from cfglint.roles.parts import FileContext


class AccessoryOwnCode(OwnCode):
    """A program in the project may have options that the last commit's does not have."""

    def has(self, key: WrittenKey, ctx: FileContext) -> bool:
        return self._knows(key.name, ctx)

    def takes(self, key: WrittenKey, value: Any, ctx: FileContext) -> bool:
        return isinstance(value, str) and self._knows(value, ctx)

    def _knows(self, word: str, ctx: FileContext) -> bool:
        kind, around = self.framework.kind, ctx.around
        pin = ctx.target.pins.get(self.framework.packages[0])
        if around.folder is None or not kind or (pin is not None and not pin.in_project):
            return False
        from cfglint.frameworks.accessory.own_copy import options_around

        return word in options_around(kind, around)


ROLE = AccessoryOwnCode

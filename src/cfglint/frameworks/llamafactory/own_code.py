"""Whether a clone or a fork of LLaMA-Factory in the project reads a file."""

from __future__ import annotations

from cfglint.base.logic import plain
from cfglint.base.type_names import TYPE_CHECKING, Any, Final
from cfglint.frameworks.llamafactory.key_policy import UNRELEASED
from cfglint.knowledge.rules.views import written_value
from cfglint.roles.own_code import OwnCode
from cfglint.source.document import Scalar

if TYPE_CHECKING:
    from cfglint.diagnostic import Diagnostic
    from cfglint.roles.key_policy import WrittenKey
    from cfglint.roles.parts import FileContext

#: The sections of the v1 layout that choose a plugin, and the class that its plugins are registered with.
_PLUGINS: Final = {"lr_scheduler_config": "LRSchedulerPlugin", "optim_config": "OptimizerPlugin"}
#: The argument whose values have got other names, and the rule that says so.
_METHOD: Final = "quantization_method"
_METHOD_RENAMED: Final = "LLF011"


class LLaMAFactoryOwnCode(OwnCode):
    """A copy of the package counts unless the user names a release."""

    def has(self, key: WrittenKey, word: Any, ctx: FileContext) -> bool:
        return isinstance(word, str) and self._knows(word, ctx)

    def differs(self, finding: Diagnostic, ctx: FileContext) -> bool:
        """Keys of main (LLF157), the plugins of the v1 layout (LFV010, LFV011), a method's name (LLF011)."""
        name = str(finding.path[0]) if finding.path else ""
        if name == _METHOD and finding.code == _METHOD_RENAMED:
            method = plain(written_value(ctx.document, (name,)))
            return isinstance(method, str) and self._knows(method, ctx)
        if finding.upstream != "rejects":
            return False
        if name in UNRELEASED and not self.framework.kind:
            return self._knows(name, ctx)
        plugin = _PLUGINS.get(name)
        if plugin is None:
            return False
        chosen = ctx.document.node((name, "name"))
        return isinstance(chosen, Scalar) and self._knows(f"{plugin}.{chosen.value}", ctx)

    def _knows(self, word: str, ctx: FileContext) -> bool:
        pin = ctx.target.pins.get(self.framework.packages[0])
        if ctx.around.folder is None or (pin is not None and not pin.in_project):
            return False
        from cfglint.frameworks.llamafactory.own_copy import words_around

        return word in words_around(ctx.around)


ROLE = LLaMAFactoryOwnCode

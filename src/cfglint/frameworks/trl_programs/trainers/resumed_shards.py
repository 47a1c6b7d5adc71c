"""Training loops of one's own that go on from a sharded checkpoint, from which accelerate reads no state of the optimizer."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from cfglint.base.type_names import Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.frameworks.accelerate.launched_fsdp import launched_fsdp, launched_state_dict
from cfglint.frameworks.trl_programs.stated import stated, surely
from cfglint.frameworks.trl_programs.trainers.accelerators import is_method, made_in
from cfglint.source.python_names import last_name
from cfglint.source.python_program import program_of

_LOADS: Final = "load_state"
_PREPARES: Final = "prepare"
_OPTIMIZER: Final = "optim"
_PLUGINS: Final = ("fsdp_plugin", "deepspeed_plugin")
_SHARDED: Final = "SHARDED_STATE_DICT"
#: Version of FSDP -> the releases of accelerate that read nothing.
_READS_NOTHING: Final = {1: ">=1.7.0,<1.16.0", 2: ">=1.6.0,<1.13.0"}
#: And what to do; the first release with FSDP2 takes no other kind of state.
_REMEDIES: Final = {
    1: "Save with `fsdp_state_dict_type: FULL_STATE_DICT`",
    2: "Install accelerate 1.13.0",
}


def moments_lost(ctx: CheckContext) -> Iterator[Hit]:
    """`accelerator.load_state(folder)`, and settings of accelerate that save sharded state."""
    program = program_of(ctx.document.text)
    if program.tree is None:
        return
    names = program.names
    made = made_in(names)
    # A plugin says itself how the state is saved.
    if len(made) != 1 or {one.arg for one in made[0].keywords} & {None, *_PLUGINS}:
        return
    if not any(_prepares_optimizer(one) for one in names.calls):
        return
    call = next((one for one in names.calls if is_method(one, _LOADS)), None)
    if call is None:
        return
    version = launched_fsdp(ctx.around)
    spec = _READS_NOTHING.get(version) if isinstance(version, int) else None
    if spec is None or not surely(ctx, "accelerate", spec):
        return
    if launched_state_dict(ctx.around) == _SHARDED:
        params = {"version": str(version), "way": _REMEDIES[version]}
        params["stated"] = stated(ctx, "accelerate")
        yield Hit((), program.span_of(call.func), params)


def _prepares_optimizer(call: ast.Call) -> bool:
    """Without an optimizer there is no state to lose."""
    return is_method(call, _PREPARES) and any(
        _OPTIMIZER in last_name(one).lower() for one in call.args
    )


CHECKS = {"moments-lost-in-shards": moments_lost}

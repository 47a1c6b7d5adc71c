"""What is missing in the folder of an adapter. Imported only when a config goes on with one."""

from __future__ import annotations

import os
from collections.abc import Iterator

from cfglint.base.shortened import shortened
from cfglint.checks.context import CheckContext, Hit
from cfglint.source.files.nearby import is_in_clone, search
from cfglint.source.values import to_python

#: What Axolotl writes next to the adapter: routers and experts.
_MIXLORA = "mixlora_model.safetensors"


def without_experts(ctx: CheckContext) -> Iterator[Hit]:
    """A checkpoint of MixLoRA without its routers and experts."""
    node, adapter = ctx.document.node(("lora_model_dir",)), ctx.document.node(("adapter",))
    written = to_python(node) if node is not None else None
    if adapter is None or to_python(adapter) != "mixlora" or ctx.around.folder is None:
        return
    if not isinstance(written, str) or not written:
        return
    files = ctx.around.files
    places = search(written, ctx.around.folder, files)
    found = [path for path in places.found if files.is_folder(path)]
    if len(found) != 1 or is_in_clone(os.path.join(found[0], _MIXLORA), found[0], files):
        return
    # Without this file it is not an adapter's folder, and the run ends elsewhere.
    if files.has(os.path.join(found[0], "adapter_config.json")):
        path = ("lora_model_dir",)
        yield Hit(path, ctx.span(path), {"folder": shortened(written, 80)})


CHECKS = {"adapter-without-experts": without_experts}

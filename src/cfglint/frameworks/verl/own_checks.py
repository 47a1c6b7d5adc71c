"""Whether the project's own copy of verl still has a check: forks drop those that their runs do not pass."""

from __future__ import annotations

import os
import re
from functools import lru_cache

from cfglint.base.lazy import lazy_pattern
from cfglint.base.type_names import Final
from cfglint.environment.surroundings import Surroundings
from cfglint.frameworks.verl.own_configs import places_of
from cfglint.source.files.nearby import read

_TRAINER: Final = "verl/trainer/ppo/ray_trainer.py"
#: Where releases have their checks.
_FILES: Final = (
    *(_TRAINER, "verl/utils/config.py", "verl/workers/config/actor.py"),
    *("verl/workers/config/critic.py", "verl/workers/config/rollout.py"),
    *(
        "verl/utils/seqlen_balancing.py",
        "verl/workers/fsdp_workers.py",
        "verl/workers/engine_workers.py",
    ),
    "verl/workers/rollout/vllm_rollout/vllm_rollout_spmd.py",
    "verl/workers/reward_manager/dapo.py",
)
_MAX_BYTES: Final = 400_000
_TWO, _NONE = "You have set both", "Please set at least one of"
_ROW: Final = "max_token_len must be greater"
_PADDED: Final = "enable `use_remove_padding`"
#: The code of a rule -> what the check has in all releases.
_CHECKS: Final = {
    "VRL010": r"train_batch_size\s*(?:>=|<)\s*(?:config\.actor_rollout_ref\.actor|self)\.ppo_mini_batch_size",
    "VRL011": r"real_train_batch_size\s*%",
    "VRL012": _TWO,
    "VRL013": _TWO,
    "VRL014": r"ppo_mini_batch_size\s*%\s*[\w.]*ppo_micro_batch_size",
    "VRL015": _PADDED,
    "VRL016": "validation gen temperature should be greater than 0",
    "VRL024": _NONE,
    "VRL025": _NONE,
    "VRL026": _NONE,
    "VRL027": _NONE,
    "VRL028": _NONE,
    "VRL029": _TWO,
    "VRL030": _TWO,
    "VRL031": _TWO,
    "VRL032": r"ppo_micro_batch_size\s*\*\s*sp_size",
    "VRL033": r"ppo_micro_batch_size\s*\*\s*sp_size",
    "VRL034": r"train_batch_size\s*(?:>=|<)\s*(?:config\.critic|self)\.ppo_mini_batch_size",
    "VRL035": r"ppo_mini_batch_size\s*%\s*[\w.]*ppo_micro_batch_size",
    "VRL036": _PADDED,
    "VRL037": _PADDED,
    "VRL039": r"real_train_batch_size\s*%",
    "VRL052": "must be set when enabling multi_turn",
    "VRL053": "for multi-turn with tool",
    "VRL058": "normalized ppo_mini_batch_size",
    "VRL065": _ROW,
    "VRL066": _ROW,
    "VRL067": _ROW,
    "VRL068": _ROW,
    "VRL069": _ROW,
    "VRL070": "is not divisible by infer",
    "VRL071": "resume ckpt must be str type",
    "VRL072": "resume ckpt must specify the global_steps",
    "VRL073": "val_only",
    "VRL074": "disable CUDA graph",
    "VRL076": "must be larger than overlong_buffer",
    "VRL077": "max_resp_len must be provided",
}


#: The rules about the sizes of the reference model, and the condition that a copy may have around their check.
_OF_REFERENCE: Final = frozenset({"VRL026", "VRL031"})
_GUARDED: Final = lazy_pattern(
    r"\n[ \t]{1,40}if self\.use_reference_policy:[ \t]*\n(?:[ \t]{1,40}#[^\n]{0,300}\n){0,5}"
    r"[ \t]{1,40}check_mutually_exclusive\([^\n]{0,200}\n?[^\n]{0,200}ref\.log_prob_micro_batch_size"
)
#: What gives a run a reference model; a value that is not known may do so.
_WITH_REFERENCE: Final = lazy_pattern(r"\buse_kl_(?:loss|in_reward)=[\"']?[Tt]rue\b")


@lru_cache(maxsize=32)
def _pattern(check: str) -> re.Pattern[str]:
    """A check on a line that is not a comment."""
    return re.compile(rf"(?m)^[^#\n]*{check}")


def is_idle(code: str, text: str, around: Surroundings) -> bool:
    """Whether a copy of verl has a check for runs with a reference model alone, and a script is not known to start one."""
    if code not in _OF_REFERENCE or around.folder is None or _WITH_REFERENCE.search(text):
        return False
    texts = around.memory.once(("checks of verl", around.folder), lambda: _texts(around))
    return any(_GUARDED.search(text) for text in texts)


def is_dropped(code: str, around: Surroundings) -> bool:
    """Whether the check behind a rule is in none of the files in which a copy of verl would have it."""
    check = _CHECKS.get(code)
    if check is None or around.folder is None:
        return False
    texts = around.memory.once(("checks of verl", around.folder), lambda: _texts(around))
    return bool(texts) and not any(_pattern(check).search(text) for text in texts)


def _texts(around: Surroundings) -> list[str]:
    """The files with the checks of the project's only copy of verl."""
    places = places_of(_TRAINER, around.folder or "", around.files)
    if len(places) != 1:
        return []
    root = places[0][: -len(_TRAINER)]
    paths = (os.path.join(root, *name.split("/")) for name in _FILES)
    found = [read(path, _MAX_BYTES, around.files) for path in paths]
    # What cannot be read may have it.
    known = [one for one in found if one is not None]
    return [] if any(one.problem for one in known) else [one.source.text for one in known]

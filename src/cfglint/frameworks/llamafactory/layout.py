"""Which of LLaMA-Factory's two layouts a file is in.

`USE_V1=1` makes the command line read other argument classes, with sections for plugins. Hardly any key
has the same meaning in both layouts.
"""

from __future__ import annotations

from cfglint.environment.surroundings import Surroundings
from cfglint.source.document import Document

#: The name of the newer layout, and the first release that has it.
V1 = "v1"
V1_SINCE = "0.9.4"
#: The kind of the list of datasets, which its name decides.
DATASETS = "dataset_info"
#: Keys that only files of the v1 layout have.
_OF_V1 = frozenset(
    {
        *(
            "batching_strategy",
            "dist_config",
            "init_config",
            "kernel_config",
            "lr_scheduler_config",
        ),
        *("model", "model_class", "optim_config", "peft_config", "quant_config", "sample_backend"),
        "train_dataset",
    }
)
#: Keys of which nearly every file of the older layout has one, and that the v1 layout does not have.
_OF_V0 = frozenset({"model_name_or_path", "stage", "finetuning_type"})
#: Commands that only the v1 launcher has.
_COMMANDS = frozenset({"sft", "dpo", "rm", "merge"})
_SWITCH = "USE_V1"
_ON = frozenset({"1", "true", "y"})


def is_v1(document: Document, around: Surroundings) -> bool:
    """Whether a file is in the v1 layout: the line that starts it says so, or its keys do."""
    for line in around.launches:
        switch = dict(line.environment).get(_SWITCH, "")
        if line.command in _COMMANDS or switch.lower() in _ON:
            return True
    names = {entry.name for entry in document.root.entries}
    return len(names & _OF_V1) > len(names & _OF_V0)


def is_whole(document: Document) -> bool:
    """Whether a file that looks like one of the v1 layout by very few keys is one.

    `merge` needs no more than a model and an adapter, which files of other programs have, too; its
    section says where the merged model goes.
    """
    names = {entry.name for entry in document.root.entries}
    if not {"model", "peft_config"} <= names or len(names) > 3:
        return True
    return document.node(("peft_config", "export_dir")) is not None

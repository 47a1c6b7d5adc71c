"""The run of a program as a config of one of TRL's commands, for what is computed from a whole config."""

from __future__ import annotations

from cfglint.base.logic import UNKNOWN
from cfglint.base.type_names import Final
from cfglint.frameworks.trl.commands import commands_of_classes
from cfglint.frameworks.trl.joined_calls import TRAINER, joined
from cfglint.knowledge.keys.classes import parameters_of
from cfglint.roles.reading.base import NotDeterminedError
from cfglint.source.calls import OPEN_TAG, Call, ProgramRun, call_of
from cfglint.source.document import Document, Entry, Mapping, Scalar

#: The keys of a model and its adapter: what is not certain of these is written as unknown.
_OF_MODELS: Final = ("model_name_or_path", "use_peft", "load_in_4bit", "load_in_8bit")

#: The parameters of a trainer that are an optimizer, or what makes one.
_OPTIMIZERS: Final = ("optimizers", "optimizer_cls_and_kwargs")
#: A program that parses its settings has none.
_ELSEWHERE: Final = (
    "; if its settings are in a file, name that file; those on its command line are not followed"
)


def only_run(document: Document) -> ProgramRun:
    """The run of a program, as a config that has the keys of TRL's files.

    Raises:
        NotDeterminedError: it has none with a config of TRL, or several.
    """
    found = [
        run
        for entry in document.root.entries
        if isinstance(entry.value, Mapping)
        and (calls := joined(document.section(entry.value))) is not None
        and (run := run_with(calls)) is not None
    ]
    if len(found) != 1:
        classes = ", ".join(name.rpartition(".")[2] for name in commands_of_classes())
        raise NotDeterminedError(
            f"the program has {len(found) or 'no'} trainer{'s' * (len(found) != 1)} with a config that is known"
            f" ({classes}), and exactly one is needed{'' if found else _ELSEWHERE}"
        )
    return found[0]


def run_with(calls: Document) -> ProgramRun | None:
    """The run that the calls of a trainer are together; None if its config is not one of TRL's that is known."""
    call = call_of(calls.root)
    if call is None or not call.section or call.name not in commands_of_classes():
        return None
    kind = commands_of_classes()[call.name]
    return ProgramRun("trl", kind, calls.section(_config(kind, call, calls.root)))


def _config(kind: str, call: Call, run: Mapping) -> Mapping:
    config = Mapping(run.start, run.end, None, None, flow=True)
    dropped, settled = {TRAINER}, run.settled or frozenset()
    if _has_own_optimizer(run):
        dropped, settled = {TRAINER, "optim"}, settled - {"optim"}
    config.entries = [entry for entry in run.entries if entry.name not in dropped]
    parameters = frozenset(parameters_of("trl", call.name) or ())
    names = frozenset(entry.name for entry in config.entries)
    for name in (*_OF_MODELS, *sorted(parameters)):
        if name not in names and name not in settled:
            key = Scalar(run.start, run.start, None, None, name, "", "", name)
            value = Scalar(run.start, run.start, None, None, "", "", OPEN_TAG, UNKNOWN)
            config.entries.append(Entry(key, value))
    config.about = call.replaced(name=kind, unset=parameters)
    return config


def _has_own_optimizer(run: Mapping) -> bool:
    """Whether the trainer is given an optimizer, so that the config's `optim` makes none."""
    trainer = next((entry.value for entry in run.entries if entry.name == TRAINER), None)
    given = trainer.lookup if isinstance(trainer, Mapping) else {}
    return not given.keys().isdisjoint(_OPTIMIZERS)

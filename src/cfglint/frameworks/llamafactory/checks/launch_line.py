"""What is wrong with the commands that start a file: words behind it, variables of other releases.

These findings are in the script or the job, at the word that is at fault.
"""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.shortened import shortened
from cfglint.base.type_names import Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.diagnostic import OtherFile
from cfglint.runs.starts.start import Start, Word
from cfglint.source.text import SourceText, Span

#: The first release that lays `key=value` over the file.
_OVERRIDES_SINCE: Final = "0.9.3"
#: The first release that reads the number of the machine from the newer variable.
_NEWER_RANK_SINCE: Final = "0.9.1"
_OLDER_RANK, _NEWER_RANK, _MACHINES = "RANK", "NODE_RANK", "NNODES"
#: Keys of which every file for a training has one.
_OF_TRAINING: Final = frozenset(
    {"output_dir", "do_train", "do_eval", "do_predict", "per_device_train_batch_size", "dataset"}
)
#: Arguments of transformers' trainer, which no command but `train` knows.
_OF_TRAINER: Final = _OF_TRAINING - {"dataset"} | {
    *(
        "per_device_eval_batch_size",
        "learning_rate",
        "num_train_epochs",
        "max_steps",
        "bf16",
        "fp16",
    ),
    *("logging_steps", "save_steps", "eval_steps", "overwrite_output_dir", "ddp_timeout"),
    *("gradient_accumulation_steps", "lr_scheduler_type", "predict_with_generate", "deepspeed"),
}
#: The commands that refuse them.
_WITHOUT_TRAINER: Final = frozenset({"api", "chat", "eval", "export", "webchat"})
#: The variable that lets a command take keys which it does not know.
_TOLERANCE: Final = "ALLOW_EXTRA_ARGS"
#: The first release that reads a file which ends in `.yml`.
_SHORT_ENDING_SINCE: Final = "0.9.1"
#: The first release whose `eval` does nothing but raise an error.
_NO_EVALUATION_SINCE: Final = "0.9.4"
_SHOWN: Final = 60


def words_behind_file(ctx: CheckContext) -> Iterator[Hit]:
    """`train x.yaml --lora_rank 8`: no release reads options behind a file."""
    takes_words = ctx.release_keys.released(_OVERRIDES_SINCE)
    for line in _lines(ctx):
        behind = [word for word in line.words if word.start > line.config.end]
        if len(behind) < len(line.words):
            continue  # the file is not the first word, and so it is none
        for number, word in enumerate(behind):
            if word.open or (takes_words and _is_override(word)):
                continue
            if takes_words:
                remedy = f"Write `{_as_override(behind, number)}`"
                what = "reads nothing but `key=value` behind the file"
            else:
                remedy = "Put it into the file"
                what = "reads the file only if nothing follows it"
            params = {"remedy": remedy, "word": shortened(word.text), "what": what}
            yield Hit((), word.span, params, file=_file_of(line, ctx))
            break


def _is_override(word: Word) -> bool:
    return not word.text.startswith("-") and "=" in word.text


def _as_override(words: list[Word], at: int) -> str:
    """What an option would be as `key=value`."""
    name, equals, value = words[at].text.lstrip("-").partition("=")
    if not equals and words[at].text.startswith("--"):
        following = words[at + 1].text if at + 1 < len(words) else ""
        value = following if following and not following.startswith("--") else "true"
    return f"{name.replace('-', '_')}={value}"[:_SHOWN] if value else "key=value"


def rank_variable(ctx: CheckContext) -> Iterator[Hit]:
    """The number of the machine in a variable that the release does not read."""
    reads_newer = ctx.release_keys.released(_NEWER_RANK_SINCE)
    wrong, right = (_OLDER_RANK, _NEWER_RANK) if reads_newer else (_NEWER_RANK, _OLDER_RANK)
    for line in _lines(ctx):
        set_ = dict(line.environment)
        machines = set_.get(_MACHINES, "1")
        if wrong not in set_ or right in set_ or not machines.isdigit() or int(machines) < 2:
            continue
        params = {"wrong": wrong, "right": right, "machines": machines}
        file = _file_of(line, ctx)
        yield Hit((), _assignment(file.source.text, wrong, line), params, file=file)


def _assignment(text: str, name: str, line: Start) -> Span:
    """Where a command sets a variable; the command itself if that is not found before it."""
    at = text.rfind(f" {name}=", 0, line.at)
    return Span(at + 1, at + 1 + len(name)) if at >= 0 else line.span


def export_file_trained(ctx: CheckContext) -> Iterator[Hit]:
    """`train` with a file that only `export` reads as it is meant."""
    names = ctx.document.root.names
    if "export_dir" not in names or not names.isdisjoint(_OF_TRAINING):
        return
    for line in _lines(ctx):
        if line.command == "train":
            yield Hit((), line.span, {}, file=_file_of(line, ctx))


def training_file_elsewhere(ctx: CheckContext) -> Iterator[Hit]:
    """A file for training that another command is given, which refuses the trainer's arguments."""
    written = (entry.name for entry in ctx.document.root.entries)
    key = next((name for name in written if name in _OF_TRAINER), None)
    if key is None:
        return
    for line in _lines(ctx):
        if line.command in _WITHOUT_TRAINER and _TOLERANCE not in dict(line.environment):
            params = {"command": line.command, "key": key}
            yield Hit((), line.span, params, file=_file_of(line, ctx))


def short_ending(ctx: CheckContext) -> Iterator[Hit]:
    """`train x.yml` in a release that reads `.yaml` alone."""
    if ctx.release_keys.released(_SHORT_ENDING_SINCE):
        return
    for line in _lines(ctx):
        if line.config.text.endswith(".yml") and not line.config.open:
            params = {"name": line.config.text[-_SHOWN:]}
            yield Hit((), line.config.span, params, file=_file_of(line, ctx))


def evaluation_removed(ctx: CheckContext) -> Iterator[Hit]:
    """`llamafactory-cli eval` in a release that has no evaluation."""
    if not ctx.release_keys.released(_NO_EVALUATION_SINCE):
        return
    for line in _lines(ctx):
        if line.command == "eval":
            yield Hit((), line.span, {}, file=_file_of(line, ctx))


def _lines(ctx: CheckContext) -> Iterator[Start]:
    """The project's lines that start the file with LLaMA-Factory's own command."""
    if ctx.target.foreign_version is None and ctx.around.project is not None:
        yield from (line for line in ctx.around.launches if line.own)


def _file_of(line: Start, ctx: CheckContext) -> OtherFile:
    return OtherFile(line.path, SourceText(ctx.project.text(line.path)))


CHECKS = {
    "launch-evaluation-removed": evaluation_removed,
    "launch-export-file-trained": export_file_trained,
    "launch-short-ending": short_ending,
    "launch-training-file-elsewhere": training_file_elsewhere,
    "launch-words-behind-file": words_behind_file,
    "launch-rank-variable": rank_variable,
}

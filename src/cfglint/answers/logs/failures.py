"""What went wrong according to a log: exceptions with their frames, and ends without an exception."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from cfglint.answers.logs.lines import LogLine
from cfglint.answers.logs.shells import is_cut, not_found
from cfglint.answers.logs.tracebacks import Traceback, begins_with_frame
from cfglint.base.record import Record

#: Distinct failures that are kept, and lines of a message.
_MAX_FAILURES, _MAX_MESSAGE = 100, 14
_TRACEBACK = "Traceback (most recent call last)"
_EXCEPTION = re.compile(
    r"(?P<type>(?:[A-Za-z_]\w{0,80}\.){0,8}[A-Z]\w{0,80}(?:Error|Exception|Interrupt|Exit|Warning|Failure)"
    r"|(?:[A-Za-z_]\w{0,80}\.){0,8}(?:StopIteration|KeyboardInterrupt|Exception))(?:: (?P<message>.*)|:?\s*$)"
)
#: Below the frames of a traceback, the class of a package has any name: `pyarrow.lib.ArrowInvalid`.
_OF_PACKAGE = re.compile(
    r"(?P<type>(?:[A-Za-z_]\w{0,80}\.){1,8}[A-Z]\w{0,80})(?:: (?P<message>.*)|:?\s*$)"
)
#: argparse ends a program with this.
_USAGE = re.compile(r"(?P<program>[\w./-]{1,100}): error: (?P<message>\S.{0,2000})")
#: What prints in the same way that something else has ended.
_SCHEDULERS = ("srun", "slurmstepd")
#: Ends that no exception announces: a process was killed, or waited for the others in vain, or has no loss.
_ANNOUNCED = re.compile(
    r"Watchdog caught collective operation timeout: [^\n]{0,600}"
    r"|failed \(exitcode: -\d{1,3}\)[^\n]{0,200}"
    # A launcher of its own, and Python's `subprocess` below others.
    # Other numbers are mostly of a run that was stopped on purpose.
    r"|exits with return code = -(?:6|7|9|11)\b"
    r"|died with <Signals\.SIG(?:KILL: 9|ABRT: 6|BUS: 7|SEGV: 11)>"
    r"|(?<=  )what\(\):  ?[^\n]{1,600}"  # of an exception of C++ that nothing has caught
    r"|Signal \d{1,2} \(SIG[A-Z]{1,8}\) received by PID \d{1,9}"
    r"|'loss': '?(?:0\.0|nan)'?, 'grad_norm': '?nan'?"
    # The scale of FP16, which is halved where gradients overflow; usual ones stay far above.
    r"|Attempted loss scale: (?:64|32|16|8|4|2|1)(?:\.0)?, reducing to [\d.]{1,10}"
    # A program that catches it prints the first line alone.
    r"|^(?:\[[^\]\n]{1,60}\] )?CUDA error: device-side assert triggered"
    # NCCL's word for why it then reports an invalid usage.
    r"|NCCL WARN Duplicate GPU detected : rank \d{1,6}[^\n]{0,120}"
    # vLLM's own way of adding across GPUs, which prints and ends the process.
    r"|Cuda error [^\n]{0,200}custom_all_reduce[^\n]{0,120}"
    # Slurm's words for what it did to a job, or saw the kernel do.
    r"|Detected \d{1,6} oom[-_ ]kill events? in [^\n]{0,200}"
    r"|\*\*\* (?:JOB|STEP) [^\n]{0,200}CANCELLED AT [^\n]{0,200}DUE TO [^\n]{0,200}"
    # Compilers and linkers, of which the exception only says that they failed.
    r"|fatal error: \S{1,200}: No such file or directory|\bcannot find -l[\w.+-]{1,60}"
    r"|unsupported GNU version! [^\n]{0,200}|nvcc fatal {1,3}: [^\n]{0,200}"
    # bitsandbytes before 0.43, and programs of CUDA that print an error and end.
    r"|CUDA SETUP: (?:Problem|Required library version not found): [^\n]{0,200}"
    r"|\bError [a-z][\w ]{3,80} at line \d{1,6} in file [^\n]{1,200}"
)
#: What waits for something else says so over and over; it is how a run ended where nothing follows.
_WAITS = re.compile(
    r"Server is not up yet\. Retrying in [^\n]{0,40}"
    r"|(?<=\[c10d\] )The client socket has timed out after [^\n]{0,200}"
)
#: A program that catches them prints the messages alone.
_NO_MODULE = re.compile(r"No module named '[\w.]{1,200}'\.?\s*$")
_REFUSED = re.compile(
    r"[A-Za-z_][\w.]{0,200}\(\) (?:got an unexpected keyword argument|missing \d{1,3} required positional argument)"
)
#: Hydra prints its errors about overrides and groups without the name of the exception.
_COMPOSED = re.compile(
    r"(?:In '[^'\n]{1,200}': )?Could not (?:override|delete) '"
    r"|In '[^'\n]{1,200}': Could not (?:find|load) '"
    r"|Could not (?:append to|delete from) config\. "
    r"|Error (?:merging override \S|parsing override ')"
    r"|Sweep parameters '[^\n]{1,2000}' requires --multirun"
    r"|Override \S{1,400} looks like a config group override"
    r"|Ambiguous value for argument '|force-add of config groups is not supported: '"
    # The words of its parser.
    r"|missing [A-Z_]{2,30} at '"
    r"|(?:mismatched input|extraneous input|no viable alternative at input) '"
)
#: What Python writes between the exceptions of one traceback.
_CHAINED = ("During handling of the above exception", "The above exception was the direct cause")
#: What torch and the launchers print of themselves at the beginning of a line.
_OTHER_VOICE = re.compile(
    r"\[?\d{4}-\d\d-\d\d|[EWIF]\d{4} \d\d:|\[[EWIF]\d{3}|Traceback |During handling|The above exception"
    r"|={8}|-{8}|\[(?:ERROR|WARNING|INFO)|\d{1,3}%\||\{'loss'|slurmstepd: |srun: "
    r"|Set the environment variable HYDRA_FULL_ERROR"
)
#: Exceptions that only pass on that something else has failed.
_CONSEQUENCES = (
    "ChildFailedError",
    "CalledProcessError",
    "ProcessExitedException",
    "BrokenPipeError",
)


class Failure(Record):
    """One way in which a run ended, or announced its end."""

    #: The name of the exception, without its module; empty without one.
    type: str
    message: str
    #: (file, line, function), the innermost last.
    frames: tuple[tuple[str, int, str], ...]
    #: As its line has it.
    rank: str
    #: The line of the log with the message.
    line: int
    #: The line of the first exception of its traceback, which Python has chained; its own if it is that.
    chain: int = 0
    #: The line of code below each frame, as far as the log has it.
    code: tuple[str, ...] = ()

    @property
    def is_consequence(self) -> bool:
        """Whether it only passes on that something else has failed."""
        return self.type in _CONSEQUENCES

    @property
    def is_cut(self) -> bool:
        """Whether a shell took options for a command: the program ran without them, and what it says follows from that."""
        return self.type == "" and is_cut(self.message)

    @property
    def printed_by(self) -> str:
        """Which process reported it, in words; empty where that is not marked."""
        return f"rank {self.rank}" if self.rank.isdigit() else self.rank

    @property
    def text(self) -> str:
        """The exception as Python prints it."""
        return f"{self.type}: {self.message}" if self.type else self.message


def failures(lines: Iterable[LogLine]) -> list[Failure]:
    """The distinct failures in a log, in its order.

    What several ranks report in the same words is one failure, of the first of them, and so are all options that a
    shell took for commands.
    """
    found: dict[tuple[str, str], Failure] = {}
    for failure in _all(lines):
        found.setdefault((failure.type, "" if failure.is_cut else failure.message), failure)
        if len(found) == _MAX_FAILURES:
            break
    return sorted(found.values(), key=lambda failure: failure.line)


def _all(lines: Iterable[LogLine]) -> Iterator[Failure]:
    """Every failure; ranks that print at the same time are distinguished by their marks."""
    #: Rank -> the traceback that is being read.
    tracebacks: dict[str, Traceback] = {}
    messages: dict[str, tuple[Failure, list[str]]] = {}
    #: Rank -> the first line of the chain that its last exception is in, and of the one that goes on.
    last: dict[str, int] = {}
    chains: dict[str, int] = {}
    waiting: Failure | None = None
    for line in lines:
        waiting = _waiting(line, waiting)
        message = messages.get(line.rank)
        if message is not None:
            if _continues(line.text, message[1]):
                message[1].append(line.text)
                continue
            yield _whole(*messages.pop(line.rank))
        traceback = tracebacks.get(line.rank)
        missing = not_found(line.text) if traceback is None else ""
        if missing:
            yield Failure("", missing, (), line.rank, line.number, line.number)
            continue
        if line.text.lstrip().startswith(_CHAINED) and line.rank in last:
            chains[line.rank] = last[line.rank]
            continue
        if _TRACEBACK in line.text:
            tracebacks[line.rank] = Traceback()
            continue
        if traceback is None and begins_with_frame(line.text):
            # Of a traceback whose first lines were left out.
            traceback = tracebacks[line.rank] = Traceback()
        if traceback is not None and traceback.takes(line.text):
            continue
        started = _started(line, traceback)
        if started is not None:
            tracebacks.pop(line.rank, None)
            last[line.rank] = chains.pop(line.rank, line.number)
            messages[line.rank] = (started.replaced(chain=last[line.rank]), [])
    for left in messages.values():
        yield _whole(*left)
    if waiting is not None:
        yield waiting


def _waiting(line: LogLine, waiting: Failure | None) -> Failure | None:
    """What a program waits for after a line, from the first time that it says so."""
    waits = _WAITS.search(line.text)
    if waits is not None:
        return waiting or Failure("", waits.group(), (), line.rank, line.number)
    return None if line.text.strip() else waiting


def _started(line: LogLine, traceback: Traceback | None) -> Failure | None:
    """The failure whose message begins in a line.

    Args:
        traceback: the frames before it, if one is being read.
    """
    text = line.text.strip() if traceback is not None else line.text
    if traceback is not None and line.text[:1] in (" ", "\t") and "Error" not in text[:80]:
        return None  # a line of source
    exception = _EXCEPTION.match(text) or (
        _OF_PACKAGE.match(text) if traceback is not None and traceback.frames else None
    )
    announced = _ANNOUNCED.search(text)
    if exception is not None and not _tells_of_a_signal(exception, announced):
        name = exception["type"].rpartition(".")[2]
        if traceback is None and name.endswith("Warning"):
            return None
        message = (exception["message"] or "").strip()
        if traceback is None:
            return Failure(name, message, (), line.rank, line.number)
        if name == "AssertionError":
            message = message or traceback.assertion
        frames, code = tuple(traceback.frames), tuple(traceback.code)
        return Failure(name, message, frames, line.rank, line.number, code=code)
    if announced is not None:
        return Failure("", announced.group(), (), line.rank, line.number)
    if _NO_MODULE.match(text) is not None:
        return Failure("ModuleNotFoundError", text.strip(), (), line.rank, line.number)
    if _REFUSED.match(text) is not None:
        return Failure("TypeError", text.strip(), (), line.rank, line.number)
    if _COMPOSED.match(text) is not None:
        return Failure("", text.strip(), (), line.rank, line.number)
    usage = _USAGE.match(text)
    if usage is not None and usage["program"] not in _SCHEDULERS and traceback is None:
        return Failure("", f"error: {usage['message'].strip()}", (), line.rank, line.number)
    return None


def _tells_of_a_signal(exception: re.Match[str], announced: re.Match[str] | None) -> bool:
    """Whether an exception only passes on that a signal ended the command, which says how it ended."""
    return (
        announced is not None
        and announced.group().startswith("died with")
        and exception["type"].rpartition(".")[2] in _CONSEQUENCES
    )


def _continues(text: str, message: list[str]) -> bool:
    """Whether a line belongs to the message above it."""
    if len(message) >= _MAX_MESSAGE or not text.strip():
        return False
    if _OTHER_VOICE.match(text) is not None or _EXCEPTION.match(text) is not None:
        return False
    return not not_found(text)


def _whole(failure: Failure, rest: list[str]) -> Failure:
    text = " ".join(" ".join((failure.message, *rest)).split())[:4_000]
    return failure.replaced(message=text)

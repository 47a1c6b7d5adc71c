"""Exceptions and other ends in the lines of a log."""

from __future__ import annotations

from cfglint.answers.logs.causes import Symptoms
from cfglint.answers.logs.failures import Failure, failures
from cfglint.answers.logs.lines import lines
from cfglint.answers.logs.parts import LogPart
from tests.draws import each


def found(text: str) -> list[Failure]:
    return failures(lines([LogPart(text.encode(), 1)]))


def shown(text: str) -> list[tuple[str, str, str]]:
    return [(one.rank, one.type, one.message) for one in found(text)]


def test_a_traceback_has_frames_and_a_message() -> None:
    (failure,) = found(
        'Traceback (most recent call last):\n  File "/a/b.py", line 12, in build\n    x = 1\n'
        '  File "/a/c.py", line 3, in <module>\n    raise ValueError(\n'
        "ValueError: not good\n"
    )
    assert failure.frames == (("/a/b.py", 12, "build"), ("/a/c.py", 3, "<module>"))
    assert (failure.text, failure.line) == ("ValueError: not good", 6)


def test_a_traceback_may_have_lost_its_beginning() -> None:
    (failure,) = found(
        '  File "/a/c.py", line 3, in build\n    raise ValueError(\nValueError: not good\n'
    )
    assert failure.frames == (("/a/c.py", 3, "build"),)
    assert failure.text == "ValueError: not good"


def test_a_message_may_have_several_lines() -> None:
    text = (
        "pydantic_core._pydantic_core.ValidationError: 1 validation error for Config\n"
        "chat_template\n  Input should be 'a'\n\nnext\n"
    )
    message = "1 validation error for Config chat_template Input should be 'a'"
    assert shown(text) == [("", "ValidationError", message)]


def test_below_a_traceback_the_class_of_a_package_has_any_name() -> None:
    frames = 'Traceback (most recent call last):\n  File "/a/b.py", line 12, in build\n    read()\n'
    line = "pyarrow.lib.ArrowInvalid: JSON parse error\n"
    assert shown(frames + line) == [("", "ArrowInvalid", "JSON parse error")]
    # Elsewhere it is a line of the log.
    assert shown(line) == []


def test_an_exception_of_no_other_type_is_one() -> None:
    assert shown("Exception: Could not find the layer\n") == [
        ("", "Exception", "Could not find the layer")
    ]
    assert shown("2026 Exceptions: 3\n") == []


@each(
    "after",
    ["[2026-01-01 00:00:00] x", "E0409 12:00:00 x", "Traceback (most recent call last):", "10%|#"],
)
def test_another_voice_ends_a_message(after: str) -> None:
    assert shown(f"KeyError: 'a'\n{after}\n") == [("", "KeyError", "'a'")]


def test_ranks_that_print_at_the_same_time_are_kept_apart() -> None:
    text = (
        "[rank0]: Traceback (most recent call last):\n[rank1]: Traceback (most recent call last):\n"
        '[rank0]:   File "a.py", line 1, in f\n[rank1]:   File "b.py", line 2, in g\n'
        "[rank1]: KeyError: 'one'\n[rank0]: ValueError: zero\n"
    )
    assert [(one.rank, one.type, one.frames[0][0]) for one in found(text)] == [
        ("1", "KeyError", "b.py"),
        ("0", "ValueError", "a.py"),
    ]


def test_what_several_ranks_say_is_one_failure() -> None:
    text = "".join(f"[rank{rank}]: ValueError: same\n" for rank in range(8))
    assert shown(text) == [("0", "ValueError", "same")]


@each(
    ("mark", "by"),
    [
        ("[rank2]: ", "rank 2"),
        ("2: ", "rank 2"),
        ("[default2]:", "local rank 2"),
        ("(main_task pid=2) ", "process 2"),
        ("(WorkerDict pid=440913, ip=10.0.0.3) ", "process 440913"),
        ("", ""),
    ],
)
def test_marks_of_ranks(mark: str, by: str) -> None:
    """Ray writes the id of a process, and torchrun counts on each machine."""
    (failure,) = found(f"{mark}ValueError: x\n")
    assert (failure.printed_by, failure.text) == (by, "ValueError: x")


ASSERTED = """\
Traceback (most recent call last):
  File "/v/a.py", line 3, in f
    assert a.b >= a.c
{}
"""


def test_an_assertion_without_words_has_those_of_its_line() -> None:
    (failure,) = found(ASSERTED.format("AssertionError"))
    assert failure.text == "AssertionError: assert a.b >= a.c"
    (failure,) = found(ASSERTED.format("AssertionError: too few"))
    assert failure.text == "AssertionError: too few"
    # The line is not of the last frame.
    called = '  File "/v/b.py", line 1, in g\n    return h()\nAssertionError'
    (failure,) = found(ASSERTED.format(called))
    assert failure.message == ""


def test_colors_progress_bars_and_frames_of_rich_are_no_text() -> None:
    assert shown("\x1b[1;31mValueError\x1b[0m: red\n") == [("", "ValueError", "red")]
    assert shown(" 10%|#    | 1/10\rKeyError: 'k'\r\n") == [("", "KeyError", "'k'")]
    text = (
        "╭──── Traceback (most recent call last) ────╮\n"
        "│ /a/b.py:7 in main                          │\n"
        "╰────────────────────────────────────────────╯\n"
        "ValueError: boxed\n"
    )
    (failure,) = found(text)
    assert (failure.text, failure.frames) == ("ValueError: boxed", (("/a/b.py", 7, "main"),))


def test_ends_without_an_exception() -> None:
    assert shown("sft.py: error: unrecognized arguments: --x\n") == [
        ("", "", "error: unrecognized arguments: --x")
    ]
    assert shown("x failed (exitcode: -9) local_rank: 1\n")[0][2].startswith(
        "failed (exitcode: -9)"
    )
    assert shown("[Rank 0] Watchdog caught collective operation timeout: WorkNCCL(x)\n") == [
        ("", "", "Watchdog caught collective operation timeout: WorkNCCL(x)")
    ]


def test_warnings_and_words_about_errors_are_no_failures() -> None:
    assert shown("UserWarning: old\nthe ValueError is handled\nno Error here\n") == []


def test_a_launcher_that_passes_a_failure_on_is_a_consequence() -> None:
    assert [one.is_consequence for one in found("a.b.ChildFailedError: \nValueError: x\n")] == [
        True,
        False,
    ]


def test_a_loss_that_is_no_number() -> None:
    line = "{'loss': 0.0, 'grad_norm': nan, 'learning_rate': 1e-05, 'epoch': 0.1}\n"
    assert shown(line) == [("", "", "'loss': 0.0, 'grad_norm': nan")]
    assert len(shown(line * 200)) == 1
    assert not shown("{'loss': 0.0, 'grad_norm': 0.1, 'learning_rate': 1e-05}\n")


def test_what_slurm_did_to_a_job() -> None:
    """Each line is an end of its own; what `srun` says follows from another one."""
    text = (
        "slurmstepd: error: Detected 1 oom_kill event in StepId=9.0. Some of the step tasks have been OOM Killed.\n"
        "srun: error: node-3: task 1: Out Of Memory\n"
        "srun: Terminating StepId=9.0\n"
        "slurmstepd: error: *** STEP 9.0 ON node-3 CANCELLED AT 2026-11-20T10:10:00 ***\n"
        "slurmstepd: error: *** JOB 9 ON node-3 CANCELLED AT 2026-11-20T10:10:00 DUE TO TIME LIMIT ***\n"
    )
    assert [message[:20] for _, _, message in shown(text)] == [
        "Detected 1 oom_kill ",
        "*** JOB 9 ON node-3 ",
    ]


@each(
    "text",
    [
        "Could not override 'trainer.total_epoch'.\nTo append to your config use +trainer.total_epoch=15",
        "In 'ppo_trainer': Could not override 'model_engine'. No match in the defaults list.",
        "Could not append to config. An item is already at 'data.seed'.",
        "Error merging override data.seed=x",
        "Error parsing override 'data.seed=[1'\nmissing BRACKET_CLOSE at '<EOF>'",
        "Sweep parameters 'data.seed=1,2' requires --multirun",
        "Ambiguous value for argument 'data.seed=1,2'\n1. To use it as a list, use key=[value1,value2]",
        "missing EQUAL at '<EOF>'\nSee https://hydra.cc/docs/1.2/advanced/override_grammar/basic for details",
    ],
)
def test_hydra_prints_its_errors_without_their_type(text: str) -> None:
    log = f"+ python3 train.py\n{text}\n\nSet the environment variable HYDRA_FULL_ERROR=1 for a complete stack trace.\n"
    assert shown(log) == [("", "", " ".join(text.split()))]


def test_what_vllm_logs_line_by_line_is_a_traceback() -> None:
    mark = "(Server pid=43) ERROR 08-29 10:18:10 [core.py:459] "
    older = "ERROR 02-11 10:18:10 engine.py:389] "
    for before in (mark, older):
        (failure,) = found(
            f'{before}Traceback (most recent call last):\n{before}  File "/a/b.py", line 12, in send\n'
            f"{before}    engine.add(x)\n{before}AttributeError: no 'engine'\n"
        )
        assert failure.text == "AttributeError: no 'engine'"
        assert failure.frames == (("/a/b.py", 12, "send"),)


@each(("scale", "ends"), [("64.0", True), ("1", True), ("4096.0", False), ("65536", False)])
def test_a_loss_scale_that_falls_far(scale: str, ends: bool) -> None:
    line = f"[deepspeed] OVERFLOW! Rank 0 Skipping step. Attempted loss scale: {scale}, reducing to 1\n"
    expected = [("", "", f"Attempted loss scale: {scale}, reducing to 1")]
    assert shown(line) == (expected if ends else [])


@each(
    ("line", "words"),
    [
        (
            "[2026-01-02 10:10:10,100] [ERROR] [launch.py:325:sigkill_handler] ['python3', '-u', 'train.py'] exits with return code = -9",
            "exits with return code = -9",
        ),
        (
            "subprocess.CalledProcessError: Command '['python', 'train.py']' died with <Signals.SIGKILL: 9>.",
            "died with <Signals.SIGKILL: 9>",
        ),
    ],
)
def test_a_killed_process_in_the_words_of_launchers(line: str, words: str) -> None:
    (failure,) = found(line + "\n")
    assert (failure.type, failure.message) == ("", words)
    (cause,) = Symptoms().causes([failure])
    assert cause.end is not None
    assert cause.end.name == "host-memory-used-up"


@each(
    "line",
    [
        "[INFO] [launch.py:319:sigkill_handler] Killing subprocess 1234",
        "['python3', 'train.py'] exits with return code = -15",
    ],
)
def test_what_somebody_ends_is_no_failure(line: str) -> None:
    assert found(line + "\n") == []


def test_an_exception_of_compiled_code_is_read_where_it_ends_the_process() -> None:
    text = (
        "40%|####  | 4/10 terminate called after throwing an instance of 'c10::Error'\n"
        "  what():  CUDA error: device-side assert triggered\n\n"
        "E1128 api.py:869] failed (exitcode: -6) local_rank: 0 (pid: 811) of binary: python\n"
    )
    first, second = (one[2] for one in shown(text))
    assert first == "what(): CUDA error: device-side assert triggered"
    assert second.startswith("failed (exitcode: -6)")


def test_options_that_a_shell_took_for_commands_are_one_failure() -> None:
    log = (
        "main.py: error: the following arguments are required: --output_dir\n"
        "run.sh: line 5: --do_train: command not found\nrun.sh: line 6: --lr: command not found\n"
        "run.sh: line 9: accelerate: command not found\n"
    )
    assert [one.text for one in found(log)] == [
        "error: the following arguments are required: --output_dir",
        "line 5: --do_train: command not found",
        "line 9: accelerate: command not found",
    ]

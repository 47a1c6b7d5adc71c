"""What is said of each slip: the cause, the line, the words, and the file after the fix."""

from __future__ import annotations

from typing import NamedTuple

import pytest
import yaml

from cfglint.engine.case import Case
from cfglint.engine.fixing import fix_source
from cfglint.engine.lint import lint_source
from cfglint.engine.settings.selection import Selection
from cfglint.environment.building import build_environment
from cfglint.frameworks.axolotl.framework import Axolotl
from cfglint.source.languages.yaml import compose
from cfglint.source.problems import SourceError
from cfglint.source.text import SourceText
from tests.draws import each

FRAMEWORK = Axolotl()
#: Reading alone: what the other rules would change is no matter here.
READING = Case.of_text(
    FRAMEWORK,
    build_environment(FRAMEWORK.releases),
    Selection(select=("YML001", "YML004", "YML006", "YML008")),
)


class Slip(NamedTuple):
    """`line` counts from 1; `fix` is "safe", "unsafe" or "" for none."""

    cause: str
    bad: str
    line: int
    message: str
    fix: str = ""
    good: str = ""


CASES = [
    Slip(
        "prose",
        "base_model: a/b\nmix:\n  /the folder of the data, as it is/\n  /x/y: 1.0 is all of it\nseed: 1\n",
        3,
        "`/the folder of the data, as it is/` is not `key: value`, as the line below is: write it as a comment.",
    ),
    Slip(
        "missing-colon",
        "base_model: a/b\nmicro_batch_size 2\nseed: 1\n",
        2,
        "`micro_batch_size 2` has no colon: write `micro_batch_size: 2`.",
        "safe",
        "base_model: a/b\nmicro_batch_size: 2\nseed: 1\n",
    ),
    # A program's name, and a key.
    Slip(
        "missing-colon",
        "base_model: a/b\ndeepspeed configs/zero3.json\nseed: 1\n",
        2,
        "`deepspeed configs/zero3.json` has no colon: write `deepspeed: configs/zero3.json`.",
        "safe",
        "base_model: a/b\ndeepspeed: configs/zero3.json\nseed: 1\n",
    ),
    # PyYAML names the line below.
    Slip(
        "missing-colon",
        "base_model: a/b\ndatasets\n  - path: x\n    type: alpaca\n",
        2,
        "`datasets` has no colon: write `datasets:`.",
        "safe",
        "base_model: a/b\ndatasets:\n  - path: x\n    type: alpaca\n",
    ),
    Slip(
        "missing-colon",
        "datasets:\n  - path x  # ours\n    type: alpaca\nseed: 1\n",
        2,
        "`path x` has no colon: write `path: x`.",
        "safe",
        "datasets:\n  - path: x  # ours\n    type: alpaca\nseed: 1\n",
    ),
    Slip(
        "missing-space",
        "base_model: a/b\nmicro_batch_size:2\nseed: 1\n",
        2,
        "`micro_batch_size:2` has no space after its colon: write `micro_batch_size: 2`.",
        "safe",
        "base_model: a/b\nmicro_batch_size: 2\nseed: 1\n",
    ),
    Slip(
        "missing-space",
        "base_model:/models/llama\nmicro_batch_size: 2\n",
        1,
        "`base_model:/models/llama` has no space after its colon: write "
        "`base_model: /models/llama`.",
        "safe",
        "base_model: /models/llama\nmicro_batch_size: 2\n",
    ),
    Slip(
        "equals-sign",
        "base_model: a/b\nlearning_rate = 0.1\nseed: 1\n",
        2,
        "`learning_rate` has = where YAML expects a colon: write `learning_rate: 0.1`.",
        "safe",
        "base_model: a/b\nlearning_rate: 0.1\nseed: 1\n",
    ),
    Slip(
        "second-colon",
        "base_model: a/b\nwandb_name: run 3: higher lr\n",
        2,
        'The value contains a second `: `: quote it, `"run 3: higher lr"`.',
        "safe",
        'base_model: a/b\nwandb_name: "run 3: higher lr"\n',
    ),
    Slip(
        "second-colon",
        "base_model: a/b\nseed: 1 micro_batch_size: 2\n",
        2,
        "There are two keys on this line: give each its own line.",
    ),
    Slip(
        "reserved-character",
        "base_model: a/b\noutput_dir: @runs/a\n",
        2,
        'A value cannot start with @ here: quote it, `"@runs/a"`.',
        "safe",
        'base_model: a/b\noutput_dir: "@runs/a"\n',
    ),
    Slip(
        "indentation",
        "datasets:\n  - path: x\n   type: alpaca\nfsdp_config:\n  a: 1\n  b: 2\n",
        3,
        "The line is indented by 3 spaces, but its neighbours by 4.",
        "unsafe",
        "datasets:\n  - path: x\n    type: alpaca\nfsdp_config:\n  a: 1\n  b: 2\n",
    ),
    # PyYAML names line 3.
    Slip(
        "indentation",
        "fsdp_config:\n   a: 1\n  b: 2\n  c: 3\nseed: 1\n",
        2,
        "The line is indented by 3 spaces, but its neighbours by 2.",
        "unsafe",
        "fsdp_config:\n  a: 1\n  b: 2\n  c: 3\nseed: 1\n",
    ),
    Slip(
        "indentation",
        "base_model: a/b\n seed: 1\nval_set_size: 0\n",
        2,
        "The line is indented by 1 space, but its neighbours not at all.",
        "safe",
        "base_model: a/b\nseed: 1\nval_set_size: 0\n",
    ),
    Slip(
        "tab",
        "fsdp_config:\n\ta: 1\n\tb: 2\nseed:\t1\n",
        2,
        "A tab is used where YAML expects spaces. Replace it with spaces.",
        "safe",
        "fsdp_config:\n  a: 1\n  b: 2\nseed: 1\n",
    ),
    Slip(
        "missing-dash",
        "lora_target_modules:\n  - q_proj\n  k_proj\n  - v_proj\n",
        3,
        "`k_proj` has no dash, unlike the other items of the list: write `- k_proj`.",
        "safe",
        "lora_target_modules:\n  - q_proj\n  - k_proj\n  - v_proj\n",
    ),
    Slip(
        "missing-dash",
        "datasets:\n  - path: x\n    type: a\n  path: y\n    type: b\nseed: 1\n",
        4,
        "`path: y` has no dash, unlike the other items of the list: write `- path: y`.",
        "safe",
        "datasets:\n  - path: x\n    type: a\n  - path: y\n    type: b\nseed: 1\n",
    ),
    Slip(
        "double-dash",
        "datasets:\n  -- path: x\n    type: a\nseed: 1\n",
        2,
        "The item has more than one dash: write `- path: x`.",
        "safe",
        "datasets:\n  - path: x\n    type: a\nseed: 1\n",
    ),
    Slip(
        "dash-without-space",
        "lora_target_modules:\n  - q_proj\n  -k_proj\n  - v_proj\n",
        3,
        "`-k_proj` has no space after its dash: write `- k_proj`.",
        "safe",
        "lora_target_modules:\n  - q_proj\n  - k_proj\n  - v_proj\n",
    ),
    # PyYAML names line 2.
    Slip(
        "open-quote",
        'base_model: "a/b\noutput_dir: "./out"\nseed: 1\n',
        1,
        'The quote " that opens here is never closed: write `"a/b"`.',
        "safe",
        'base_model: "a/b"\noutput_dir: "./out"\nseed: 1\n',
    ),
    Slip(
        "open-quote",
        'lora_target_modules: ["q_proj, "v_proj"]\nseed: 1\n',
        1,
        'The quote " that opens here is never closed: write `"q_proj"`.',
        "safe",
        'lora_target_modules: ["q_proj", "v_proj"]\nseed: 1\n',
    ),
    # What the value was is lost.
    Slip(
        "open-quote",
        'special_tokens:\n  pad_token: "',
        2,
        'The quote " that opens here is never closed: write `""`.',
    ),
    Slip(
        "text-after-quote",
        'base_model: a/b\nwandb_name: "run" 3\nseed: 1\n',
        2,
        "Text follows the closing quote: `3`. Put the whole value inside the quotes.",
    ),
    Slip(
        "text-after-quote",
        "base_model: a/b\nwandb_name: 'it's new'\nseed: 1\n",
        2,
        "The quote ' inside the text ends it: write it twice, as in 'it''s', or put double quotes "
        "around the text.",
        "safe",
        "base_model: a/b\nwandb_name: 'it''s new'\nseed: 1\n",
    ),
    Slip(
        "curly-quotes",
        "base_model: a/b\nwandb_name: \u201crun: 3\u201d\n",
        2,
        '\u201c and \u201d are typographic quotes, which YAML treats as letters: write ".',
        "safe",
        'base_model: a/b\nwandb_name: "run: 3"\n',
    ),
    Slip(
        "curly-quotes",
        'base_model: "a/b\u201d\nseed: 1\n',
        1,
        '\u201d is a typographic quote, which closes nothing in YAML: write ".',
        "unsafe",
        'base_model: "a/b"\nseed: 1\n',
    ),
    Slip(
        "backslash",
        'base_model: "C:\\Users\\me"\nseed: 1\n',
        1,
        "Inside double quotes a backslash begins an escape: write `'C:\\Users\\me'`.",
        "safe",
        "base_model: 'C:\\Users\\me'\nseed: 1\n",
    ),
    Slip(
        "backslash",
        'seed: 1\noutput_dir: "D:\\runs\\"\n',
        2,
        'Inside double quotes a backslash begins an escape, and `\\"` does not end the text: '
        "write `'D:\\runs\\'`.",
        "safe",
        "seed: 1\noutput_dir: 'D:\\runs\\'\n",
    ),
    # PyYAML names line 2.
    Slip(
        "open-bracket",
        "lora_target_modules: [q_proj, k_proj\nseed: 1\n",
        1,
        "The [ that opens here is never closed: write the ] after its last item.",
        "safe",
        "lora_target_modules: [q_proj, k_proj]\nseed: 1\n",
    ),
    # Cut off, or forgotten? Nobody knows.
    Slip(
        "open-bracket",
        "seed: 1\nlora_target_modules: [q_proj, k_proj",
        2,
        "The [ that opens here is never closed: write the ] after its last item.",
        "unsafe",
        "seed: 1\nlora_target_modules: [q_proj, k_proj]",
    ),
    Slip(
        "open-bracket",
        "seed: 1\nlora_target_modules: [\n",
        2,
        "The [ that opens here is never closed: write the ] after its last item.",
    ),
    Slip(
        "surplus-bracket",
        "lora_target_modules: [q_proj, k_proj]]\nseed: 1\n",
        1,
        "This ] closes no bracket: delete it, or open one before it.",
        "safe",
        "lora_target_modules: [q_proj, k_proj]\nseed: 1\n",
    ),
    Slip(
        "conflict-marker",
        "base_model: a/b\n<<<<<<< HEAD\nseed: 1\n=======\nseed: 2\n>>>>>>> main\n",
        2,
        "A merge conflict marker was left in the file: keep one side and delete the markers.",
    ),
    Slip(
        "shell-line",
        "base_model: a/b\naccelerate launch -m axolotl.cli.train x.yml\nseed: 1\n",
        2,
        "`accelerate launch -m axolotl.cli.train…` is a shell command, not YAML: delete the line "
        "or write it as a comment.",
        "safe",
        "base_model: a/b\n# accelerate launch -m axolotl.cli.train x.yml\nseed: 1\n",
    ),
    Slip(
        "code-fence",
        "base_model: a/b\nseed: 1\n```\n",
        3,
        "A Markdown code fence was left in the file: delete the line.",
        "safe",
        "base_model: a/b\nseed: 1\n# ```\n",
    ),
]


@each("case", CASES)
def test_slip(case: Slip) -> None:
    source = SourceText(case.bad)
    with pytest.raises(SourceError) as caught:
        compose(source)
    assert caught.value.cause == case.cause
    (found,) = lint_source(source, READING).diagnostics
    assert source.position(found.span.start).line == case.line
    assert found.message == case.message
    assert [fix.safety for fix in found.fixes] == ([case.fix] if case.fix else [])
    fixed = fix_source(source, READING, unsafe=True).source.text
    assert fixed == (case.good or case.bad)
    if case.good:
        assert isinstance(yaml.safe_load(fixed), dict)
    safely = fix_source(source, READING).source.text
    assert safely == (case.good if case.fix == "safe" else case.bad)


def test_every_cause_is_shown() -> None:
    from cfglint.source.diagnosis import Cause

    assert {case.cause for case in CASES} == {cause.value for cause in Cause}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("base_model:Qwen/Qwen3-8B\n", "`base_model:Qwen/Qwen3-8B` has no space after its colon"),
        ("base_model = Qwen/Qwen3-8B\n", "has = where YAML expects a colon"),
        ("./configs/qwen3.yml\n", "A config consists of `key: value` lines."),
    ],
)
def test_file_that_is_one_value(text: str, words: str) -> None:
    (found,) = lint_source(SourceText(text), READING).diagnostics
    assert found.name == "root-not-mapping"
    assert words in found.message


def test_two_slips_are_reported_one_after_the_other() -> None:
    source = SourceText("base_model: a/b\nmicro_batch_size 2\nseed: 1\nnum_epochs=3\nbf16: true\n")
    (found,) = lint_source(source, READING).diagnostics
    assert found.message.startswith("`micro_batch_size 2` has no colon")
    # It does not make the file readable by itself, so it is not made.
    assert found.fixes == ()
    again = SourceText(source.text.replace("size 2", "size: 2"))
    (found,) = lint_source(again, READING).diagnostics
    assert found.message.startswith("`num_epochs` has = where")


def test_line_endings_stay() -> None:
    source = SourceText("base_model: a/b\r\nmicro_batch_size 2\r\nseed: 1\r\n")
    fixed = fix_source(source, READING).source.text
    assert fixed == "base_model: a/b\r\nmicro_batch_size: 2\r\nseed: 1\r\n"

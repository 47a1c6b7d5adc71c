"""Which file is meant by a path that a launch file writes."""

from __future__ import annotations

import time

from cfglint.environment.project.naming import (
    composed_names,
    may_be,
    may_compose,
    may_expand_to,
    mentions,
    names_configs,
)
from tests.draws import each


@each(
    ("written", "config", "named"),
    [
        ("x.yml", "/repo/x.yml", True),
        ("./configs/x.yml", "/repo/configs/x.yml", True),
        ("../configs/x.yml", "/repo/configs/x.yml", True),
        ("other/x.yml", "/repo/configs/x.yml", False),
        ("x.yml", "/repo/configs/x.yml", True),
        ("/workspace/configs/x.yml", "/repo/configs/x.yml", True),
        ("/workspace/x.yml", "/repo/x.yml", True),
        ("/workspace/x.yml", "/repo/configs/x.yml", False),
        ("y.yml", "/repo/x.yml", False),
        ("$1.yml", "/repo/x.yml", False),
        ("configs\\x.yml", "/repo/configs/x.yml", True),
        ("~/a/x.yml", "/repo/x.yml", True),
        ("~/a/x.yml", "/other/a/x.yml", True),
        ("~/a/x.yml", "/other/x.yml", False),
        ("$A/x.yml", "/other/x.yml", False),
        ("$A/b/x.yml", "/other/b/x.yml", True),
        ("$A/x.yml", "/repo/x.yml", True),
    ],
)
def test_which_config_is_named(written: str, config: str, named: bool) -> None:
    assert may_be(written, config, "/repo", is_open="$" in written) is named


@each(
    ("text", "named"),
    [
        ("llamafactory-cli train x.yml", True),
        ("llamafactory-cli train configs/full/x.yml", True),
        ("llamafactory-cli train ../full/x.yml lr=1e-4", True),
        ("llamafactory-cli train configs/lora/x.yml", False),
        ("llamafactory-cli train $HOME/lora/x.yml", False),
        ("llamafactory-cli train $HOME/full/x.yml", True),
        ("docker run -v ./full/x.yml:/etc/train.yml image", True),
        ('["train", "/app/full/x.yml"]', True),
        ('["train", "/app/x.yml"]', False),
        ("train lora/x.yml; train full/x.yml", True),
        ("train ${1:-x.yml}", True),
        ("train ${1:-/app/full/x.yml}", True),
        ("train ${1:-my-x.yml}", False),
        ("train my-x.yml x.yml.bak", True),
        ("train my-x.yml x.yml2 .x.yml", False),
    ],
)
def test_a_text_that_mentions_a_config(text: str, named: bool) -> None:
    assert mentions(text, "/repo/configs/full/x.yml", "/repo") is named


@each(
    ("text", "composed"),
    [
        ("--config_file $KIND.yaml", True),
        ("--config_file ${KIND}_full.yaml", True),
        ("--config_file configs/full/$KIND.yaml", True),
        ("--config_file $FOLDER/$KIND.yaml", True),
        ("--config_file configs/lora/$KIND.yaml", False),
        ("--config_file $KIND.yml", False),
        ("--config_file $KIND.json", False),
        ("--config_file ${KIND}_lora.yaml", False),
        ("--config_file sft_full.yaml", False),
        ('f"{args["stage"]}_full.yaml"', True),
        ('"%s_full.yaml" % stage', True),
        ('glob("*.yaml")', True),
        ("f'full_{rank_of(x)}.yaml'", False),
        ("f'sft_{kind_of(x)}.yaml'", True),
        ('stage + ".yaml"', True),
        ('stage + "_lora.yaml"', False),
        ("$A/s*_f*.yaml", True),
        ("$A/s*_full*full.yaml", False),
        ("$A/sft_full.yaml*.yaml", False),
    ],
)
def test_a_name_that_is_put_together(text: str, composed: bool) -> None:
    assert may_compose(composed_names(text), "/repo/configs/full/sft_full.yaml") is composed


@each(
    ("written", "config", "named"),
    [
        ("configs/$KIND.yaml", "/repo/configs/full.yaml", True),
        ("./configs/${KIND}.yaml", "/repo/configs/full.yaml", True),
        ("configs\\$KIND.yaml", "/repo/configs/full.yaml", True),
        ("configs/sft_$KIND.yaml", "/repo/configs/sft_full.yaml", True),
        ("configs/sft_$KIND.yaml", "/repo/configs/dpo_full.yaml", False),
        ("configs/$A-${B}_x.yaml", "/repo/configs/a-b_x.yaml", True),
        ("configs/$A-${B}_x.yaml", "/repo/configs/ab_x.yaml", False),
        ("configs/$A-x.yaml", "/repo/configs/a-x.yml", False),
        ("configs/aa$A.yaml", "/repo/configs/a.yaml", False),
        ("configs/a$A.yaml", "/repo/configs/a.yaml", True),
        # The folder before it has to be the file's, and there has to be one.
        ("other/$KIND.yaml", "/repo/configs/full.yaml", False),
        ("$KIND.yaml", "/repo/configs/full.yaml", False),
        ("configs/$KIND.yaml", "/full.yaml", False),
        # Of a variable alone nothing is known.
        ("configs/$KIND", "/repo/configs/full.yaml", False),
        ("$FOLDER/full.yaml", "/repo/configs/full.yaml", False),
        ("configs/full.yaml", "/repo/configs/full.yaml", False),
    ],
)
def test_a_name_with_a_variable(written: str, config: str, named: bool) -> None:
    assert may_expand_to(written, config) is named


def test_a_name_of_many_open_parts_takes_no_longer() -> None:
    path = f"/repo/p/{'a' * 200}.json"
    started = time.process_time()
    assert not may_compose(composed_names("*a" * 60 + "b.json"), path)
    assert not may_expand_to("p/" + "$A-a" * 60 + "b.json", path)
    assert time.process_time() - started < 1


@each(
    ("text", "named"),
    [
        ("llamafactory-cli train a.yaml", True),
        ("torchrun src/llamafactory/cli.py train \\\n    configs/a.yml", True),
        ("llamafactory-cli train $DIR/a.yaml", True),
        ('llamafactory-cli train "$1"', False),
        ("llamafactory-cli train configs/$NAME.yaml", False),
        ("for c in configs/*.yaml; do llamafactory-cli train $c; done", False),
        ("# llamafactory-cli train a.yaml\nllamafactory-cli train $1", False),
        ("accelerate launch --config_file fsdp2.yaml src/train.py $1", False),
        ("accelerate launch --config_file=fsdp2.yaml src/train.py $1", False),
        ("accelerate launch --config_file fsdp2.yaml src/train.py a.yaml", True),
        ("sky launch sky.yaml", False),
        ("a.yamlx", False),
    ],
)
def test_a_text_that_writes_out_names_of_configs(text: str, named: bool) -> None:
    assert names_configs(text) is named

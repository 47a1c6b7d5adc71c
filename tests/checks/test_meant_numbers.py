from __future__ import annotations

from cfglint.checks.meant_numbers import meant_number
from cfglint.roles.framework import load_framework
from tests.draws import each


@each(
    ("section", "name", "text", "written"),
    [
        ("zero_optimization", "reduce_bucket_size", "5e8", "500000000"),
        ("zero_optimization", "reduce_bucket_size", "2.5", None),
        ("zero_optimization", "reduce_bucket_size", "5%", None),
        ("zero_optimization", "reduce_bucket_size", "1e999", None),
        ("zero_optimization", "reduce_bucket_size", "500 MB", None),
    ],
)
def test_whole_numbers(section: str, name: str, text: str, written: str | None) -> None:
    schema = load_framework("deepspeed").release_keys("0.19.5").standing(section, name).schema
    assert schema is not None
    assert meant_number(text, name, schema) == written


@each(
    ("name", "text", "written"),
    [
        ("warmup_ratio", "5%", "0.05"),
        ("warmup_ratio", "0,05", "0.05"),
        ("warmup_ratio", "1,000", None),
        ("warmup_ratio", "12.5 %", "0.125"),
        ("warmup_ratio", "150%", None),
        ("warmup_ratio", "five", None),
        ("learning_rate", "5%", None),
        ("learning_rate", "1e-5", "1.0e-05"),
    ],
)
def test_other_numbers(name: str, text: str, written: str | None) -> None:
    schema = load_framework("llamafactory").release_keys("0.9.5").standing("", name).schema
    assert schema is not None
    assert meant_number(text, name, schema) == written

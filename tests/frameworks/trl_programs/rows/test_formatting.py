"""What the function returns that formats the rows of an `SFTTrainer`."""

from __future__ import annotations

from cfglint import Linter
from tests.draws import each


def found(text: str, *target: str) -> list[tuple[str, str]]:
    result = Linter(target=list(target), settings=False, select=["TRP721", "TRP725"]).lint(
        text, "train.py"
    )
    return [(one.code, one.severity) for one in result.diagnostics]


SHAPED = """\
from trl import SFTConfig, SFTTrainer
TEMPLATE = "{{}}: {{}}"
def shape(rows):
    {body}
SFTTrainer(model=model, args=SFTConfig(output_dir="out"{more}), train_dataset=rows, formatting_func=shape)
"""


def shaped(body: str, more: str = "") -> str:
    return SHAPED.format(body=body, more=more)


@each(
    ("body", "codes"),
    [
        ('return f"{rows[0]}"', ["TRP721"]),
        ('return "a %s" % rows["a"]', ["TRP721"]),
        ('return rows["a"] + "</s>"', ["TRP721"]),
        ('return TEMPLATE.format(rows["a"], rows["b"])', ["TRP721"]),
        ('return "\\n".join(rows["a"]).strip()', ["TRP721"]),
        ('text = "a"\n    text += rows["a"]\n    text = text + "b"\n    return text', ["TRP721"]),
        ('return {"text": rows["a"]}', ["TRP721"]),
        ('if rows["b"]:\n        return "a"\n    return f"{rows}"', ["TRP721"]),
        (
            'return t.apply_chat_template([{"role": "user", "content": rows["a"]}], tokenize=False)',
            ["TRP721"],
        ),
        ('return rows["a"] + t.eos_token', ["TRP721"]),
        ('return t.bos_token + rows["a"]', ["TRP721"]),
        ('return rows["a"] + t.other', []),
        ('return str(rows["a"])', []),
        ('return other(rows) + "</s>"', ["TRP721"]),
        ('return rows["a"] - 1', []),
        ('return t.apply_chat_template(rows["chats"], tokenize=False)', []),
        ('return rows["a"]', []),
        ('return [one for one in rows["a"]]', []),
        ('if rows["b"]:\n        return ["a"]\n    return f"{rows}"', []),
        ('text = f"{rows}"\n    for text in rows["a"]:\n        pass\n    return text', []),
        ('yield f"{rows}"', []),
        ("return TEMPLATE % other(rows)", ["TRP721"]),
    ],
)
def test_a_batch_needs_a_list(body: str, codes: list[str]) -> None:
    assert [code for code, _ in found(shaped(body), "trl==0.14.0")] == codes
    assert not found(shaped(body), "trl==0.16.0")
    assert not [code for code, _ in found(shaped(body)) if code == "TRP721"]
    assert not found(shaped(body, ", packing=True"), "trl==0.14.0")


def test_rows_that_may_be_packed() -> None:
    text = shaped('return f"{rows}"')
    assert found(text, "trl==0.14.0")
    assert not found(f"{text}\nargs.packing = True", "trl==0.14.0")
    assert not found(text.replace('"out"', '"out", **options'), "trl==0.14.0")


@each(
    ("body", "codes"),
    [
        ('return [f"{a}" for a in rows["a"]]', ["TRP725"]),
        (
            'texts = []\n    for a in rows["a"]:\n        texts.append(a)\n    return texts',
            ["TRP725"],
        ),
        ('texts = list()\n    texts += rows["a"]\n    return texts', ["TRP725"]),
        ('return {"text": rows["a"]}', ["TRP725"]),
        ('return f"{rows}"', []),
        ('return rows["a"]', []),
        ('def inner():\n        return []\n    return inner() or rows["a"]', []),
    ],
)
def test_a_row_needs_a_text(body: str, codes: list[str]) -> None:
    assert [code for code, _ in found(shaped(body), "trl==0.21.0")] == codes
    assert not found(shaped(body), "trl==0.20.0")
    assert not found(shaped(body) + "\nload(columns=['messages'])", "trl==0.24.0")
    assert not found(shaped(body, ", dataset_text_field='a'"), "trl==1.16.0")
    field = found(shaped(body, ", dataset_text_field='text'"), "trl==1.16.0")
    assert [code for code, _ in field] == codes
    # Without a stated release, it is the newest one that would be installed.
    assert {severity for _, severity in found(shaped(body))} <= {"warning"}


def test_unsloth_calls_it_with_a_batch_in_all_releases() -> None:
    text = "import unsloth\n" + shaped('return f"{rows}"')
    assert found(text) == [("TRP721", "warning")]
    assert found(text, "trl==0.24.0", "unsloth==2025.11.4") == [("TRP721", "warning")]
    assert not found(text, "unsloth==2025.2.15")
    assert not found(text.replace("{rows}", "{rows['completion']}"))
    pictures = text.replace("=shape)", "=shape, data_collator=UnslothVisionDataCollator(model, t))")
    assert not found(pictures)
    for alone in ("try:\n    {}\nexcept ImportError:\n    pass\n", "if wanted:\n    {}\n"):
        assert not found(text.replace("import unsloth\n", alone.format("import unsloth")))
    assert found(
        text.replace("import unsloth\n", "if __name__ == '__main__':\n    import unsloth\n")
    )
    # A name that was imported before stays that of TRL.
    assert not found(shaped('return f"{rows}"') + "import unsloth\n")
    lists = "import unsloth\n" + shaped('return [f"{one}" for one in rows["a"]]')
    assert not found(lists, "trl==0.24.0")


def test_deep_expressions_are_not_looked_at() -> None:
    assert not found(shaped("return " + "x + " * 60 + "x"), "trl==0.14.0")

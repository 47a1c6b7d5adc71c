"""The fields of LLaMA-Factory's list of datasets, read from small invented sources."""

from __future__ import annotations

from pathlib import Path

from tools.llamafactory_release.dataset_keys import read_dataset_keys
from tools.python_sources.sources import read_release

PARSER = """
@dataclass
class DatasetAttr:
    load_from: Literal["file"]
    dataset_name: str
    ranking: bool = False
    num_samples: Optional[int] = None
    split: str = "train"
    prompt: str | None = "instruction"
    kto_tag: Optional[str] = None
    role_tag: Optional[str] = "from"
    unread: Optional[str] = None

def get_dataset_list(names):
    if "hf_hub_url" in dataset_info[name]:
        attr = DatasetAttr("hf_hub", dataset_name=dataset_info[name]["hf_hub_url"])
    else:
        attr = DatasetAttr("file", dataset_name=dataset_info[name]["file_name"])
    for name in ("ranking", "num_samples", "split"):
        attr.set_attr(name, dataset_info[name])
    for column in ("prompt", "kto_tag", "role_tag"):
        attr.set_attr(column, dataset_info[name]["columns"])
"""
CONVERTER = 'DATASET_CONVERTERS = {"alpaca": A, "openai": B}\n'


def read(folder: Path, converter: str = "") -> dict[str, tuple[str, object, list[object]]]:
    home = folder / "src/llamafactory/data"
    home.mkdir(parents=True)
    (home.parent / "__init__.py").write_text("", encoding="utf-8")
    (home / "__init__.py").write_text("", encoding="utf-8")
    (home / "parser.py").write_text(PARSER, encoding="utf-8")
    if converter:
        (home / "converter.py").write_text(converter, encoding="utf-8")
    found = read_dataset_keys(read_release(folder / "src", "llamafactory", "1.0.0"))
    assert found is not None
    assert set(found.forbidding.values()) == {False}
    return {name: (one.type, one.default, one.enum) for name, one in found.keys.items()}


def test_what_the_parser_reads_is_where_it_looks_for_it(tmp_path: Path) -> None:
    assert read(tmp_path) == {
        "*": ("model:DatasetAttr", None, []),
        "*.columns": ("model:DatasetAttr", None, []),
        "*.columns.kto_tag": ("str|null", None, []),
        "*.columns.prompt": ("str|null", "instruction", []),
        "*.file_name": ("str", None, []),
        "*.formatting": ("literal", "alpaca", ["alpaca", "sharegpt"]),
        "*.hf_hub_url": ("str", None, []),
        "*.num_samples": ("int|null", None, []),
        "*.ranking": ("bool", False, []),
        "*.split": ("str", "train", []),
        "*.tags": ("model:DatasetAttr", None, []),
        "*.tags.role_tag": ("str|null", "from", []),
    }


def test_the_converters_say_which_formats_there_are(tmp_path: Path) -> None:
    assert read(tmp_path, CONVERTER)["*.formatting"][2] == ["alpaca", "openai"]

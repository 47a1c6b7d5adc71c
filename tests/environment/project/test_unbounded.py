"""Where a package is asked for without an upper bound."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint.environment.project.unbounded import asked
from cfglint.environment.surroundings import Memory, Surroundings
from cfglint.source.files.disk import Disk


@pytest.mark.parametrize(
    ("files", "place"),
    [
        ({"requirements.txt": "torch\ntrl\n"}, "requirements.txt line 2"),
        ({"requirements.txt": "trl >= 0.9  # any\n"}, "requirements.txt line 1"),
        ({"requirements.txt": "trl[vllm]\n"}, "requirements.txt line 1"),
        ({"README.md": "Do:\n\n    pip install -U trl peft\n"}, "README.md line 3"),
        ({"run.sh": "git clone a/b && pip install torch && pip install trl\n"}, "run.sh line 1"),
        ({"pyproject.toml": 'dependencies = ["torch", "trl>=0.8"]\n'}, "pyproject.toml line 1"),
        ({"environment.yml": "dependencies:\n- pip:\n  - trl\n"}, "environment.yml line 3"),
        ({"requirements.txt": "trl==0.9.6\n"}, None),
        ({"requirements.txt": "trl<1\n"}, None),
        ({"requirements.txt": "trl~=0.9\n"}, None),
        ({"requirements.txt": "trl @ git+https://github.com/huggingface/trl\n"}, None),
        ({"requirements.txt": "trlx\ntrl-extra\n"}, None),
        ({"requirements.txt": "trl\n", "README.md": "pip install trl==0.9.6\n"}, None),
        ({"requirements.txt": "trl\n", "uv.lock": 'name = "trl"\nversion = "0.9.6"\n'}, None),
        ({"other/requirements.txt": "trl\n"}, None),
        ({"README.md": "We use trl.\n"}, None),
        ({"requirements.txt": "# trl\n"}, None),
        ({"requirements.txt": "trl; python_version < '3.9'\n"}, None),
        ({"requirements.txt": "trl>=0.8 ; sys_platform == 'linux'\n"}, None),
        ({"pyproject.toml": 'description = "Tuning with trl"\nkeywords = ["trl"]\n'}, None),
        ({"Pipfile": '[packages]\ntrl = "*"\n'}, "Pipfile line 2"),
        ({"Pipfile": '[packages]\ntrl = "<0.9"\n'}, None),
        # What bounds it in turn.
        ({"requirements.txt": "trl\nllamafactory\n"}, None),
        ({"requirements.txt": "trl\nautotrain-advanced\n"}, None),
        ({"requirements.txt": "trl\nsentence-transformers==3.0.1\n"}, None),
        ({"requirements.txt": "trl\nsentence-transformers\n"}, "requirements.txt line 1"),
    ],
)
def test_where_it_is_asked_for_without_a_bound(
    tmp_path: Path, files: dict[str, str], place: str | None
) -> None:
    (tmp_path / ".git").mkdir()
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    around = Surroundings(Memory(), Disk(), str(tmp_path / "train.py"), str(tmp_path))
    found = asked(around, "trl").place
    assert (None if found is None else str(found)) == place

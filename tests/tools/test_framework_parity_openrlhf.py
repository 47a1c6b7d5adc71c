"""What counts as refused when OpenRLHF's programs are compared with cfglint."""

from __future__ import annotations

from pathlib import Path

from tools.framework_parity.openrlhf import ours


def test_what_ends_after_the_start_is_not_compared(tmp_path: Path) -> None:
    start = "deepspeed --module openrlhf.cli.train_sft --pretrain m --dataset d"
    later, now = tmp_path / "later.sh", tmp_path / "now.sh"
    later.write_text(f"{start} --zero_stage 7\n", encoding="utf-8")
    now.write_text(f"{start} --zero_stages 3\n", encoding="utf-8")

    found = ours(tmp_path, "0.8.0")

    assert found[str(later)] == []
    assert len(found[str(now)]) == 1

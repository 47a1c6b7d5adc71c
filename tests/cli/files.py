"""Configs for the command to read."""

from __future__ import annotations

#: Nothing to say about it.
CLEAN = """\
base_model: NousResearch/Llama-3.2-1B
datasets:
  - path: ./data/train.jsonl
    type: alpaca
sequence_len: 2048
micro_batch_size: 1
num_epochs: 1
optimizer: adamw_torch
learning_rate: 0.0001
output_dir: ./out
"""
#: An error with a safe fix.
MISSPELT = CLEAN.replace("output_dir", "output_dirr")
FIXED = CLEAN
#: An error whose fix is unsafe.
TWICE = CLEAN + "output_dir: ./other\n"
TWICE_FIXED = CLEAN.replace("output_dir: ./out\n", "output_dir: ./other\n")
#: A warning and no error: a suppression of nothing.
WARNED = CLEAN.replace("num_epochs: 1", "num_epochs: 1  # cfglint: ignore[PAK001] no")
#: A note and nothing worse.
NOTED = "\ufeff" + CLEAN
#: YAML that is none of our business.
FOREIGN = {
    "compose.yml": "services:\n  train:\n    image: x\n    image: y\n",
    "workflow.yaml": "on: push\njobs:\n  test:\n    runs-on: x\n    steps: [{run: make}]\n",
    "chart.yaml": "{{- if .Values.x }}\na: {{ .Release.Name }\n",
    "several.yml": "a: 1\n---\nb: 2\n",
    "tab.yml": "a:\t1\n\tb: 2\n",
    "empty.yml": "",
    "list.yml": "- 1\n- 2\n",
    "binary.yml": "\x00\x01",
    "learning.yml": "learning_rate: 1\ndatasets: [x]\n",
}

"""TRL: the YAML files of `trl sft`, `trl dpo`, `trl grpo` and its other commands."""

"""Python programs that call the classes of TRL, transformers and PEFT."""

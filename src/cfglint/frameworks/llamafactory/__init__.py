"""What cfglint knows about LLaMA-Factory."""

"""What cfglint knows of LLaMA-Factory."""

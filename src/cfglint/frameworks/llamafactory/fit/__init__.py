"""What LLaMA-Factory's runs hold in the memory of a GPU."""

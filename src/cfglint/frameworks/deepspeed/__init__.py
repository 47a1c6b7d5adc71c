"""DeepSpeed: the JSON file that other frameworks hand to it."""

"""Checks of LLaMA-Factory's configs that no condition can express."""

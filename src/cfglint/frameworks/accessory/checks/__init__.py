"""Checks of LLaMA2-Accessory's scripts that no condition can express."""

"""Axolotl: one YAML file that describes a whole training run."""

"""The checks of Axolotl configurations that need code."""

"""Reads LLaMA2-Accessory's sources as text into the tables of its framework."""

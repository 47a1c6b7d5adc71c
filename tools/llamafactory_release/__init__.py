"""Reads releases of LLaMA-Factory as text, and keeps the table of what their configs may hold.

A config's keys are the fields of dataclasses: LLaMA-Factory's own, and those of the training
arguments of transformers, whose releases each LLaMA-Factory pins in a range of its own.
"""

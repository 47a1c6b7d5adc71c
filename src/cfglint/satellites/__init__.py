"""The files that a config refers to: DeepSpeed's settings, the model, data, templates.

They are read as text, within limits, and only inside the project. Nothing in here is imported
before a config refers to such a file.
"""

"""What the project around a config says about its versions and its hardware.

One module a format; each is imported only when a file of its format is there. Everything is read as text:
nothing is imported, installed or run.
"""

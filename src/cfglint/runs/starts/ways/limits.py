"""How much of a text is examined for one command."""

#: Characters before and after the name of the program.
REACH = 6_000
MAX_WORDS = 400

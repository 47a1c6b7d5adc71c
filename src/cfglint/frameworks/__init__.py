"""One module per framework: how its files are recognised and what it makes of them."""

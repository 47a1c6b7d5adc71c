"""For maintainers: the speed and the memory of cfglint beside those of yamllint, as ratios."""

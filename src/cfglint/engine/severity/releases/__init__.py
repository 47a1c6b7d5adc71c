"""The release that runs may not be the one that the findings are about."""

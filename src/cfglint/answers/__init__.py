"""The answers of cfglint besides findings: what a run gets, why it failed, whether to start it."""

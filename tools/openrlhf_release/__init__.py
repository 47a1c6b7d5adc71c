"""Reads releases of OpenRLHF, and keeps the tables of the options of its programs."""

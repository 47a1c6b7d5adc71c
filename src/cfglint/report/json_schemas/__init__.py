"""JSON Schemas of releases and settings, for editors and catalogues."""

"""The printed numbers, a module for each work or chapter."""

"""What the reference adds to Sphinx: formulas without scripts, citations as links, the record as pages."""

"""The questions of each page, under its stem; what several pages ask, under its own name."""

"""The ranges that tables ask for and get: what is asked for is dragged."""

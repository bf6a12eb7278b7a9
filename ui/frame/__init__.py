"""The frame: the server, one run of a page, its choices, and what is put on it."""

"""One decision as one value: what is released, whose secret, which line, which budget; and how it is written."""

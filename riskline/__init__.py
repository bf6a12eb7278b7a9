"""The command line: the answers of the pages in a terminal, and the dashboard; the numbers are `dpcore`."""

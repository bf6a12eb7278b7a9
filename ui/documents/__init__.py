"""Documents that leave the app: the scenario file."""

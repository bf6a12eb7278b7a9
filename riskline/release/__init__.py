"""A release: the plan, the data it is drawn from, the draw, and the folder of noisy tables that it leaves."""

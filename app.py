"""Riskline: the frame. Everything else is a page, a view or dpcore."""

from ui.frame import run

run()

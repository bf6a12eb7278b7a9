"""The dashboard of Riskline, put beside this file when its wheel is built; `riskline.command` starts it."""

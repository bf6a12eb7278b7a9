"""Disclosure risk and privacy budgets, exactly: the numerical library under Riskline.

Import the module that names the idea: `dpcore.profiles`, `dpcore.semantics`, `dpcore.mechanisms`,
`dpcore.accuracy`, `dpcore.guarantees`. Everything here needs numpy and scipy only.
"""

__version__ = "0.2.0"

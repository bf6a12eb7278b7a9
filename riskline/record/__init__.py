"""The published record: what others printed, what Riskline computes, and where and why both differ."""

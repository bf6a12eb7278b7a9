"""Documents that leave the app: the memo and its slides, slides of lessons, code lines."""

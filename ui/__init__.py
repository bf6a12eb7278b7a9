"""Numbers into pages: what the reader asks, what the page shows, and the link that keeps both."""

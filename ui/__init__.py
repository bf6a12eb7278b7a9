"""Numbers into pages: links, phrases, views, figures and the frame around them."""

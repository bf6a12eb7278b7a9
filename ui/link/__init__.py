"""What a link says: choices as fields, the pages, a way to another page, the scenario file."""

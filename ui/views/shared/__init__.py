"""What the views of several pages share: the promise, the line, tables that are typed, results that are kept."""

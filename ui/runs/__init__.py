"""Work that takes longer than a reader waits: started, followed, stopped, and ended when nobody waits any more."""

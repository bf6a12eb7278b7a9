"""How things are said: numbers, passages, refusals, text that is not ours."""

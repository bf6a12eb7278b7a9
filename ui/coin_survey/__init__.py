"""The survey whose coins fall in the participant's own browser: a component of ours."""

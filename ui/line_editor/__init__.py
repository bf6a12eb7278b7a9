"""The picture in which a line of risk is drawn: `component` mounts it (Streamlit), `points` says what a line is."""

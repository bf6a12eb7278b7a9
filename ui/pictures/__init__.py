"""Pictures as pure functions of arrays and words. No Streamlit."""

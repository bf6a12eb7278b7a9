"""One view per page: inputs in, every number, figure, passage and citation of the page out. No Streamlit."""

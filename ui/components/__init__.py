"""What readers drag or tap: Streamlit mounts it (`line_editor.py`), a script draws and listens (`editor.js`)."""

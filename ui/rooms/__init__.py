"""Rooms: what people in a meeting or a class answer on their own devices, and where it is kept."""

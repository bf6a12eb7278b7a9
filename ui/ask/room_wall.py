"""The wall of a room once its result is shown."""

from __future__ import annotations

from ui.frame import show
from ui.views.room import RoomView


def show_wall(view: RoomView) -> None:
    """The result, its question above the picture."""
    show.sentence(view.question)
    wall = view.wall
    if wall is None:
        return
    show.picture(wall.picture)
    for words in wall.sentences:
        show.sentence(words)
    for table in wall.tables:
        show.show_table(table)
    for picture in wall.more:
        show.picture(picture)
    for way in wall.ways:
        show.way(way)

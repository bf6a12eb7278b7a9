"""What a reader of *Plan a publication* chooses about those who will read the tables: areas, a target."""

from __future__ import annotations

from dataclasses import dataclass

from riskline.case.fields import Field, of_session
from ui.views.shared.typed_districts import Area, Areas, decode_areas, encode_areas

INVENTED: Areas = (
    Area("Alder", 3, 640),
    Area("Ash", 2, 890),
    Area("Birch", 9, 1_760),
    Area("Cedar", 6, 2_150),
    Area("Elm", 15, 3_600),
    Area("Hazel", 14, 4_900),
    Area("Holly", 28, 5_700),
    Area("Lime", 30, 8_900),
    Area("Maple", 52, 10_400),
    Area("Pine", 66, 14_200),
    Area("Spruce", 90, 26_000),
    Area("Willow", 160, 34_500),
)
READINGS = ("order", "difference", "share", "rank", "average")
PUBLIC = 201
"""Where the number of people of a share is public; smaller numbers are rows, 0 the table itself."""

READER_FIELDS: tuple[Field, ...] = (
    Field("row", "Of which table?", "count", 0, low=0, high=200),
    of_session(
        Field(
            "areas",
            "The areas' own counts",
            "custom",
            INVENTED,
            read=decode_areas,
            write=encode_areas,
            help="A line for each: its name, its count and, for a rate, the number of people it is of, which is "
            "public; in another order under a line of heads such as area, people, count. Invented to begin with. They "
            "stay in this session: the link does not hold them.",
        )
    ),
    Field(
        "exceeding",
        "One person may be counted several times",
        "flag",
        False,
        help="As visits or crimes are. A count may then be above its number of people; else that is refused, as it is "
        "what columns in each other's place look like.",
    ),
    of_session(Field("rate", "Target, for a thousand people", "number", 4.0, low=0, high=1000)),
    of_session(Field("target", "Target, as a count", "count", 20, low=0, high=10_000_000)),
    Field("met", "The target is met", "choice", "at_most", options=("at_most", "at_least")),
    Field("reading", "What do readers ask?", "choice", "order", options=READINGS),
    Field("first", "One area", "count", 1, low=1, high=500),
    Field("second", "Another area", "count", 2, low=1, high=500),
    Field("whole", "The number of people is", "count", 0, low=0, high=PUBLIC),
)


@dataclass(frozen=True)
class ReaderChoice:
    """What a reader chose of the areas that readers look at."""

    row: int = 0
    areas: Areas = INVENTED
    exceeding: bool = False
    rate: float = 4.0
    target: int = 20
    met: str = "at_most"
    reading: str = "order"
    first: int = 1
    second: int = 2
    whole: int = 0

"""The activity in which everybody of a room votes between budgets or positions, once or before and after a debate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from riskline.case.declaration import count, custom
from riskline.case.fields import shown
from riskline.case.sheet import LONGEST_CELL
from ui.link.page_table import PageLink, declared
from ui.pictures.columns import Column, side_by_side, written
from ui.pictures.marks import Axis, Bars, Dots, Mark
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.rooms.meeting import FEWEST
from ui.views.room import activity as common
from ui.views.room.activity import Activity, Answers, Asked, ParticipantAnswer, Values, Wall
from ui.views.shared.room_minutes import OptionVotes, RoomMinutes, write_minutes
from ui.words.catalogue import SPOKEN, label, say
from ui.words.markdown import shortened, unstarred
from ui.words.quantities import Typed, whole

MOST_OPTIONS = 6
LONGEST_QUESTION = 200
ONE_LINE = 24
"""Letters of an option beside its bar; of more than one line, names of bars on a projector would overlap."""
PAGE = "room_vote"
QUESTION = label(PAGE, "question")
OPTIONS = ("ε = 0.5", "ε = 1", "ε = 2")
passage = partial(common.passage_of, PAGE)


def read_options(text: str) -> tuple[str, ...]:
    """What can be voted for, between semicolons: two to six, told apart whatever their capitals.

    >>> read_options("ε = 0,5; ε = 1")
    ('ε = 0,5', 'ε = 1')
    """
    options = tuple(option for option in map(common.read_line, text.split(";")) if option)
    if not 2 <= len(options) <= MOST_OPTIONS:
        raise ValueError(f"must be 2 to {MOST_OPTIONS} options between semicolons; got {len(options)}")
    if len({option.casefold() for option in options}) < len(options):
        raise ValueError(f"must be different; got {shown(text)!r}")
    return options


@dataclass(frozen=True)
class Votes:
    """The votes for each option, of everybody and of each group that is told."""

    options: tuple[str, ...]
    now: tuple[tuple[str, int], ...]
    before: tuple[tuple[str, int], ...]
    told: tuple[str, ...]

    @classmethod
    def of(cls, options: tuple[str, ...], answers: Answers, earlier: Answers, *, lost: bool = False) -> Votes:
        """The votes of these answers; a group is told where it may be told in both votes and hardly anybody moved.

        Beside each other, the counts of a group before and after one person came or went tell what that one voted; so
        none is told either where the earlier vote is lost, which people may have seen by itself.
        """
        told = frozenset() if lost else common.groups_shown([answer.who.group for answer in answers])
        if earlier:
            told &= common.groups_shown([answer.who.group for answer in earlier])
            now, before = _members(answers, told), _members(earlier, told)
            if any(_few_moved(now.get(group, set()), before.get(group, set())) for group in ("", *told)):
                told = frozenset()

        def cast(votes: Sequence[ParticipantAnswer]) -> tuple[tuple[str, int], ...]:
            places = {option: place for place, option in enumerate(options)}
            return tuple(
                (vote.group_in(told), places[vote.values["vote_choice"]])
                for vote in votes
                if vote.values["vote_choice"] in places
            )

        return cls(options, cast(answers), cast(earlier), tuple(sorted(told, key=str.casefold)))

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups that are told, and "" where votes of no such group remain beside them."""
        rest = self.told and any(not group for group, _ in (*self.now, *self.before))
        return (*self.told, "") if rest else self.told

    def counted(self, votes: Sequence[tuple[str, int]], group: str | None = None) -> list[int]:
        """The votes for each option: of everybody, or of a group."""
        counts = Counter(place for own, place in votes if group is None or own == group)
        return [counts[place] for place in range(len(self.options))]


class Vote(Activity):
    """Up to six options; the wall shows the counts, beside those of an earlier vote, by group."""

    kind = "vote"
    by_group = True
    scripted = ("vote_question", "vote_options")
    settings = declared(
        PAGE,
        {
            "longest_question": Typed(LONGEST_QUESTION, whole),
            "most_options": Typed(MOST_OPTIONS, whole),
            "longest_name": Typed(common.LONGEST_NAME, whole),
            "example": "; ".join(OPTIONS),
        },
        vote_question=custom(QUESTION, read=partial(common.read_line, longest=LONGEST_QUESTION)),
        vote_options=custom(OPTIONS, read=read_options, write="; ".join),
        vote_before=count(0, low=0, high=1000),
    )
    answers = declared(PAGE, vote_choice=custom("", read=common.read_line))

    def asked(self, settings: Values, style: Style) -> Asked:
        """What is voted on."""
        return Asked(unstarred(settings["vote_question"]) or QUESTION)

    def judged(self, settings: Values, values: Values) -> Mapping[str, Any]:
        """The vote, where it is for one of the options."""
        if values["vote_choice"] not in settings["vote_options"]:
            raise ValueError(f"Your vote must be for one of the options; got {shown(values['vote_choice'])!r}")
        return values

    def own_words(self, settings: Values, values: Values, style: Style) -> str:
        """One's own vote."""
        return passage(style, "own", choice=unstarred(values["vote_choice"]))

    def earlier_activity(self, settings: Values) -> int:
        """The vote whose counts stand beside these."""
        return int(settings["vote_before"])

    def summary(self, settings: Values, answers: Answers, style: Style, earlier: Answers = ()) -> Wall:
        """The counts of now, beside those of before where there were any."""
        lost = bool(settings["vote_before"] and not earlier)
        votes = Votes.of(settings["vote_options"], answers, earlier, lost=lost)
        few = len(votes.now) < FEWEST
        said = [passage(style, "before", most=_most(votes, votes.before, style))] if votes.before else []
        said += [passage(style, "before_gone")] if lost else []
        said += _moved(answers, earlier, style)
        if not few and {answer.who.group for answer in answers} - {"", *votes.told}:
            small = common.groups_shown([answer.who.group for answer in answers]) <= set(votes.told)
            said.append(say("room", style.voice, "untold") if small else passage(style, "untold_beside"))
        return Wall(
            answer=passage(style, "answer", most=_most(votes, votes.now, style)),
            small_print=passage(style, "small_print"),
            picture=_picture(votes, style),
            tables=(_table(votes, style),),
            sentences=tuple(said),
            ways=(_way_to_memo(settings["vote_question"], votes),),
        )


def _members(votes: Sequence[ParticipantAnswer], told: frozenset[str]) -> dict[str, set[int]]:
    """Who voted in each group that is told, and who in none of them."""
    found: dict[str, set[int]] = {}
    for vote in votes:
        found.setdefault(vote.group_in(told), set()).add(vote.who.number)
    return found


def _few_moved(now: set[int], before: set[int]) -> bool:
    """Whether one or two came, or one or two went: others who moved the other way do not hide them."""
    return 0 < len(now - before) < FEWEST or 0 < len(before - now) < FEWEST


def _way_to_memo(question: str, votes: Votes) -> PageLink:
    """The memo with the minutes: what was voted on, and the votes for each option."""
    now, before = votes.counted(votes.now), votes.counted(votes.before)
    told = tuple(
        OptionVotes(option, count, earlier if votes.before else None)
        for option, count, earlier in zip(votes.options, now, before, strict=True)
    )
    minutes = RoomMinutes(None, shortened(question, LONGEST_CELL), told)
    return PageLink("memo", label("room", "way_memo"), (("room", write_minutes(minutes)),))


def _most(votes: Votes, cast: Sequence[tuple[str, int]], style: Style) -> str:
    """Which option has most votes, or which share the most."""
    counts = votes.counted(cast)
    leading = [f"**{unstarred(option)}**" for option, n in zip(votes.options, counts, strict=True) if n == max(counts)]
    name = "most" if len(leading) == 1 else "most_shared"
    return passage(style, name, options=SPOKEN.listed(leading), votes=f"{max(counts):,}", all=f"{len(cast):,}")


def _moved(answers: Answers, earlier: Answers, style: Style) -> list[str]:
    """How many of those who voted both times vote otherwise now."""
    before = {vote.who.number: vote.values["vote_choice"] for vote in earlier}
    both = [vote for vote in answers if vote.who.number in before]
    apart = _few_moved({vote.who.number for vote in answers}, set(before))
    if len(both) < FEWEST or apart:  # of one or two it would tell what each did, beside the counts
        return []
    moved = sum(vote.values["vote_choice"] != before[vote.who.number] for vote in both)
    return [passage(style, "moved", both=f"{len(both):,}", moved=f"{moved:,}")]


def _picture(votes: Votes, style: Style) -> Picture:
    """A bar for each option, and a mark where it stood before."""
    quantity = passage(style, "votes")
    counts, before = votes.counted(votes.now), votes.counted(votes.before)
    columns = [
        Column("option", passage(style, "option"), _in_one_line(votes.options)),
        Column("now", passage(style, "now"), [float(n) for n in counts], quantity=quantity, said=written(",.0f")),
    ]
    marks: list[Mark] = [Bars(x="now", y="option", flat=True)]
    reading = passage(style, "reading")
    if votes.before:
        held = [float(n) for n in before]
        columns.append(Column("before", passage(style, "before_column"), held, quantity=quantity, said=written(",.0f")))
        marks.append(Dots(x="before", y="option", role="reach", symbol="diamond", size=13, outlined=True))
        reading = passage(style, "reading_before")
    most = max(*counts, *before)
    x, y = Axis(every=common.step_of_people(most), range=(0.0, 1.08 * most)), Axis(rows=True, titled=False)
    rows, height = (side_by_side(*columns),), 90 + 55 * len(votes.options)
    return Picture.of("room-votes", rows, marks, reading=reading, x=x, y=y, style=style, height=height)


def _in_one_line(options: Sequence[str]) -> Sequence[str]:
    """The options as a picture names them: without what stands in parentheses, of longer ones without the middle.

    >>> _in_one_line(["At most 22 in 100 (ε = 0.81)", "The smaller one of all budgets"])
    ['At most 22 in 100', 'The smaller on…l budgets']
    """
    short = [shortened(option.partition(" (")[0], ONE_LINE) for option in options]
    return short if len(set(short)) == len(short) else options


def _table(votes: Votes, style: Style) -> Table:
    """Every option with its votes, before and now, of everybody and of each group that is told."""
    columns = [
        (label("room", "everybody"), None),
        *((group or label("room", "others"), group) for group in votes.groups),
    ]

    def cell(place: int, group: str | None) -> str:
        now = votes.counted(votes.now, group)[place]
        return f"{votes.counted(votes.before, group)[place]:,} → {now:,}" if votes.before else f"{now:,}"

    rows = tuple((option, *(cell(place, group) for _, group in columns)) for place, option in enumerate(votes.options))
    caption = passage(style, "table_before" if votes.before else "table")
    return Table(caption, (passage(style, "option"), *(name for name, _ in columns)), rows)

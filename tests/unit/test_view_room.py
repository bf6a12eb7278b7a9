"""The wall says where to join and how many answered, and nothing of an answer before the result is shown."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import fields, replace
from typing import Any
from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riskline.case.fields import Field, read_pairs
from riskline.dashboard import streamlit_arguments
from tests.approved.rooms import ANSWERS, GROUPS, KEPT, room, shown_wall, started, stored
from tests.each import each
from tests.read_aloud import unheard
from ui.documents.document import Figure, Paragraph
from ui.documents.page import html_page
from ui.documents.slides import slides_file
from ui.documents.word import word_file
from ui.link.page_table import page_entry
from ui.pictures.style import Style
from ui.rooms.meeting import FEWEST, Participant, Phase, Result
from ui.rooms.refusals import RoomCode
from ui.views.room import ACTIVITIES, FIELDS, RoomInputs, room_view
from ui.views.room.activity import groups_shown, read_groups, read_line, text_of, values_of
from ui.views.room.choices import activity_of, as_csv, as_json, report, shown_again, slides
from ui.views.room.view import LOWEST, ROW, WALL_HEIGHT, Held, fitted, reach_words, refusal_of_room

KINDS = list(ACTIVITIES)


def held(kind: str, phase: Phase, answers: int = len(GROUPS)) -> Held:
    settings = dict(RoomInputs().settings)
    given_answers = stored(kind)[:answers] if phase is Phase.SHOWN else ()
    return Held(room(started(kind, settings, phase), answers), given_answers, root="https://meet.example/")


def said(view: Any) -> str:
    return " ".join(str(getattr(view, field.name)) for field in fields(view) if field.name != "square")


@pytest.mark.parametrize("voice", ["plain", "technical"])
def test_an_address_of_this_computer_alone_is_said_with_what_lets_phones_in(voice: str) -> None:
    for host in ("localhost", "127.0.0.1", "127.1.2.3", "[::1]", "LOCALHOST.", "0.0.0.0"):
        _, told = reach_words(f"http://{host}:8600/", voice)
        assert 'make run ARGS="--server.port 8600 --server.address 0.0.0.0 --browser.serverAddress' in told
        command = told.partition("riskline app ")[2].partition("**")[0].split()
        assert streamlit_arguments(command)[:4] == ["--server.port", "8600", "--server.address", "0.0.0.0"]
    for root in ("http://192.168.1.20:8501/", "http://[fd00::2]:8501/", "https://stats.example/x/", ""):
        assert reach_words(root, voice) == ()


@pytest.mark.parametrize("kind", KINDS)
def test_the_wall_asks_as_the_activity_does_and_helps_as_it_does(kind: str) -> None:
    own = held(kind, Phase.OPEN)
    activity, settings = activity_of(own.room.activity)
    asked, view = activity.asked(settings, Style()), room_view(RoomInputs(), Style(), own)
    assert (view.question, view.question_help) == (asked.question, asked.help)


@pytest.mark.parametrize("kind", KINDS)
def test_a_picture_on_the_wall_ends_above_the_lower_edge_of_a_small_projector(kind: str) -> None:
    own = held(kind, Phase.SHOWN)
    wall = room_view(RoomInputs(), Style(large=True), replace(own, projected=True)).wall
    moderator = room_view(RoomInputs(), Style(large=True), own).wall
    assert wall is not None
    assert wall.picture is not None
    assert moderator is not None
    assert moderator.picture is not None
    assert wall.picture.figure.layout.height <= 365  # of 720, below the frame, three lines of answer and the question
    assert wall.picture.figure.layout.height <= moderator.picture.figure.layout.height


def test_a_picture_above_rows_of_a_table_is_so_much_lower_and_no_lower_than_can_be_read() -> None:
    picture = shown_wall("vote", Style()).wall
    assert picture is not None
    tall = replace(picture.picture, height=600)
    heights = [fitted(tall, rows).height for rows in (0, 1, 2, 50)]
    assert heights[0] - heights[1] == heights[1] - heights[2] == ROW > 0
    assert heights[0] == WALL_HEIGHT
    assert heights[3] == LOWEST
    assert fitted(replace(tall, height=LOWEST)).height == LOWEST


def test_a_table_of_many_scores_ends_on_the_wall_with_how_many_more_there_are_and_is_whole_for_the_moderator() -> None:
    own = held("attack", Phase.SHOWN)
    many = tuple(
        replace(answer, participant=Participant(10 * turn + number, f"N{10 * turn + number}", ""))
        for turn in range(2)
        for number, answer in enumerate(own.answers)
    )
    shown = [room_view(RoomInputs(), Style(), replace(own, answers=many, projected=on)).wall for on in (True, False)]
    (short,), (whole,) = (wall.tables for wall in shown if wall is not None)
    assert len(whole.rows) == len(many)
    assert short.rows[:-1] == whole.rows[:10]
    assert short.rows[-1] == ("", f"and {len(many) - 10} more", "", "")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("phase", [Phase.OPEN, Phase.CLOSED])
def test_before_the_reveal_the_wall_tells_the_number_of_answers_alone(kind: str, phase: Phase) -> None:
    view = room_view(RoomInputs(), Style(), held(kind, phase))
    assert view.wall is None
    assert view.python is None
    assert "**7 answers**" in view.answer
    assert view == room_view(RoomInputs(), Style(), held(kind, phase))


@pytest.mark.parametrize("voice", ["plain", "technical"])
@pytest.mark.parametrize("answers", [1, 2, 7])
@each("kind", KINDS)
def test_a_result_is_shown_of_three_answers_and_of_fewer_only_where_everybody_agreed(
    kind: str, voice: str, answers: int
) -> None:
    whole = held(kind, Phase.SHOWN, answers)
    if answers < FEWEST:
        view = room_view(RoomInputs(), Style(voice=voice), whole)
        assert view.wall is None
        assert f"**{answers} answer" in view.answer
        assert "fewer than three answers could reveal" in view.small_print
    view = room_view(RoomInputs(), Style(voice=voice), replace(whole, room=replace(whole.room, agreed=True)))
    assert view.wall is not None
    assert view.answer == view.wall.answer != ""
    assert view.small_print


def test_what_a_moderator_asks_of_a_result_changes_neither_the_projector_nor_an_earlier_result() -> None:
    own = held("line", Phase.SHOWN)
    assert own.room.activity is not None
    asked = RoomInputs("line", tuple(dict(RoomInputs().settings, line_epsilon=0.5).items()))

    def told(inputs: RoomInputs, seen: Held) -> tuple[str, ...]:
        wall = room_view(inputs, Style(), seen).wall
        assert wall is not None
        return (wall.answer, *wall.sentences)

    as_asked = told(RoomInputs(), own)
    assert told(asked, own) != as_asked
    earlier = replace(own, answers=(), room=room(None)).with_result(Result(own.room.activity, own.answers))
    for seen in (replace(own, projected=True), earlier):
        assert told(asked, seen) == as_asked


@pytest.mark.parametrize("kind", KINDS)
def test_nobodys_answers_are_told_as_nobodys(kind: str) -> None:
    view = room_view(RoomInputs(), Style(), held(kind, Phase.SHOWN, 0))
    assert view.wall is None
    assert view.answer == "Nobody has answered."


def test_the_way_in_is_the_code_in_two_halves_an_address_and_a_square_of_the_same() -> None:
    import segno

    view = room_view(RoomInputs(), Style(), Held(room(None), root="https://meet.example/"))
    assert (view.code, view.address) == ("ABC 234", "meet.example/join")
    assert "**meet.example/join**" in view.answer
    assert "**ABC 234**" in view.answer
    made = segno.make("https://meet.example/join?code=ABC234", error="m", micro=False)
    assert view.square.count("<path") == 2
    assert f'viewBox="0 0 {made.symbol_size(border=3)[0]} {made.symbol_size(border=3)[0]}"' in view.square
    other = room_view(RoomInputs(), Style(), Held(room(None), root="https://other.example/"))
    assert other.square != view.square


@pytest.mark.parametrize("kept", KEPT)
def test_what_is_stored_where_and_until_when_is_told_in_full_to_the_moderator_and_briefly_on_the_wall(
    kept: str,
) -> None:
    where, outlasts = KEPT[kept]
    told = room_view(RoomInputs(), Style(), Held(room(None), kept=kept, zone="Europe/Zurich")).stored
    assert where in told
    assert ("PostgreSQL's files and backups can hold it longer." in told) == outlasts
    assert "23 November, 10:05" in told
    assert "no account, no name, no address" in told
    projected = room_view(RoomInputs(), Style(), Held(room(None), kept=kept, projected=True)).stored
    assert projected == f"Stored {where}; your phone says what and until when."


def test_no_key_reaches_a_view() -> None:
    assert not {"code", "key", "me"} & {field.name for field in fields(RoomInputs)}
    assert {field.name for field in FIELDS if field.private} == {"code", "key", "next_key", "wall"}
    assert {field.name for field in page_entry("join").fields if not field.private} == set()


@pytest.mark.parametrize("kind", KINDS)
def test_settings_and_answers_come_back_from_what_the_database_holds(kind: str) -> None:
    activity = ACTIVITIES[kind]
    for values in ANSWERS[kind]:
        assert values_of(activity.answers, text_of(activity.answers, values)) == values
    settings = {field.name: field.default for field in activity.settings}
    assert values_of(activity.settings, text_of(activity.settings, settings)) == settings


@pytest.mark.parametrize("kind", KINDS)
def test_every_setting_is_called_after_its_activity_and_every_choice_has_words(kind: str) -> None:
    activity = ACTIVITIES[kind]
    assert activity.kind == kind
    for field in activity.settings:
        assert field.name.startswith(f"{kind}_")
        if field.kind == "choice":
            assert set(activity.options(field.name)) == set(field.options)


@pytest.mark.parametrize(
    "text", ["number=1&number=2", "number=1&other=2", "number=nan", "number=1e400", "other=1", "number=" + "9" * 5000]
)
def test_an_answer_that_no_field_takes_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"must"):
        values_of((Field("number", "Your guess", "number", 0.0, low=-1e12, high=1e12),), text)


@given(st.lists(st.sampled_from(["", "a", "b", "c", "d"]), max_size=40))
def test_no_group_of_fewer_than_three_is_told_not_even_by_what_is_left(groups: list[str]) -> None:
    told = groups_shown(groups)
    counted = Counter(groups)
    assert all(group and counted[group] >= FEWEST for group in told)
    left = [group for group in groups if group not in told]
    assert not told or not left or (len(left) >= FEWEST and (len(set(left)) >= 2 or set(left) == {""}))


@given(st.lists(st.sampled_from(["", "a", "b", "c"]), max_size=30), st.randoms())
def test_groups_are_told_whatever_the_order_of_answers(groups: list[str], order: random.Random) -> None:
    mixed = list(groups)
    order.shuffle(mixed)
    assert groups_shown(mixed) == groups_shown(groups)


def test_large_groups_alone_are_all_told() -> None:
    assert groups_shown(["a"] * 3 + ["b"] * 5) == {"a", "b"}
    assert groups_shown(["a"] * 2 + ["b"] * 5) == frozenset()
    assert groups_shown(["a"] * 2 + [""] + ["b"] * 5) == {"b"}
    assert groups_shown(["a"] * 4 + ["b"] * 4 + [""] * 4) == {"a", "b"}
    assert groups_shown(["a"] * 4 + ["b"] * 3 + [""] * 2) == {"a"}


def test_what_is_typed_is_one_line_within_its_length() -> None:
    assert read_line("a\u202eb\x00c\nd") == "a b c d"
    assert read_line("x" * 40) == "x" * 40
    with pytest.raises(ValueError, match=r"must be at most 40 characters; got 41"):
        read_line("x" * 41)
    with pytest.raises(ValueError, match=r"must be at most 6 groups; got 7"):
        read_groups("a;b;c;d;e;f;g")
    with pytest.raises(ValueError, match=r"must have different names"):
        read_groups("Agency; agency")


def test_results_are_downloaded_as_the_wall_told_them_sorted_and_without_whose_they_are() -> None:
    results = [Result(started(kind, dict(RoomInputs().settings), Phase.SHOWN), stored(kind)) for kind in KINDS]
    lines = as_csv(results).splitlines()
    assert lines[0] == "activity,kind,group,answer"
    assert sum(",proof," not in line for line in lines) == 1 + sum(
        len(stored(kind)) for kind in KINDS if kind != "proof"
    )
    assert {line for line in lines if ",proof," in line} == {"1,proof,,0", "1,proof,,1"}
    assert sum(",proof," in line for line in lines) == 33  # a line for each guess
    assert [line for line in lines if "coin_survey" in line] == ["1,coin_survey,,no"] * 4 + ["1,coin_survey,,yes"] * 3
    assert Counter(line.split(",")[2] for line in lines if ",vote," in line) == {"agency": 3, "": 4}
    for held, kind in zip(json.loads(as_json(results))["activities"], KINDS, strict=True):
        assert (held["kind"], set(held["answers"][0])) == (kind, {"group", "answer"})
    again = [Result(result.activity, result.answers[::-1]) for result in results]
    assert (as_csv(again), as_json(again)) == (as_csv(results), as_json(results))
    assert not [name for name in ("N2", "2c1f1n") if name in as_csv(results) + as_json(results)]


def test_the_report_has_every_result_as_the_wall_told_it_and_no_numbers_of_people() -> None:
    results = [Result(started(kind, dict(RoomInputs().settings), Phase.SHOWN), stored(kind)) for kind in KINDS]
    shown = shown_again([*results, Result(results[0].activity, ())], Style())
    document, deck = report(shown, Style()), slides(shown, Style())
    assert len(shown) == len(document.sections) == len(deck.slides) - 1 == len(KINDS)
    for kind, section, slide in zip(KINDS, document.sections, deck.slides[1:], strict=True):
        wall = shown_wall(kind, Style()).wall
        assert wall is not None
        assert section.blocks[0] == Paragraph(wall.answer, "lead")
        assert slide.sentence == wall.answer
        assert sum(isinstance(block, Figure) for block in section.blocks) == 1 + len(wall.more)
        assert slide.picture is not None
    told = html_page(document)
    assert told.count("data:image") >= len(KINDS)
    assert unheard(word_file(document)) == unheard(slides_file(deck)) == []


def test_beside_an_earlier_vote_no_file_tells_groups() -> None:
    for before, groups in (("0", {"", "agency"}), ("1", {""})):
        settings = dict(RoomInputs().settings) | {"vote_before": int(before)}
        told = as_csv([Result(started("vote", settings, Phase.SHOWN), stored("vote"))]).splitlines()[1:]
        assert {line.split(",")[2] for line in told} == groups


def test_a_link_with_a_damaged_key_is_told_without_the_key() -> None:
    reading = read_pairs(FIELDS, [("code", "ABC234"), ("key", "secret-key-cut-short")])
    assert reading.values["code"] == "ABC234"
    assert reading.values["key"] == ""
    assert "secret-key" not in reading.refusals[0].sentence
    assert urlencode({"key": "x"}) not in reading.refusals[0].sentence


@pytest.mark.parametrize("voice", ["plain", "technical"])
def test_every_refusal_of_the_store_has_its_sentence(voice: str) -> None:
    said = {code: refusal_of_room(code.value, voice) for code in RoomCode}
    assert len(set(said.values())) == len(RoomCode)
    assert not [sentence for sentence in said.values() if not sentence.endswith(".") or "{" in sentence]


@pytest.mark.parametrize("kind", KINDS)
def test_an_answer_that_does_not_fit_is_passed_over_and_takes_nothing_from_the_others(kind: str) -> None:
    whole = held(kind, Phase.SHOWN)
    broken = replace(whole, answers=(*whole.answers, replace(whole.answers[0], answer="number=many&more=1")))
    assert room_view(RoomInputs(), Style(), broken).answer == room_view(RoomInputs(), Style(), whole).answer
    alone = room_view(RoomInputs(), Style(), replace(whole, answers=broken.answers[-1:]))
    assert (alone.answer, alone.wall) == ("Nobody has answered.", None)


def test_a_page_that_watches_is_drawn_again_when_the_phase_or_the_activity_becomes_another() -> None:
    moments = [room_view(RoomInputs(), Style(), held("vote", phase)).moment for phase in Phase]
    whole = held("vote", Phase.OPEN)
    second = replace(whole.room.activity, number=2)
    moments.append(room_view(RoomInputs(), Style(), replace(whole, room=replace(whole.room, activity=second))).moment)
    assert len({*moments}) == len(Phase) + 1

"""A noisy folder of one's own on *Publish*: taken, kept in the session alone, forgotten; whatever else is refused."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qs

from riskline.case.link import write_case
from riskline.case.value import Case
from tests.app.opened_page import bring, open_page, sound, text_of
from tests.noisy_folders import files_of, release, shapes_file, written


def told(test) -> str:
    return "\n".join(element.value for element in test.error).replace("\\", "")


def test_a_noisy_folder_is_taken_kept_in_the_session_and_forgotten(tmp_path: Path) -> None:
    test = open_page("publish", data="own")
    sound(test)
    assert any("No folder yet" in one.value for one in test.info)
    bring(test, [("people.csv", b"person,county\nAda,C1\n")])
    assert "File not taken: this is no folder that riskline release wrote." in told(test)
    assert "Ada" not in repr(test.session_state["_choices"])
    bring(test, files_of(written(tmp_path, release(name="Winter babies"))))
    assert not told(test)
    assert not test.info
    assert any("2 tables, 64 areas" in one.value for one in test.caption)
    assert "ρ = 0.60" in text_of(test)
    for name, place in (("time", 2), ("wanted", "ratio"), ("other_table", 2), ("table", 2), ("area", 5)):
        test.selectbox(key=f"publish.{name}").set_value(place)
        sound(test.run())
    assert "4 &lt;b&gt;, as a share of 4 &lt;b&gt;" in text_of(test)
    assert set(test.query_params) == {"data", "table", "time", "wanted", "other_table", "area"}
    assert "Winter" not in str(test.query_params)
    next(one for one in test.button if one.label == "Forget this folder").click()
    sound(test.run())
    assert "_own_folder" not in test.session_state
    assert any("No folder yet" in one.value for one in test.info)


def bring_shapes(test, content: bytes) -> None:
    (box,) = [box for box in test.file_uploader if "GeoJSON" in box.label]
    assert box.proto.max_upload_size_mb == 5
    box.set_value([("areas.geojson", content, "application/geo+json")])
    sound(test.run())


def test_shapes_are_taken_kept_in_the_session_and_forgotten(tmp_path: Path) -> None:
    test = open_page("publish", data="own")
    assert not [box for box in test.file_uploader if "GeoJSON" in box.label]
    bring(test, files_of(written(tmp_path, release())))
    assert not [box for box in test.selectbox if box.key == "publish.shown"]
    bring_shapes(test, shapes_file("C1", type="Topology"))
    assert "File not taken: shapes must be a FeatureCollection; got Topology." in told(test)
    assert "_own_shapes" not in test.session_state
    bring_shapes(test, shapes_file(*(f"C{at}" for at in range(1, 60)), "Atlantis"))
    assert not told(test)
    said = "Shapes joined by <strong>AREA_ID</strong>. 1 area has no shape: C0. 1 shape is of no area: Atlantis."
    assert said in text_of(test)
    test.selectbox(key="publish.shown").set_value("dots")
    sound(test.run())
    assert "AREA_ID" not in text_of(test)
    assert set(test.query_params) == {"data", "shown"}
    assert "Atlantis" not in repr(test.session_state["_choices"])
    next(one for one in test.button if one.label == "Forget these shapes").click()
    sound(test.run())
    assert "_own_shapes" not in test.session_state
    assert not [box for box in test.selectbox if box.key == "publish.shown"]


def test_a_folder_that_was_changed_leaves_the_one_that_is_held(tmp_path: Path) -> None:
    test = open_page("publish", data="own")
    folder = written(tmp_path, release())
    bring(test, files_of(folder))
    before = text_of(test)
    (folder / "areas.csv").write_text("code\n1\n", encoding="utf-8")
    bring(test, files_of(folder))
    assert "File not taken: areas.csv must be as it was written" in told(test)
    assert "ρ = 0.60" in before
    assert "ρ = 0.60" in text_of(test)


def test_a_case_that_contradicts_itself_is_refused_in_a_sentence() -> None:
    test = open_page("publish", **write_case(Case(secret="presence", relation="replace")))
    sound(test)
    assert "Secret must be 'value' or 'answer' where records are replaced" in told(test)
    assert len(test.selectbox) >= 4


def test_several_areas_are_chosen_in_a_list_and_stand_in_the_link() -> None:
    test = open_page("publish", area="3", more_areas="4~3~9~99")
    sound(test)
    assert "Block 3 and 2 more, under voting age" in text_of(test)
    box = test.multiselect(key="publish.more_areas")
    assert box.value == [4, 9]
    assert not any(option.startswith("Block 3 ") for option in box.options)
    box.set_value([4])
    sound(test.run())
    assert "Block 3 and 1 more" in text_of(test)
    assert test.query_params["more_areas"] == "4"
    test.selectbox(key="publish.area").set_value(4)
    sound(test.run())
    assert "Block 4, under" in text_of(test)


def test_no_difference_is_offered_where_there_is_one_area() -> None:
    questions = open_page("publish").selectbox(key="publish.wanted").options
    assert questions == ["how many", "a difference", "a share or rate"]
    county = open_page("publish", level=3, wanted="difference")
    sound(county)
    assert county.selectbox(key="publish.wanted").options == ["how many", "a share or rate"]
    assert not [box for box in county.selectbox if box.key == "publish.other_area"]


def test_a_difference_is_offered_as_long_as_an_area_is_left_to_take_off() -> None:
    for more, kinds in (("2~3", 3), ("2~3~4", 2)):  # of four block groups
        test = open_page("publish", level="2", area="1", more_areas=more)
        assert len(test.selectbox(key="publish.wanted").options) == kinds


def test_what_a_reader_learns_is_of_the_same_count_of_the_same_folder(tmp_path: Path) -> None:
    test = open_page("publish", data="own")
    bring(test, files_of(written(tmp_path, release())))
    test.selectbox(key="publish.area").set_value(5)
    sound(test.run())
    (way,) = (one.proto for one in test.get("page_link") if one.proto.page == "infer")
    there = open_page("infer", **{name: one for name, (one,) in parse_qs(way.query_string).items()})
    sound(there)
    assert [there.selectbox(key=f"infer.{name}").value for name in ("part", "data")] == ["folder", "own"]
    assert there.query_params["area"] == "5"

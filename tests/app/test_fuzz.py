"""Fuzzing what a reader can bring: query strings, scenario files, tables. Sentences only, and none that reads oddly.

Some examples run with every change; `HYPOTHESIS_PROFILE=thorough pytest tests/app/test_fuzz.py` runs 5,000 of each.
"""

from __future__ import annotations

import json
import os
import re
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dpcore.populations import CountTable, TableError, read_counts
from dpcore.public_information import CategoricalRecords, read_records
from riskline.case.fields import Field, pairs_of, read_pairs, write_query
from ui.link import scenario
from ui.link.page_table import PAGES
from ui.views.shared.typed_table import decode_counts, decode_list
from ui.words.markdown import escape_markdown

EXAMPLES = 5_000 if os.environ.get("HYPOTHESIS_PROFILE") == "thorough" else 150
FUZZED = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
ODD = re.compile(
    r"Traceback|np\.|\bnan\b|\binf\b|\bNone\b|array\(|<class|object at 0x|e-[1-9][0-9]{2}|(?<![\w.])-0 in "
)
LONGEST_SENTENCE = 700

NUMBERS = st.one_of(
    st.floats().map(repr),
    st.integers().map(str),
    st.text(alphabet="0123456789.,-+eE %/in", max_size=12),
    st.sampled_from(["nan", "inf", "-0", "1e-320", "1e308", "1/3", "5 %", "0,025", "1,234", "9" * 400, "1/" * 60]),
)
WORDS = st.one_of(
    st.text(max_size=30),
    st.text(alphabet=st.characters(min_codepoint=0xD7F0, max_codepoint=0xE010), max_size=4),
    st.sampled_from(
        ["=1+1", "a;=1+1", "![](//h/a.png)", "<script>", "\u202e", "\x00", "a" * 5000, "$x$", ":red[x]", "[" * 2000]
    ),
)


def sound(sentence: str, brought: str = "") -> None:
    """A sentence that can be sent, is no page long, and holds nothing odd that the reader did not bring."""
    assert sentence.strip()
    assert len(sentence) <= LONGEST_SENTENCE, sentence
    escape_markdown(sentence).encode("utf-8")
    sentence.encode("utf-8")
    found = ODD.search(sentence)
    assert found is None or found.group().lower() in brought.lower(), sentence


@st.composite
def values_for(draw: st.DrawFn, field: Field) -> str:
    """A value for a field: what it offers, a number, words, or its own default with something changed."""
    written = field.encode(field.default)
    kinds = [NUMBERS, WORDS, st.just(written)]
    if field.options:
        kinds.append(st.sampled_from(field.options))
    if written:
        kinds.append(st.tuples(st.just(written), st.integers(0, len(written)), NUMBERS | WORDS).map(_inserted))
    return draw(st.one_of(kinds))


def _inserted(parts: tuple[str, int, str]) -> str:
    text, place, piece = parts
    return text[:place] + piece + text[place:]


@st.composite
def queries(draw: st.DrawFn, fields: tuple[Field, ...]) -> list[tuple[str, str]]:
    """Parameters of a link: some of the page's, some twice, some nobody's."""
    pairs = []
    for field in draw(st.lists(st.sampled_from(fields), max_size=6)):
        pairs.append((field.name, draw(values_for(field))))
    return pairs + draw(st.lists(st.tuples(WORDS, WORDS), max_size=2))


ASKING = [entry for entry in PAGES if entry.fields]


@given(st.data())
@FUZZED
def test_a_query_string_is_read_or_told_in_sentences(data: st.DataObject) -> None:
    entry = data.draw(st.sampled_from(ASKING))
    pairs = data.draw(queries(entry.fields))
    reading = read_pairs(entry.fields, pairs)
    brought = " ".join(f"{name} {text}" for name, text in pairs)
    for refusal in reading.refusals:
        sound(refusal.sentence, brought)
    assert set(reading.values) == {field.name for field in entry.fields}
    query = write_query(entry.fields, reading.values)
    again = read_pairs(entry.fields, query.items())
    assert again.refusals == ()
    assert write_query(entry.fields, again.values) == query


@given(st.text(max_size=200))
@FUZZED
def test_any_text_after_the_question_mark_is_read_or_told(text: str) -> None:
    for entry in ASKING[:3]:
        for refusal in read_pairs(entry.fields, pairs_of(text)).refusals:
            sound(refusal.sentence, text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | WORDS,
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(WORDS, inside, max_size=4),
    max_leaves=12,
)


@st.composite
def files(draw: st.DrawFn) -> bytes:
    """A scenario file: nearly right, or any JSON, or any bytes; sometimes cut off or with a byte changed."""
    pages: dict[str, Any] = {}
    for entry in draw(st.lists(st.sampled_from(PAGES), max_size=3)):
        pages[entry.stem] = dict(draw(queries(entry.fields))) if entry.fields else draw(JSON)
    if draw(st.booleans()):
        pages[draw(WORDS)] = draw(JSON)
    document = {"riskline_scenario": draw(st.sampled_from([1, 1, 1, 2, "1", 1.5, 10**30])), "pages": pages}
    if draw(st.integers(0, 4)) == 0:
        document[draw(WORDS)] = draw(JSON)
    if draw(st.integers(0, 4)) == 0:
        document = draw(JSON)
    text = json.dumps(document)
    content = text.encode() if draw(st.booleans()) else text.encode("utf-16")
    if draw(st.integers(0, 5)) == 0:
        place = draw(st.integers(0, max(len(content) - 1, 0)))
        content = content[:place] + draw(st.binary(max_size=3)) + content[place + 1 :]
    return content


@given(files() | st.binary(max_size=300))
@FUZZED
def test_a_scenario_file_is_loaded_or_told_in_sentences(content: bytes) -> None:
    brought = content.decode("utf-8", "replace") + content.decode("utf-16", "replace")
    try:
        loaded = scenario.read(content)
    except ValueError as error:
        sound(str(error), brought)
        return
    for refusal in (*loaded.unknown, *(one for told in loaded.refusals.values() for one in told)):
        sound(refusal.sentence, brought)
    written = scenario.write(loaded.pages, voice=loaded.voice)
    written.encode("utf-8")
    again = scenario.read(written)
    assert scenario.write(again.pages, voice=again.voice) == written
    assert not any(again.refusals.values())


DIGITS = st.integers(0, 9).map(str)
CELLS = NUMBERS | WORDS | st.integers(0, 99).map(str)


@st.composite
def tables(draw: st.DrawFn) -> bytes:
    """A table as a file: nearly right, with odd cells, rows of other lengths, another separator or another encoding."""
    separator = draw(st.sampled_from([",", ",", ";", "\t", "|"]))
    width = draw(st.integers(1, 5))
    rows = [draw(st.sampled_from([["place", "age", "count"], ["place", "adult", "child"], ["a", "b", "c"]]))]
    for _ in range(draw(st.integers(0, 6))):
        rows.append(
            [draw(CELLS) if draw(st.integers(0, 3)) == 0 else str(draw(st.integers(0, 9))) for _ in range(width)]
        )
    text = draw(st.sampled_from(["\n", "\r\n", "\r"])).join(separator.join(row) for row in rows)
    return text.encode(draw(st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "latin-1"])), "replace")


@given(tables() | st.binary(max_size=300))
@FUZZED
def test_a_table_is_read_or_told_in_sentences(content: bytes) -> None:
    brought = "".join(content.decode(name, "replace") for name in ("utf-8", "utf-16", "latin-1"))
    try:
        counts = read_counts(content)
    except TableError as error:
        sound(str(error), brought)
    else:
        assert isinstance(counts, CountTable)
        for note in counts.notes:
            sound(note, brought)
    try:
        records = read_records(content)
    except ValueError as error:
        sound(str(error), brought)
    else:
        assert isinstance(records, CategoricalRecords)


@given(
    st.text(alphabet="0123456789 ,;/_~=|\t\nabctotal.-+", max_size=60)
    | tables().map(lambda raw: raw.decode("utf-8", "replace"))
)
@FUZZED
def test_a_typed_table_is_read_or_told_in_sentences(text: str) -> None:
    for decode in (decode_counts, decode_list):
        try:
            counts = decode(text)
        except ValueError as error:
            sound(str(error), text)
        else:
            assert all(0 <= count <= 10_000_000 for row in counts for count in row)
            assert len({len(row) for row in counts}) == 1

"""Cell keys, rounding and suppression as laws: rows of largest entropy, tables from files, refusals by name and row."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from scipy.optimize import linprog, minimize

from dpcore.errors import Code, Refused
from dpcore.mechanisms import DiscreteGaussian
from dpcore.methods import (
    CellKey,
    DisclosureControl,
    GraduatedRounding,
    NearestRounding,
    PerturbationTable,
    RandomRounding,
    SmallCountSuppression,
)
from dpcore.methods.laws import half_width_of
from tests.controls import METHODS, TABLE
from tests.each import each


def law_of(method: DisclosureControl, count: int) -> dict[object, float]:
    law = method.law(count)
    return dict(zip(law.values, law.probability.tolist(), strict=True))


# ---- rows of largest entropy ----------------------------------------------------------------------------------------


def allowed_noise(keys: CellKey, count: int) -> np.ndarray:
    """What may be added to a count: enough for 0 or more than the counts never published, at most the largest noise."""
    published = [j for j in range(count + keys.largest_noise + 1) if j == 0 or j > keys.never_published]
    return np.array([j - count for j in published if abs(j - count) <= keys.largest_noise], dtype=float)


def entropy_by_solver(noise: np.ndarray, variance: float) -> np.ndarray:
    """The law of largest entropy with mean 0 and this variance, by a solver that knows nothing of its form."""
    conditions = np.array([np.ones(noise.size), noise, noise**2])
    targets = np.array([1.0, 0.0, variance])
    corners = [linprog(-one, A_eq=conditions, b_eq=targets, bounds=(0, 1)).x for one in np.eye(noise.size)]
    found = minimize(
        lambda p: float(p @ np.log(p)),
        np.mean(corners, axis=0),  # inside all bounds
        jac=lambda p: np.log(p) + 1,
        method="SLSQP",
        constraints={"type": "eq", "fun": lambda p: conditions @ p - targets, "jac": lambda _: conditions},
        bounds=[(1e-9, 1.0)] * noise.size,
        options={"ftol": 1e-15, "maxiter": 1000},
    )
    assert np.abs(conditions @ found.x - targets).max() < 1e-9
    return np.asarray(found.x)


@pytest.mark.parametrize(
    ("largest", "variance", "js", "count"),
    [
        (2, 1.0, 0, 1),
        (2, 1.0, 0, 7),
        (2, 0.1, 0, 1),
        (3, 2.0, 0, 2),
        (3, 7.5, 0, 3),  # more mass at the ends than in the middle
        (5, 3.0, 0, 1),
        (5, 3.0, 2, 1),
        (5, 3.0, 2, 2),
        (5, 2.05, 2, 2),  # close to the least that a gap around the count allows
        (5, 3.0, 2, 7),
        (6, 5.5, 1, 1),
        (8, 4.0, 3, 3),
    ],
)
def test_a_row_has_the_largest_entropy_as_a_general_convex_solver_finds_it(
    largest: int, variance: float, js: int, count: int
) -> None:
    keys = CellKey(largest_noise=largest, variance=variance, never_published=js)
    law = keys.law(count)
    noise = allowed_noise(keys, count)
    assert (np.array(law.values) - count).tolist() == noise.tolist()
    found = entropy_by_solver(noise, variance)
    assert law.probability == pytest.approx(found, abs=2e-5)
    assert -(law.probability @ law.log_probability) >= -(found @ np.log(found)) - 1e-8


@pytest.mark.parametrize(("largest", "js", "count"), [(2, 0, 1), (5, 0, 5), (5, 2, 1), (5, 2, 2), (7, 3, 6)])
@each("share", [1e-15, 1e-9, 0.01, 0.5, 0.99, 1 - 1e-9])
def test_a_row_keeps_its_moments_and_its_form_up_to_the_ends_of_its_range(
    largest: int, js: int, count: int, share: float
) -> None:
    least, most = CellKey(largest_noise=largest, variance=1, never_published=js).variance_range(count)
    variance = least + share * (most - least)
    law = CellKey(largest_noise=largest, variance=variance, never_published=js).law(count)
    noise = law.error
    assert law.bias == pytest.approx(0, abs=1e-12)
    assert law.probability.sum() == pytest.approx(1, abs=1e-13)
    # the distance to the nearer end keeps its relative accuracy
    to_least = float(law.probability @ noise**2) if least == 0 else None
    if to_least is not None:
        assert to_least == pytest.approx(variance, rel=1e-10)
    away = float(law.probability @ ((noise - noise[0]) * (noise[-1] - noise)))
    assert away == pytest.approx(most - variance, rel=1e-9, abs=1e-12)
    fit = np.polynomial.polynomial.polyfit(noise, law.log_probability, 2)
    scale = np.abs(law.log_probability).max() + 1
    assert np.polynomial.polynomial.polyval(noise, fit) == pytest.approx(law.log_probability, abs=1e-9 * scale)


def test_the_ends_of_the_range_are_laws_of_two_points() -> None:
    keys = CellKey(largest_noise=5, variance=2, never_published=2)
    assert keys.variance_range(1) == (2, 5)
    assert law_of(keys, 1) == pytest.approx({0: 2 / 3, 3: 1 / 3})
    assert law_of(CellKey(largest_noise=2, variance=2), 1) == pytest.approx({0: 2 / 3, 3: 1 / 3})
    assert law_of(CellKey(largest_noise=2, variance=4), 5) == pytest.approx({3: 0.5, 7: 0.5})
    assert law_of(CellKey(largest_noise=2, variance=0), 5) == {5: 1.0}


@pytest.mark.parametrize(("largest", "js"), [(1, 0), (2, 0), (4, 0), (4, 1), (4, 3), (6, 2)])
def test_the_range_of_variances_is_that_of_a_linear_programme(largest: int, js: int) -> None:
    keys = CellKey(largest_noise=largest, variance=1, never_published=js)
    for count in range(1, keys.first_full_row + 2):
        noise = allowed_noise(keys, count)
        ends = [
            linprog(sign * noise**2, A_eq=[np.ones(noise.size), noise], b_eq=[1, 0], bounds=(0, 1)).fun * sign
            for sign in (1, -1)
        ]
        assert keys.variance_range(count) == pytest.approx(ends, abs=1e-9)


def test_a_full_row_is_a_cut_discrete_gaussian_and_all_larger_counts_use_it() -> None:
    keys = CellKey(largest_noise=8, variance=4, never_published=2)
    law = keys.law(keys.first_full_row)
    rho = float(law.log_probability[8] - law.log_probability[9])
    wide = DiscreteGaussian(rho=rho).pmf(np.arange(-8, 9))
    assert law.probability == pytest.approx(wide / wide.sum(), rel=1e-12)
    far = keys.law(10**15)
    assert far.values == tuple(10**15 + noise for noise in range(-8, 9))
    assert (far.probability == law.probability).all()


def test_noise_of_any_size_keeps_finite_evidence_inside_the_common_values() -> None:
    worlds = CellKey(largest_noise=60, variance=1).presence(200)
    inside = worlds.evidence[1:-1]
    assert np.isfinite(inside).all()
    assert worlds.evidence[[0, -1]].tolist() == [-math.inf, math.inf]
    assert np.diff(inside) == pytest.approx(np.diff(inside)[0], rel=1e-9)


def test_zeros_stay_and_a_row_that_cannot_be_is_named_with_its_range() -> None:
    keys = CellKey(largest_noise=2, variance=3)
    assert law_of(keys, 0) == {0: 1.0}
    assert keys.law(2).mean_square_error == pytest.approx(3)  # judged alone
    with pytest.raises(Refused, match=r"^row 1: variance must lie in \[0, 2\]; got 3\.0$") as refused:
        keys.law(1)
    assert refused.value.code is Code.INFEASIBLE
    with pytest.raises(Refused, match=r"^row 1: variance must lie"):
        _ = keys.table
    with pytest.raises(Refused, match=r"^row 2: variance must lie in \[0, 4\]; got 5\.0$"):
        CellKey(largest_noise=2, variance=5).law(9)
    with pytest.raises(Refused, match=r"^row 1: variance must lie in \[2, 5\]; got 1\.0$"):
        CellKey(largest_noise=5, variance=1, never_published=2).law(1)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"largest_noise": 0, "variance": 1}, "largest_noise must be a whole number from 1 to 1000; got 0"),
        ({"largest_noise": 2, "variance": -1}, "variance must be at least 0 and finite; got -1"),
        ({"largest_noise": 2, "variance": math.nan}, "variance must be at least 0 and finite; got nan"),
        (
            {"largest_noise": 2, "variance": 1, "never_published": 2},
            "never_published must be a whole number from 0 to 1; got 2",
        ),
    ],
)
def test_cell_keys_refuse_by_name(given: dict[str, float], text: str) -> None:
    with pytest.raises(Refused, match=f"^{re.escape(text)}$"):
        CellKey(**given)  # type: ignore[arg-type]


# ---- tables from a file ---------------------------------------------------------------------------------------------


def test_a_table_is_read_from_the_common_format_in_any_order_of_columns_and_lines() -> None:
    table = PerturbationTable.from_text(TABLE)
    assert law_of(table, 1) == pytest.approx({0: 0.5, 1: 0.1, 2: 0.3, 3: 0.1})
    assert law_of(table, 41) == pytest.approx({40: 0.25, 41: 0.5, 42: 0.25})
    head, *lines = [",".join(line.split(";")[::-1]) for line in TABLE.splitlines()]
    assert PerturbationTable.from_text("\ufeff" + "\r\n".join([head, *lines[::-1]]) + "\r\n\r\n") == table
    decimal_commas = TABLE.replace(".", ",").replace('"', "")
    assert PerturbationTable.from_text(decimal_commas) == table
    quoted = "\n".join(";".join(f'"{field}"' for field in line.split(";")) for line in TABLE.splitlines())
    assert PerturbationTable.from_text(quoted) == table
    noted = "\n".join(line + (",a;b" if row else ",note") for row, line in enumerate([head, *lines]))
    assert PerturbationTable.from_text(noted) == table  # the line of names says what parts the columns


def test_a_table_of_ours_comes_back_as_it_was_written_with_eight_digits() -> None:
    keys = CellKey(largest_noise=5, variance=3, never_published=2)
    text = "i;j;p\n" + "".join(f"{i};{j};{p:.8f}\n" for i, j, p in keys.table.rows)
    read = PerturbationTable.from_text(text)
    assert read.never_published == 2
    assert not read.is_cut_short
    for count in (0, 1, 2, 3, 6, 8, 9, 100):
        assert law_of(read, count) == pytest.approx(law_of(keys, count), abs=1e-7)
    assert read.variances[1:] == pytest.approx(3, abs=1e-5)
    assert read.biased_rows == ()
    assert PerturbationTable(keys.table.rows) == keys.table


def test_a_table_says_which_rows_are_biased_and_whether_it_is_cut_short() -> None:
    assert PerturbationTable(((0, 0, 1), (1, 1, 0.5), (1, 2, 0.5), (2, 2, 1))).biased_rows == (1,)
    assert not PerturbationTable(((0, 0, 1), (1, 0, 0.25), (1, 1, 0.5), (1, 2, 0.25))).is_cut_short
    lopsided = ((0, 0, 1), (1, 0, 2 / 3), (1, 3, 1 / 3))
    assert PerturbationTable(lopsided).is_cut_short  # its mean is its count, and it is not symmetric
    assert PerturbationTable(((0, 0, 1), (1, 1, 0.5), (1, 2, 0.5))).is_cut_short
    assert PerturbationTable(((0, 0, 1),)).is_cut_short
    never_one = ((0, 0, 1), (1, 0, 0.5), (1, 2, 0.5))
    assert PerturbationTable(never_one).never_published == 1
    assert PerturbationTable(never_one).is_cut_short  # shifted to 2 it would publish a 1


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        ((), "rows must hold entries of a true count, a published count and a probability; got ()"),
        (((0, 0, 1), (1, 0)), "entry 2: entry must be a true count, a published count and a probability; got (1, 0)"),
        (((0, 0, 1), (0.5, 0, 1)), "entry 2: i must be a whole number of at least 0; got 0.5"),
        (((0, 0, 1), (1, -1, 1)), "row 1: j must be a whole number of at least 0; got -1"),
        (((0, 0, 1), (1, 1, 1.2)), "row 1: p must lie in [0, 1]; got 1.2"),
        (((0, 0, 1), (1, 1, math.nan)), "row 1: p must lie in [0, 1]; got nan"),
        (((0, 0, 1), (1, 1, 0.5), (1, 1, 0.5)), "row 1: j must come once; got 1"),
        (((0, 0, 1), (2, 2, 1)), "rows must run from 0 to 2 without a gap; got none of 1"),
        (((0, 0, 1), (10**30, 1, 1)), "rows must run from 0 to 1e+30 without a gap; got none of 1"),
        (((1, 1, 1),), "rows must run from 0 to 1 without a gap; got none of 0"),
        (((0, 0, 1), (1, 1, 0.9)), "row 1: p must sum to 1; got 0.9"),
        (((0, 0, 0.9), (0, 1, 0.1), (1, 1, 1)), "row 0: j must be 0: a count of 0 stays 0; got 1"),
    ],
)
def test_a_table_refuses_by_row(rows: tuple[tuple[float, ...], ...], text: str) -> None:
    with pytest.raises(Refused, match=f"^{re.escape(text)}$"):
        PerturbationTable(rows)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("", "text must hold a line of names and lines of numbers; got ''"),
        ("i;j\n0;0", "text must name the columns i, j and p in its first line, each once; got 'i;j'"),
        ("i;j;p;p\n0;0;1;1", "text must name the columns i, j and p in its first line, each once; got 'i;j;p;p'"),
        ("i;j;p\n0;0", "line 2: line must have 3 columns; got 2"),
        ("i;j;p\n0;0;one", "line 2: p must be a number; got 'one'"),
        ("i,j,p\n0,0,1\n1,x,1", "line 3: j must be a number; got 'x'"),
        ("i,j,p\n0,0,1\n1,1_0,1", "line 3: j must be a number; got '1_0'"),
        ("i;j;p", "rows must hold entries of a true count, a published count and a probability; got ()"),
        ("i;j;p\n0;0;1\n1;1e400;1", "row 1: j must be a whole number of at least 0; got inf"),
    ],
)
def test_a_text_that_is_no_table_is_refused_with_its_line(text: str, refusal: str) -> None:
    with pytest.raises(Refused, match=f"^{re.escape(refusal)}$"):
        PerturbationTable.from_text(text)


def test_more_than_can_be_held_is_refused() -> None:
    with pytest.raises(Refused, match="at most 200,000") as refused:
        PerturbationTable(((0, 0, 1.0),) * 200_001)
    assert refused.value.code is Code.TOO_LARGE
    with pytest.raises(Refused, match="at most 200,000"):
        PerturbationTable.from_text("i;j;p\n" + "0;0;1\n" * 200_001)
    with pytest.raises(Refused, match="text must be text"):
        PerturbationTable.from_text(b"i;j;p")  # type: ignore[arg-type]


# ---- rounding -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("base", [1, 2, 3, 4, 5, 10])
def test_rounding_goes_to_a_nearest_multiple_a_tie_upwards(base: int) -> None:
    for count in range(4 * base):
        (published,) = NearestRounding(base=base).law(count).values
        multiples = range(0, 6 * base, base)
        distance = min(abs(multiple - count) for multiple in multiples)
        assert published == max(multiple for multiple in multiples if abs(multiple - count) == distance)


@pytest.mark.parametrize("base", [1, 2, 3, 5, 10])
def test_random_rounding_is_unbiased_and_keeps_multiples(base: int) -> None:
    for count in range(3 * base + 1):
        law = RandomRounding(base=base).law(count)
        assert law.bias == pytest.approx(0, abs=1e-12)
        assert all(value % base == 0 and abs(value - count) < base for value in law.values)
        rest = count % base
        assert law.mean_square_error == pytest.approx(rest * (base - rest))
        assert len(law.values) == (2 if rest else 1)


def test_given_probabilities_of_going_down_are_taken_and_their_bias_is_shown() -> None:
    rounded = RandomRounding(base=3, probability_down=[0.75, 0.25])
    assert law_of(rounded, 7) == pytest.approx({6: 0.75, 9: 0.25})
    assert rounded.law(7).bias == pytest.approx(2 - 3 * 0.75)  # (b - r) - b p_down(r)
    assert rounded.law(8).bias == pytest.approx(1 - 3 * 0.25)
    assert law_of(RandomRounding(base=3, probability_down=(1, 0)), 7) == {6: 1.0}
    assert law_of(RandomRounding(base=3, probability_down=(1, 0)), 8) == {9: 1.0}


def test_a_class_rounds_to_its_own_base_and_never_beyond_its_ends() -> None:
    classes = ((0, 3), (18, 2), (20, 5), (100, 10), (1000, 100))
    rounded = GraduatedRounding(classes=classes)
    assert law_of(rounded, 17) == pytest.approx({15: 1 / 3, 18: 2 / 3})
    assert law_of(rounded, 18) == {18: 1.0}
    assert law_of(rounded, 99) == pytest.approx({95: 0.2, 100: 0.8})
    assert law_of(rounded, 1234) == pytest.approx({1200: 0.66, 1300: 0.34})
    nearest = GraduatedRounding(classes=classes, random=False)
    assert [nearest.law(count).values[0] for count in (17, 19, 22, 23, 104, 105, 1250)] == [
        18, 20, 20, 25, 100, 110, 1300,
    ]  # fmt: skip
    starts = [start for start, _ in classes[1:]]
    for count in range(1200):
        for end in starts:
            if count >= end:
                assert all(value >= end for value in rounded.law(count).values)
            else:
                assert all(value <= end for value in rounded.law(count).values)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: NearestRounding(base=0), "base must be a whole number from 1 to 10000; got 0"),
        (lambda: RandomRounding(base=0), "base must be a whole number from 1 to 10000; got 0"),
        (lambda: RandomRounding(base=2.5), "base must be a whole number from 1 to 10000; got 2.5"),
        (
            lambda: RandomRounding(base=5, probability_down=(0.8, 0.6)),
            "probability_down must have 4 probabilities, one for each remainder; got 2",
        ),
        (lambda: RandomRounding(base=2, probability_down=(1.5,)), "probability_down must lie in [0, 1]; got 1.5"),
        (lambda: GraduatedRounding(classes=()), "classes must be pairs of a first count and a base; got ()"),
        (lambda: GraduatedRounding(classes=((3, 3),)), "classes must begin at 0; got 3"),
        (lambda: GraduatedRounding(classes=((0, 3), (0, 5))), "classes must begin at rising counts; got 0"),
        (lambda: GraduatedRounding(classes=((0, 3), (15, 0))), "base must be a whole number from 1 to 10000; got 0"),
        (lambda: GraduatedRounding(classes=((0, 3, 1),)), "class must be a first count and a base; got (0, 3, 1)"),
        (
            lambda: GraduatedRounding(classes=((0, 3), (20, 5))),
            "class must begin at a multiple of its base 5 and of the base 3 before it; got 20",
        ),
        (lambda: GraduatedRounding(classes=((0, 3),), random=1), "random must be True or False; got 1"),
        (
            lambda: GraduatedRounding(classes=tuple((2 * k, 2) for k in range(101))),
            "classes must be at most 100; got 101",
        ),
        (lambda: SmallCountSuppression(threshold=0), "threshold must be a whole number from 1 to 10000; got 0"),
        (lambda: NearestRounding(base=3).law(-1), "count must be a whole number of at least 0; got -1"),
        (lambda: NearestRounding(base=3).presence(0.5), "others must be a whole number of at least 0; got 0.5"),
    ],
)
def test_what_cannot_be_is_refused_by_name(make: object, text: str) -> None:
    with pytest.raises(Refused, match=f"^{re.escape(text)}$"):
        make()  # type: ignore[operator]


# ---- suppression as a law, and what all laws answer -----------------------------------------------------------------


def test_small_counts_are_hidden_and_all_others_shown() -> None:
    shown = SmallCountSuppression(threshold=5)
    hidden = SmallCountSuppression(threshold=5, zero="hidden")
    assert [shown.law(count).values[0] for count in range(7)] == [0, "x", "x", "x", "x", 5, 6]
    assert [hidden.law(count).values[0] for count in range(7)] == ["x", "x", "x", "x", "x", 5, 6]


def test_a_suppressed_cell_has_no_error() -> None:
    law = SmallCountSuppression(threshold=5).law(3)
    for ask in (lambda: law.bias, lambda: law.mean_square_error, lambda: law.half_width(0.95)):
        with pytest.raises(Refused, match=r"^count must be one that is published as a number; got 3$"):
            ask()


def test_the_half_width_is_the_smallest_that_holds_the_level() -> None:
    law = RandomRounding(base=5).law(12)  # 10 with 0.6, 15 with 0.4
    assert [law.half_width(level) for level in (0.0, 1e-300, 0.6, 0.61, 0.95)] == [0, 2, 2, 3, 3]
    with pytest.raises(Refused, match=r"level must lie in \[0, 1\)"):
        law.half_width(1.0)
    tens = [NearestRounding(base=10).law(count) for count in range(10)]
    assert half_width_of(tens, 0.9) == 4  # nine tenths are not quite 0.9 in floats


def test_draws_are_those_of_the_law() -> None:
    law = CellKey(largest_noise=2, variance=1).law(1)
    drawn = law.simulate(200_000, seed=5)
    assert drawn.dtype.kind == "i"
    shares = [(drawn == value).mean() for value in law.values]
    assert shares == pytest.approx(law.probability, abs=5 * math.sqrt(0.25 / drawn.size))
    assert SmallCountSuppression(threshold=5).law(3).simulate(3, seed=1).tolist() == ["x", "x", "x"]


@pytest.mark.parametrize("method", METHODS, ids=lambda method: type(method).__name__)
def test_the_representative_counts_show_every_pair_of_laws(method: DisclosureControl) -> None:
    def seen(others: int) -> tuple[tuple[float, float], ...]:
        worlds = method.presence(others)
        return tuple(zip(worlds.present.round(12).tolist(), worlds.absent.round(12).tolist(), strict=True))

    known = {seen(others) for others in method.representative_counts}
    assert {seen(others) for others in range(140)} == known


@pytest.mark.parametrize("people", [1, 2, 4])
@pytest.mark.parametrize("method", METHODS, ids=lambda method: type(method).__name__)
def test_the_counts_of_others_show_every_pair_of_laws_of_a_group(method: DisclosureControl, people: int) -> None:
    def seen(others: int) -> tuple[tuple[float, float], ...]:
        worlds = method.presence(others, people=people)
        return tuple(zip(worlds.present.round(12).tolist(), worlds.absent.round(12).tolist(), strict=True))

    known = {seen(others) for others in method.counts_of_others(people)}
    assert {seen(others) for others in range(140)} == known
    assert people > 1 or method.counts_of_others() == tuple(sorted(method.representative_counts))


def test_a_group_is_counted_together() -> None:
    four = RandomRounding(base=3).presence(1, people=4)  # 1 or 5
    assert four.values == (0, 3, 6)
    assert four.present.round(9).tolist() == [0.0, round(1 / 3, 9), round(2 / 3, 9)]
    with pytest.raises(Refused, match=r"^people must be a whole number of at least 1; got 0"):
        RandomRounding(base=3).presence(1, people=0)


@each(
    "known, sentence",
    [
        ([4, 5], "known must be one count, or one for each of 3; got [4, 5]"),
        ([4, 5, 4.7], "known must be a whole number of at least 0; got 4.7"),
        (4.7, "known must be a whole number of at least 0; got 4.7"),
    ],
)
def test_known_counts_are_whole_and_one_for_each_release(known: object, sentence: str) -> None:
    with pytest.raises(Refused, match=re.escape(sentence)):
        CellKey(largest_noise=2, variance=1).simulate_counts(1, size=3, seed=1, known=known)  # type: ignore[arg-type]

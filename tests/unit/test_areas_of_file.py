"""A file of areas that says by itself how they lie in each other, and the row of what cannot be."""

from __future__ import annotations

import pytest

from riskline.release.areas import areas_of_file

UNEQUAL = b"""Code,Parent,Name,Level
US,,United States,nation
01,US,Alabama,state
72000,US,An island,county
01001,01,Autauga,county
0100101,01001,A town,town
"""


def test_parents_make_a_tree_of_any_shape_and_levels_keep_their_names() -> None:
    areas = areas_of_file(UNEQUAL)
    assert areas.levels == ("nation", "state", "county", "town")
    assert areas.level_of == (0, 1, 2, 2, 3)
    assert areas.names[2] == "An island"


def test_levels_that_are_named_in_another_order_stand_widest_first() -> None:
    content = b"code,parent,level\nb,a,county\na,,state\nc,b,town\nd,a,town\n"
    assert areas_of_file(content).levels == ("state", "county", "town")


def test_codes_alone_begin_with_their_parents_or_lie_on_one_level() -> None:
    areas = areas_of_file(b"code\n24\n24001\n24003\n51\n51001\n")
    assert (areas.levels, areas.parents) == (("level 1", "level 2"), ("", "24", "24", "", "51"))
    assert areas_of_file(b"code,name\n24,A\n51,B\n").levels == ("level 1",)
    named = areas_of_file(b"code,level\n24,state\n24001,county\n")
    assert (named.levels, named.parents) == (("state", "county"), ("", "24"))


def test_depth_is_the_level_where_only_parents_are_said() -> None:
    assert areas_of_file(b"code,parent\na,\nb,a\nc,b\nd,a\n").level_of == (0, 1, 2, 1)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"code,parent\n24,\n\n24,\n", "row 4: areas must have each code once; got '24'"),
        (b"code,parent\n24,\n24001,25\n", "row 3: areas must have parents among the codes, also '24001'; got '25'"),
        (b"code\n24\n24001\n25001\n", "row 4: areas must have parents among the codes, also '25001'; got '25'"),
        (b"code,name\n24,A\n,B\n", "row 3: areas must have a code each; got ''"),
        (
            b"code,parent\na,b\nb,a\n",
            "row 2: areas must be a tree: parents must lead to an area that lies in no other; got 'a'",
        ),
        (b"code,level\na,state\nb,\n", "row 3: areas must each have a level, or none of them"),
        (
            b"code,parent,level\na,,state\nb,a,state\n",
            "row 3: areas must lie at a level below that of their parent, also 'b'; got 'state'",
        ),
        (b"code,parent,level\na,,x\nb,a,y\nc,,y\nd,c,x\n", "must lie at a level below that of their parent"),
        (b"code,name\na\n", "areas must have 2 cells in row 2; got 1"),
        (
            b"place,name\na,b\n",
            "areas must have the headings code and, once each, name, parent, level; got 'place, name'",
        ),
        (b"code\n", "areas must be from 1 to 2,000,000; got 0"),
        (b"\xff\xfe", "areas must be a CSV file in UTF-8"),
        (b"", "areas must have the headings code"),
    ],
)
def test_what_is_no_tree_is_refused_by_row_and_rule(content: bytes, said: str) -> None:
    with pytest.raises(ValueError, match=r"areas must") as refusal:
        areas_of_file(content)
    assert said in str(refusal.value)

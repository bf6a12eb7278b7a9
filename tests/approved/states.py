"""The settings in which a page's sentences are approved: as it opens, and settings in which it speaks otherwise.

They were chosen by hand; each is the query of a link. `REFUSED` are settings that a page answers with a refusal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import quote, urlencode

from dpcore.census import draw_measurements
from riskline.case.link import write_case
from riskline.case.methods import MethodChoice
from riskline.case.points import encode_points
from riskline.case.tables import HEALTH_YEAR, TableRow
from riskline.case.value import Case
from tests.approved.rooms import PHONES, WALLS
from ui.pictures.style import Style
from ui.views.explain import PRESETS as EXPLAIN_PRESETS
from ui.views.hierarchy.view import build_up, measured_view
from ui.views.plan import PRESETS as PLAN_PRESETS
from ui.views.publication import PRESETS as PUBLICATION_PRESETS
from ui.views.publication.clipping import clipping_advice

DRAWN = encode_points([(0.01, 0.1), (0.5, 0.7)])


def _of(case: Case) -> str:
    """The parameters of a link that hold a case."""
    return urlencode(write_case(case), quote_via=quote)


BOARD: dict[str, Any] = {"currency": "epsilon", "by": "The board", "date": "12 May", "reason": "It is enough."}
FILLED = Case(
    title="Births",
    office="Office",
    author="A. Clerk",
    date="1 May",
    released="A table",
    hidden="has Fabry disease",
    secret="value",
    unit="household",
    group=3,
    release="count",
    guarantee="zero_concentrated",
    route="gaussian",
    releases=4,
    line="cap_or_ratio",
)
TABLE = Case(title="School absence", secret="value", relation="replace", areas=38, line="cap_or_ratio")
OFFICE = TABLE.with_choices(office="Office", hidden="was absent more than 20 days", one="pupil")
PUBLICATION = Case(
    ratio=3.0,
    noise="geometric",
    tables=(TableRow("Deaths", wish="20", times="12", areas="40"), TableRow("Ages", wish="30")),
)
STATES: dict[str, dict[str, str]] = {
    "home": {"as it opens": "", "a drawn line": f"points={DRAWN}"},
    "choose": {
        "as it opens": "",
        "a value, of a household, in several noisy counts": "question=value&unit=household&group=4&releases=12"
        "&guarantee=zero_concentrated&route=gaussian&release=count&line=constant&ratio=2&interview=c",
        "a value in replaced records, discrete Gaussian noise": "question=value&relation=replace&release=count"
        "&guarantee=zero_concentrated&route=discrete_gaussian&interview=ct",
        "both beliefs at once": "question=both&line=box&ratio=4&low=0.05&releases=3&unit=days&group=7",
        "a promise that may fail": "guarantee=approximate&releases=3&cap=0.4&failure=0.05&interview=ct2",
        "a drawn line, a belief held below 1, and a public population": f"line=drawn&points={DRAWN}&held=0.6"
        "&view=ratio"
        "&log=yes&population=1,2,3,9&interpolation=loglog&cap=0.5&interview=ct22222yn",
        "a line that nothing can keep": "line=constant&ratio=1&interview=ct20",
        "a line that binds nothing": "line=box&ratio=20&low=0.1&high=0.9",
        "an increase": "line=increase&increase=0.3&view=difference&guarantee=zero_concentrated&interview=ct22222",
        "an interview at its end": "interview=ct22222yn&line=drawn"
        "&points=0.001~0.05_0.01~0.1_0.05~0.25_0.2~0.4_0.5~0.75",
        "an interview whose strictest answer decides": "interview=ct11110yn&line=drawn"
        "&points=0.001~0.01_0.01~0.05_0.05~0.15_0.2~0.3_0.5~0.58",
        "an interview that accepts everything": "interview=ct66666&line=drawn&points=0.001~1_0.01~1_0.05~1_0.2~1_0.5~1",
    },
    "accuracy": {
        "as it opens": "",
        "one of several releases": "releases=4",
        "from an accuracy, Gaussian noise, a household's value": "start=accuracy&noise=gaussian&half_width=25"
        "&secret=value"
        "&unit=household&group=4&count=3000&places=North~4000_90000&more_than=30",
        "a value in replaced records, discrete Gaussian noise, on the target": "noise=discrete_gaussian&rho=0.02"
        "&relation=replace&secret=value&deviation=0&prior=0.5",
        "Laplace noise and many days": "noise=laplace&epsilon=0.3&unit=days&group=30&level=0.5&count=3"
        "&places=12_Birch~0&seed=4",
        "a table in which a replaced record changes two counts": "secret=value&relation=replace&release=table&areas=38",
        "an accuracy for a table": "start=accuracy&secret=value&relation=replace&release=table&areas=38&rho=0.1",
    },
    "plan": {
        "as it opens": "",
        "a largest change, a household's value, cells": "promise=difference&secret=value&unit=household&group=3"
        "&released=cells"
        "&every=week&prior=0.1&rounds=20",
        "promises of three kinds": "rows=p~0.1~2~~Survey!a~0.2~1~1e-07~Table!z~0.01~3~~Counts&cap=0.9"
        "&every=release&rounds=5",
        "answers asked twice of three records, and a δ as large as the failure": "rows=r~0.5~2~~Survey!g~0.01~3~~Count"
        "&every=month&rounds=4&unit=records&group=3&delta=0.01&secret=value",
        "two noises that share no grid": "rows=d~0.01~2~~Count!l~0.1~1~~Total&every=week&rounds=4&cap=0.7",
        "ten years": "every=day&rounds=3650&promise=cap&cap=0.6&relation=replace&secret=value",
        "noisy training once, a value": "also=subsampled_gaussian&secret=value&rate=0.1&steps=50&noise_multiplier=2",
        "shuffled answers and any releases by ρ": "also=shuffled_response&secret=value&rows=z~0.01~3~~Counts&rounds=2",
    },
    "room": {
        "as it opens": "",
        "a guess": "activity=prediction&prediction_question=How%20many%3F",
        "coins of unequal weight": "activity=coin_survey&coin_survey_statement=I%20have%20copied."
        "&coin_survey_forced_yes=0.15&coin_survey_forced_no=0.05",
        "a game on an invented block": "activity=attack&attack_table=synthetic&attack_place=4&attack_prior=shares"
        "&attack_seed=5",
        "a guess of a lesson's number": "activity=prediction&prediction_lesson=20_1",
        "lines about a household's value at a budget in question": "line_about=value&line_unit=household&line_group=4"
        "&line_epsilon=0.2",
        "guesses about coins": "activity=proof&proof_epsilon=0.5",
        "two ways to show": "activity=understanding",
        "budgets, a range and failures": "activity=understanding&understanding_a=odds&understanding_b=label"
        "&understanding_question1=failures&understanding_question2=together&understanding_question3=half_width"
        "&understanding_question4=stronger",
        "a vote": "activity=vote",
        "a vote after a debate": "activity=vote&vote_question=Which%20one%3F&vote_options=one;two;%CE%B5%20=%201"
        "&vote_before=1",
    },
    "join": {
        "as it opens": "",
        "a guess": "number=12",
        "a vote": "vote_choice=%CE%B5%20=%201",
        "two of three questions": "understanding_said=01",
        "a yes, ten bets": "coin_survey_said=yes&attack_bets=1n2f3c1n2f3c1n2f3c1n",
        "five guesses": "proof_guesses=ioioi",
        "a no, two bets": "coin_survey_said=no&attack_bets=1f2c",
    },
    "publication": {
        "as it opens": "",
        "continuous noise": "noise=laplace&start=budget&epsilon=0.6&tables=Births~~20~~4!Deaths~~9~~4~~~12.5",
        "bounds of a second mean": "noise=gaussian&question=value&relation=replace&moves=nowhere&clipped=3"
        "&amounts=hours&rule=same_budget&tables=Staff~~9!Score~mean~5~~30~~~61~0~100~400!Hours~mean~2~~30~~~6~0~12~400",
        "levels of a tree, shared by hand": "start=budget&rho=0.5&levels=yes"
        "&tables=Country~~~~1~~~~~~~~20%20%25!Regions~~~~20~~~~~~~~30%20%25!Places~~~~400~~~~~~~~1/2",
        "levels by name, a month for each record": "start=budget&rho=0.5&geography=nation~1!state~5!county~437"
        "&tables=Births~~40%3B20%3B10~3~nation%3Bstate%3Bcounty~2~~~~~~~~one!All~~20",
        "exact totals, a value in a known area": "question=value&relation=replace&moves=nowhere&start=budget&rho=0.05"
        "&geography=state~5!county~437&tables=Births~~9%3B5~~state%3Bcounty~2~~~~~~~~~state!All~~20",
        "exact totals of presence": "start=budget&rho=0.1&tables=Births~~9~~40~2~~~~~~~~~1",
        "levels that split unevenly": "start=budget&rho=0.5&levels=yes&tables=A~counts~5~~6!B~~5~~38",
        "levels of which no attack is told": "start=budget&rho=0.005&levels=yes&tables=Country~~9!Places~~9~~12",
        "means of a household's values, in ε": "noise=laplace&question=value&relation=replace&unit=household&group=3"
        "&moves=nowhere&line=constant&ratio=6&amounts=scores&tables=Score~mean~5~~30~~~60~0~100~400!Pupils~~9~~30~~~22",
        "days and counts of districts, a value that may move": "noise=geometric&question=value&relation=replace"
        "&tables=Days~total~400~~40~~~21000~0~30!Ill~~20~~40&moves=anywhere",
        "a range for districts alone": "noise=laplace&tables=Districts~~10~~38!Country!Regions~~~2~4",
        "one row of counts kept, with a reserve": "noise=geometric&reserve=0.25"
        "&tables=Cases~counts~15~2~8~~~12!Deaths~~~~8"
        "~~~~~~~~10%20%25",
        "too little for the rows that are shared": "noise=geometric"
        "&tables=Cases~counts~2~12~8!Deaths~~~~8~~~~~~~~40%20%25",
        "no wishes, equal errors": "noise=gaussian&start=budget&rule=same_error"
        "&tables=A~~~4!B~~~~~6~2!C~total~~~~~~~30~31",
        "both beliefs at once": "noise=geometric&question=both&line=constant&ratio=3&tables=Cases~~30~~8!Deaths~~20~~8",
        "importance": "noise=geometric&start=budget&epsilon=0.7&rule=least_weighted_error"
        "&tables=Cases~~30~~8~~~~~~~4!Deaths~~20~~8",
        "an increase": "line=increase&increase=0.3&noise=geometric&tables=Cases~~4~~8",
        "a drawn line": f"line=drawn&points={DRAWN}&interpolation=loglog&noise=geometric&tables=Cases~~4~~8",
        "a line that binds nothing": "line=box&ratio=20&low=0.1&high=0.9",
        "a line that leaves nothing": "line=constant&ratio=1",
        "bounds of a total, and amounts still to come": "tables=Pay~total~9000~~~~~~-20~4000&noise=laplace&amounts=own",
    },
    "positions": {
        "as it opens": "",
        "four positions, a household's value, the strictest line between": "parties=4&question=value&unit=household"
        "&group=3"
        "&middle=strictest&edited=4&view=ratio&log=yes",
        "two who agree": "parties=2&line2=cap_or_ratio&ratio2=3&middle=none&relation=replace&question=value",
        "all ask for nothing": "parties=2&line1=box&ratio1=20&low1=0.1&high1=0.9&line2=box"
        "&ratio2=20&low2=0.1&high2=0.9&middle=mean",
        "six, two of one name": "parties=6&name5=Ministry&edited=5",
        "one who asks for nothing": "parties=2&line2=box&ratio2=20&low2=0.1&high2=0.9&held=0.8",
    },
    "memo": {
        "as it opens": "",
        "no line": _of(Case(title="School absence", hidden="was absent more than 20 days", one="pupil")),
        "a household's value, zero-concentrated, several counts, not decided": _of(FILLED)
        + "&until=2030&reasons=Too%20noisy.&household=5&yearly=12",
        "decided as the line implies, for a table of districts": _of(TABLE.decided(value=1.29, **BOARD))
        + "&until=2030",
        "decided otherwise, whole tables, relatives": _of(
            PUBLICATION.with_choices(relatives=2).decided(value=0.9, **BOARD)
        ),
        "more than the line allows was decided, a belief that is only approached": _of(
            Case(line="constant", ratio=2.0).decided(value=0.8, currency="epsilon")
        ),
        "decided for another case": _of(TABLE.decided(value=1.29, **BOARD).with_choices(ratio=2.0)),
        "decided without a line": _of(
            Case(secret="value", guarantee="zero_concentrated").decided(value=0.02, currency="rho", by="The board")
        ),
        "a published budget": _of(Case(secret="value", published="2020 Census redistricting data, persons")),
        "a published budget and a decision": _of(
            Case(secret="value", published="2020 Census redistricting data, persons").decided(value=0.5, **BOARD)
        ),
        "today's rounding beside a budget": _of(
            OFFICE.with_choices(guarantee="approximate", method_today=MethodChoice("round_nearest").recorded)
        ),
        "swapping today, more than the line allows": _of(
            OFFICE.with_choices(method_today=MethodChoice("swap").recorded).decided(value=2.0, **BOARD)
        ),
        "four positions, a room, a mixed year, no line": "plan=rows%3Dd~0.01~12~~Monthly%2520tables!n~0.3~1"
        "~~Annual%2520survey%26every%3Dyear%26rounds%3D3%26cap%3D0.9%26unit%3Dhousehold%26group%3D4"
        "&positions=parties%3D4%26name1%3DMayor%26line4%3Dbox%26ratio4%3D20%26low4%3D0.1"
        "%26high4%3D0.9&room=lines~presence~household~4~21~1.29~0.9~14~0.4!group~Agency~9~1.1!group~Press~8"
        "!vote~Which%20budget%3F!option~one~3~9!option~%CE%B5%20%3D%201~12~7",
        "the line of a position was taken, a mixed year is planned": "choose=ratio%3D3"
        "&positions=parties%3D4%26name1%3DMayor%26line4%3Dbox%26ratio4%3D20%26low4%3D0.1%26high4%3D0.9"
        "&plan=promise%3Ddifference%26rows%3Dd~0.01~12~~Monthly%2520tables!n~0.3~1~~Annual%2520survey"
        "%26every%3Dyear%26rounds%3D3",
        "both beliefs, counts with geometric noise, a plan by its bound": "phrase=is%20ill&until=2030"
        "&choose=question%3Dboth%26line%3Dbox%26releases%3D3%26release%3Dcount"
        "&plan=rows%3Dp~0.1~2~~Survey!a~0.2~1~1e-07~Table%26rounds%3D5",
        "a line that binds nothing": "choose=line%3Dbox%26ratio%3D20%26low%3D0.1%26high%3D0.9"
        "&plan=promise%3Ddifference%26rows%3Dz~0.01~1~~Counts",
        "a line that leaves nothing to spend": "until=2030&release=Births&choose=line%3Dconstant%26ratio%3D1",
        "a promise that may fail, a target of one's own": "choose=guarantee%3Dapproximate%26releases%3D2"
        "&accuracy=total%3D900%26target%3D20&positions=parties%3D2",
        "seven tables, not decided": _of(
            Case(tables=HEALTH_YEAR, noise="discrete_gaussian", line="cap_or_ratio", hidden="is ill")
        ),
        "tables that nobody has named": _of(Case(release="tables", line="cap_or_ratio")),
        "a room of two about replaced records": _of(Case(secret="value", relation="replace", ratio=2.0))
        + "&room=lines~value_replaced~person~1~2~~2~1~0!vote!option~%CE%B5%20%3D%200.84~3",
    },
    "public": {
        "as it opens": "",
        "no line": _of(Case(title="School absence", hidden="was absent more than 20 days", one="pupil")),
        "a line that leaves nothing to spend": _of(Case(line="constant", ratio=1.0)),
        "decided for a table, until a year, no relatives": _of(OFFICE.decided(value=1.29, **BOARD))
        + "&relatives=0"
        + "&until=2030&household=1",
        "decided for another case, replaced records": _of(OFFICE.decided(value=1.29, **BOARD).with_choices(ratio=2.0)),
        "one plain count, a belief that is only approached": _of(
            Case(line="constant", ratio=2.0, release="count", secret="value")
        ),
        "a household, zero-concentrated, several counts": _of(FILLED),
        "zero-concentrated, nobody was asked about the belief": _of(
            Case(secret="value", relation="replace", guarantee="zero_concentrated").decided(
                value=0.02, currency="rho", by="The board"
            )
        ),
        "a belief that was chosen": _of(Case(prior=0.1).decided(value=1.0, currency="epsilon")),
        "whole tables": _of(PUBLICATION.decided(value=0.9, **BOARD)),
        "a promise that may fail, too often for a household": _of(
            Case(guarantee="approximate", line="cap_or_ratio", delta=0.001, failure=0.01)
        )
        + "&household=6",
        "a survey with coins": _of(Case(release="coins", secret="value", relation="replace", line="cap_or_ratio")),
        "a published budget": _of(Case(secret="value", published="2020 Census redistricting data, persons")),
    },
    "explain": {
        "as it opens": "",
        "one of several releases": "releases=4",
        "an approximate promise for a household's value": "guarantee=approximate&epsilon=0.5&delta=1e-5&secret=value"
        "&unit=household&group=4&prior=0.1&log_accused=yes",
        "a probabilistic promise, replaced records": "guarantee=probabilistic&delta=1e-4&secret=value&relation=replace"
        "&prior=0.001",
        "zero-concentrated, several days": "guarantee=zero_concentrated&rho=0.2&unit=days&group=7&secret=value",
        "geometric noise, one view": "guarantee=geometric&reading=exact&prior=0.2",
        "geometric noise on cells, every view": "guarantee=geometric&reading=every_view&released=cells&secret=value",
        "a value, any release as private as Gaussian noise": "guarantee=gaussian&secret=value&prior=0.1",
        "Gaussian noise on average": "guarantee=gaussian&reading=average&rho=0.3",
        "Gaussian noise on a difference, one view": "guarantee=gaussian&reading=exact&released=difference&secret=value",
        "discrete Gaussian noise": "guarantee=discrete_gaussian&reading=every_view&sensitivity=2&rho=0.3",
        "Laplace noise": "guarantee=laplace&reading=exact&epsilon=2&false_alarm=0.2",
        "randomised response": "guarantee=randomised_response&categories=3&reading=exact&epsilon=2",
        "a published budget": "guarantee=deployment&secret=value&failure=0.001&prior=0.1",
        "a published budget for presence, only if": "guarantee=deployment&failure=0.001&unit=records&group=3"
        "&deployment=Israel%20live%20births%202014",
        "a published budget whose presence is no secret": "guarantee=deployment&failure=0.001",
        "one person with several records": "unit=records&group=3",
        "noisy training, a value": "guarantee=subsampled_gaussian&secret=value&rate=0.1&steps=50&prior=0.1",
        "shuffled answers": "guarantee=shuffled_response&people=500&failure=0.001",
        "the exponential mechanism of a household": "guarantee=exponential&epsilon=0.5&unit=household&group=4",
    },
    "methods": {
        "as it opens": "",
        "cell keys beside many others, if not true": "method=cell_key&others=30&side=absent&one=pupil",
        "cell keys beside Gaussian noise": "method=cell_key&largest_noise=5&variance=3&against=discrete_gaussian",
        "a table of one's own, cut short": "method=table&table=i;j;p%0A0;0;1%0A1;0;0.4%0A1;2;0.6&line=none",
        "probabilities of one's own, where nobody becomes certain": "down=0.9%200.5&others=4&ratio=2&cap=0.1",
        "to the nearest, counts that stay as they are": "method=round_nearest&places=Ash~6_Birch~3",
        "by size, a household": "method=graduated&unit=household&group=4&rounding=nearest",
        "small counts hidden, zeros too": "method=suppress&zero=hidden&threshold=4&line=box&ratio=20&low=0.1&high=0.9",
        "records swapped": "method=swap&secret=both&held=0.8",
        "records swapped in large groups": "method=swap&rate=0.2&stratum=100&single=redo&hidden=was%20absent",
    },
    "deployments": {
        "as it opens": "",
        "a pure budget, presence, refined formula": "chosen=wikimedia-page-views-current&secret=presence"
        "&formula=refined"
        "&delta=1e-6&prior=0.1&order=budget",
        "persons of the government, replaced, by name": "unit=person&sector=government&change=replace&order=name",
        "promised to devices for a day, zero-concentrated": "unit=device-day&chosen=2020-census-detailed-dhc-a"
        "&secret=presence",
        "a promise of presence only if": "chosen=israel-live-births-2014&secret=presence",
        "a pure budget of answers": "chosen=apple-quicktype",
        "an approximate budget, presence": "chosen=victims-of-trafficking-data&secret=presence",
        "noisy training beside them, presence": "also=subsampled_gaussian&secret=presence&prior=0.5",
        "shuffled answers beside them": "also=shuffled_response&prior=0.5&people=50",
    },
    "lessons": {
        "as it opens": "",
        "20 minutes on methods": "lesson=methods",
        "45 minutes, a line of one's own": "lesson=45&choose=question%3Dvalue%26releases%3D4"
        "%26unit%3Dhousehold%26group%3D3",
        "90 minutes, noise": "lesson=90&choose=guarantee%3Dzero_concentrated%26route%3Dgaussian%26release%3Dcount",
        "90 minutes, a line without a budget": "lesson=90&choose=line%3Dconstant%26ratio%3D1",
    },
    "block": {
        "as it opens": "",
        "no promise, a hundred releases, geometric": "asked=presence&hides=answers&draws=hundred&noise=geometric"
        "&epsilon=1&repeats=3",
        "presence, one table of a block group": "asked=presence&tables=detailed&level=block_group",
        "presence, a budget of one's own": "asked=presence&level=own",
        "district 39-14, an answer, one draw": "table=39-14&asked=value&prior=0.2&counted=no&level=tract",
        "a synthetic county, geometric, an answer": "table=synthetic&place=3&noise=geometric"
        "&epsilon=0.2"
        "&level=own&seed=11&counted=no&prior=0.999",
        "rounded at random, ruled in": "noise=round_random&seed=4&prior=0.1",
        "rounded to the nearest, ruled out": "noise=round_nearest&base=2&counted=no&asked=presence",
        "cell keys, a hundred releases": "noise=cell_key&draws=hundred&asked=presence",
        "a hundred releases, the belief before nearly certain": "draws=hundred&prior=0.9&asked=value"
        "&level=nation&hides=answers",
    },
    "play": {
        "as it opens": "",
        "a round told": "bets=123&told=yes&prior=shares",
        "a game over": "bets=1231231231&told=yes&rho=2&table=synthetic&place=2",
        "next to no budget": "bets=111&told=yes&rho=0.001",
        "next to no noise": "bets=1111111111&told=yes&rho=20",
        "rounded at random": "noise=round_random&base=5&bets=1&told=yes&prior=shares",
        "rounded at random to base 3": "noise=round_random&bets=1&told=yes&prior=shares",
        "rounded to the nearest": "noise=round_nearest&bets=1&told=yes",
        "cell keys, a row ruled out": "noise=cell_key&largest_noise=1&variance=0.5&bets=12312312&told=yes",
    },
    "hierarchy": {
        "as it opens": "",
        "at most so many": "belief=bounded&largest=6&budget=own&rho_above=0.2&siblings_above=7",
        "one exact number": "belief=point&total=3&known=2&x1=4",
        "one table as in 2020": "budget=table&belief=sparse",
        "all tables with forty times the budget": "total_rho=100&siblings=2",
        "most likely nobody else": "belief=sparse&empty=0.9&budget=own&rho_block=1&rho_group=1&prior=0.1",
    },
    "rebuild": {
        "as it opens": "",
        "a table without noise": "source=table&noise=none&size_known=yes",
        "geometric noise on few people": "people=8&noise=geometric&epsilon=2&block=3",
        "rounded at random": "people=8&noise=round_random&size_known=yes",
        "rounded to the nearest": "noise=round_nearest&base=5",
        "cell keys, not proven": "noise=cell_key&largest_noise=5&variance=3&people=60",
        "small counts hidden": "noise=suppress&people=30",
        "another district": "source=table&table=synthetic&place=2&noise=discrete_gaussian&rho=1",
    },
    "audit": {
        "as it opens": "",
        "one by one": "order=one_by_one&mechanism=rounding&seed=4",
        "a sound mechanism, and too few draws to refute": "mechanism=sound&draws=12&epsilon=3&supposed=2",
        "any release with ρ, a value": "guarantee=zero_concentrated&rho=0.2&secret=value&relation=replace&power=0.9",
        "Gaussian noise, one by one": "guarantee=gaussian&order=one_by_one&delta=1e-5&rho=0.1",
        "a class of a hundred": "evidence=guesses&level=0.9",
        "a class that shows nothing": "evidence=guesses&right=50&guesses=100&supposed=0.5",
        "guesses, ε and δ": "evidence=guesses&guarantee=approximate&coins=200&delta=0.001&epsilon=0.2",
        "guesses about Gaussian noise": "evidence=guesses&guarantee=gaussian&right=90",
        "guesses about uneven coins": "evidence=guesses&right=3&chances=0.5_0.4_0.6",
        "a sensitivity taken for less, of a household": "mechanism=sensitivity&guarantee=approximate&delta=0.01&group=4"
        "&unit=household",
        "a file that nobody has uploaded": "evidence=file",
    },
    "publish": {
        "as it opens": "",
        "a share, of a block group": "level=2&cell=2&area=3&wanted=ratio",
        "a difference, under a household's decided ρ": "cell=3&wanted=difference&area=7&other_area=3&seed=3&"
        + _of(Case(secret="value", unit="household", group=2, relation="replace").decided(value=2.0, currency="rho")),
        "a rate": "cell=1&area=1&wanted=ratio&other_cell=3&level=3",
        "a rate of which nothing is known": "cell=2&area=25&wanted=ratio&other_cell=2",
        "dots": "shown=dots&area=3",
        "several areas": "area=3&more_areas=4~9~30&cell=2",
        "a share of several areas": "cell=1&area=2&more_areas=1&wanted=ratio",
        "a folder that nobody has uploaded": "data=own",
    },
    "exact_totals": {
        "as it opens": "",
        "nothing exact": "exact=none&prior=0.2&epsilon=2",
        "one of several releases": "releases=4",
        "rows, by projection": "exact=rows&method=project&epsilon=0.5",
        "everything given away": "table=4&exact=total",
        "rows and columns": "exact=both&epsilon=0.3",
        "a ρ, rows and columns, drawn": "guarantee=zero_concentrated&rho=0.2&exact=both&failure=0.05",
        "a ρ, a total, by projection": "guarantee=zero_concentrated&method=project&prior=0.2",
        "too many tables to compare": "table=300~150_120~80",
    },
    "add_up": {
        "as it opens": "",
        "even-handed, total from the parts": "rule=remainder&source=parts&epsilon_total=0.5&epsilon_parts=2&seed=4",
        "Webster, one empty part": "rule=webster&counts=0~3~5&epsilon_parts=0.2",
        "one part": "counts=7",
        "nobody counted": "counts=0~0~0",
        "a total that the parts cannot change": "epsilon_total=3&source=parts",
        "a ρ, total from the parts": "guarantee=zero_concentrated&rho_total=0.5&rho_parts=0.2&source=parts",
    },
    "public_information": {
        "as it opens": "",
        "answers that do not go together": "rate_if_no=0.5&rate_if_yes=0.5&people=30",
        "a public file, before the lines are there": "side=helps",
        "own records that nobody has uploaded": "side=helps&data=own",
    },
    "infer": {
        "as it opens": "",
        "a flat prior": "prior=flat&level=0.8",
        "a power prior": "prior=power&power=0.8&n=100",
        "own values, the guess of the mean changed": "n=60&mean=22.5&variance=90&lower=0&upper=60&guess=30",
        "own values, the guess of the spread changed": "n=60&mean=22.5&variance=90&lower=0&upper=60&guess_spread=9",
        "precise numbers": "prior=power&power=-1&epsilon_mean=20&epsilon_variance=20&lower=-10",
        "a typing error?": "mean=3430&epsilon_mean=1",
        "Gaussian noise of two ρ": "currency=rho&rho_mean=0.05&prior=flat",
        "a typing error under ρ?": "currency=rho&variance=-40000",
        "regression, waiting": "part=regression",
        "regression under ρ, waiting": "part=regression&currency=rho&draw_seed=3",
        "regression of one's own sums, waiting": "part=regression&sums=own&draw_seed=2",
        "coverage": "part=coverage",
        "lengths": "part=coverage&measure=length&population=middle&study_epsilon=1",
        "a count of a noisy folder": "part=folder",
        "few people of a block, under a decided ρ": "part=folder&area=25&cell=2&level=0.9&"
        + _of(Case(secret="presence").decided(value=0.1, currency="rho")),
        "a block group": "part=folder&of_level=2&area=2&cell=3",
        "a folder that nobody has uploaded": "part=folder&data=own",
    },
    "how_we_know": {
        "as it opens": "",
        "what a printed table says wrongly": "verdict=erratum&find=table",
    },
}

TRIED = ("", "1", "6")
"""Which of several parties have every choice of theirs tried: the first and the last, as all are asked alike."""

MORE: dict[str, tuple[str, ...]] = {
    "block": ("level=own",),
    "choose": ("relation=replace&secret=value&areas=8", "release=tables"),
    "explain": ("release=tables&tables=Births~counts~20~~4~~~~~~~~~~4",),
    "room": ("activity=attack&attack_noise=round_nearest&attack_base=5",),
    "methods": ("line=increase", "line=box&ratio=2&low=0.02&high=0.9", "line=drawn"),
    "positions": tuple(
        f"parties=6&edited={number}&line{number}={line}"
        for number in filter(None, TRIED)
        for line in ("cap_or_ratio", "increase", "box", "drawn", "cap_or_ratio")  # the first is left when line moves
    ),
}
"""Settings that bring controls which no approved setting needs."""

REFUSED: dict[str, tuple[str, ...]] = {
    "choose": (
        "line=box&low=0.6&high=0.3",
        "question=both&line=drawn",
        "relation=replace",
        "guarantee=approximate&delta=0.5",
        "population=1,2",
        "population=one",
        "held=0.0005&line=drawn",
        "population=1,2,2,2",
    ),
    "accuracy": ("relation=replace", "release=coins"),
    "methods": (
        "method=cell_key&variance=3",
        "method=cell_key&never_published=2",
        "down=0.5",
        "method=graduated&classes=0:3,%2020:5",
        "relation=replace",
        "line=box&low=0.6&high=0.3",
    ),
    "plan": (
        "relation=replace",
        "rows=r~0.5~2~~Survey!g~0.01~3~~Count",
        "rows=p~50~1000000~~A&rounds=100000",
        "rows=p~many",
        "rows=",
        "rows=a~1&rounds=2",
        "prior=0.99&cap=0.5",
        "also=own_mechanism",
        "also=subsampled_gaussian&secret=value&relation=replace",
    ),
    "publication": (
        "question=value",
        "tables=A~counts~five",
        "tables=A~counts~-5",
        "tables=A~quantile~5",
        "tables=A~mean~5~~~~~~0~9~50",
        "noise=laplace&tables=A~mean~5~~~~~~0~9~50",
        "tables=A~total~5~~~~~~9~0",
        "tables=A~counts~5~~~~0",
        "tables=A~counts~5~1.5",
        "tables=A~counts~5~~~~~~~~~~80%20%25!B~~5~~~~~~~~~~30%20%25",
        "tables=A~counts~1!B",
        "tables=A~counts~5!~counts~~~3",
        "relation=replace",
    ),
    "positions": ("relation=replace", "line1=box&low1=0.6&high1=0.3"),
    "public": (_of(Case(secret="presence", relation="replace", line="cap_or_ratio")),),
    "memo": (
        "choose=relation%3Dreplace",
        "choose=line%3Dbox%26low%3D0.6%26high%3D0.3",
        "choose=ratio%3D3&room=lines~value_replaced~person~1~2~~2~1~0",
        _of(Case(ratio=3.0, guarantee="pure", noise="gaussian")),
        _of(Case(guarantee="zero_concentrated", route="gaussian", noise="discrete_gaussian", line="cap_or_ratio")),
        _of(Case(ratio=3.0).decided(value=0.1, currency="rho", by="The board")),
        _of(Case(secret="value", published="Google symptom search trends")),
        _of(Case(published="2020 Census redistricting data, persons")),
        _of(
            Case(
                guarantee="zero_concentrated",
                route="discrete_gaussian",
                line="cap_or_ratio",
                tables=PUBLICATION["tables"],
            )
        ),
    ),
    "explain": (
        "relation=replace",
        "guarantee=approximate&failure=1e-9&delta=1e-6",
        "guarantee=laplace&epsilon=0",
        "epsilon=1e-20",
        "guarantee=geometric&unit=records&group=10000&sensitivity=1000",
        "guarantee=own_mechanism",
        "guarantee=subsampled_gaussian&secret=value&relation=replace",
        "guarantee=subsampled_gaussian&noise_multiplier=0.1&rate=1",
    ),
    "deployments": ("unit=birth&definition=zCDP",),
    "block": ("place=9", "person=900", "table=39-14&place=2", "noise=cell_key&variance=3"),
    "play": ("place=9", "bets=6", "noise=cell_key&variance=3"),
    "hierarchy": (
        "budget=own&rho_above=none",
        "belief=point&known=40&total=3",
        "belief=bounded&known=40&largest=3",
    ),
    "rebuild": ("source=table&place=9", "source=table&table=39-14", "noise=cell_key&variance=3"),
    "audit": (
        "relation=replace",
        "evidence=guesses&order=one_by_one",
        "evidence=guesses&right=101",
        "evidence=guesses&guarantee=approximate&chances=0.5",
        "guarantee=gaussian&order=one_by_one&delta=0",
    ),
    "infer": ("lower=5&upper=1", "prior=usual", "prior=power&power=0.99"),
}

PRESETS = {"explain": EXPLAIN_PRESETS, "plan": PLAN_PRESETS, "publication": PUBLICATION_PRESETS}

Fold = Callable[[Any, Style], Any]


def _clipping(inputs: Any, style: Style) -> Any:
    found = clipping_advice(inputs, style)
    told = found and (found.sentence, found.take, found.refusal, found.caution, found.picture, found.small_print)
    return told or ()


def _drawn_file(inputs: Any, style: Style) -> Any:
    drawn = draw_measurements(seed=1, levels=["tract", "block"])
    asked = (drawn.person, ""), (inputs.person, inputs.instead or drawn.person)
    told = [measured_view(drawn.measurements, *people, inputs.prior, style) for people in asked]
    return tuple(part for one in told for part in (one.refusal, one.answer, one.small_print, one.levels) if part)


FOLDS: dict[str, dict[str, Fold]] = {
    "room": WALLS,
    "join": PHONES,
    "hierarchy": {"Level by level, up to the nation": build_up, "A file that was drawn": _drawn_file},
    "publication": {
        "Where to clip amounts": _clipping,
    },
}
"""What a page computes only when a reader opens a fold, under the words on the fold."""

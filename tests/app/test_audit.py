"""Draws of one's own on *Test a claim*: refute it, stay in the session, are forgotten; what is wrong is named."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from tests.app.opened_page import answer, open_page, sound, text_of
from tests.audit_draws import draws, together


def bring(test: AppTest, *files: tuple[str, bytes]) -> None:
    (box,) = [box for box in test.file_uploader if "CSV file" in box.label]
    assert box.proto.max_upload_size_mb == 5
    box.set_value([(name, content, "text/csv") for name, content in files])
    sound(test.run())


def told(test: AppTest) -> str:
    return "\n".join(element.value for element in test.error).replace("\\", "")


def test_draws_of_ones_own_refute_a_claim_and_are_forgotten() -> None:
    test = open_page("audit", evidence="file")
    sound(test)
    assert any("No file yet" in one.value for one in test.info)
    bring(test, ("draws.csv", together(*draws(2.0))))
    assert "these draws refute the claim of <strong>ε = 1" in answer(test)
    assert "Invented" not in text_of(test)
    said = answer(test)
    bring(test, ("draws.csv", b"world,output\n0,1\n2,5\n"))
    assert "File not taken: row 2: world must be one of 0, absent, 1, present; got '2'." in told(test)
    assert answer(test) == said
    assert set(test.query_params) == {"evidence"}
    bring(test, ("b.csv", draws(2.0)[1]), ("a.csv", draws(2.0)[0]))
    assert answer(test) == said
    next(one for one in test.button if one.label == "Forget this file").click()
    sound(test.run())
    assert "_own_evidence" not in test.session_state
    assert any("No file yet" in one.value for one in test.info)


def test_guesses_in_order_are_bet_on_and_counts_alone_are_not() -> None:
    test = open_page("audit", evidence="guesses", order="one_by_one")
    assert "One by one takes guesses in their order" in told(test)
    test = open_page("audit", evidence="file", order="one_by_one", epsilon="0.3")
    bring(test, ("guesses.csv", b"right\n" + b"1\n1\n1\n0\n" * 40))
    assert "guesses the claim of <strong>ε = 0.3</strong> is refuted" in answer(test)


def test_a_deep_link_is_answered_in_both_voices() -> None:
    for voice in ("plain", "technical"):
        test = open_page("audit", voice=voice, evidence="guesses", right="73", guesses="100", epsilon="0.5")
        sound(test)
        assert "these guesses refute the claim of <strong>ε = 0.5" in answer(test)

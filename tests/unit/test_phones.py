"""What a rehearsal's phone takes of its page: the last run that drew it whole, and nothing of the one before."""

from __future__ import annotations

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from riskline.phones import SENT, Device


def taken(device: Device, *shown: str, finished: int = ForwardMsg.FINISHED_SUCCESSFULLY) -> bool:
    """Whether a page is complete after a run that shows these pieces of HTML."""
    begun = ForwardMsg()
    begun.new_session.page_script_hash = "page"
    messages = [begun]
    for body in shown:
        messages.append(ForwardMsg())
        messages[-1].delta.new_element.html.body = body
    messages.append(ForwardMsg())
    messages[-1].script_finished = finished  # type: ignore[assignment]
    return [device._take(one.SerializeToString()) for one in messages][-1]


def test_a_phone_shows_what_its_last_run_drew_and_a_look_that_finds_nothing_leaves_it() -> None:
    device = Device(None, [])  # type: ignore[arg-type]
    assert taken(device, "<p>How many?</p>", f'<p class="{SENT}">12</p>')
    assert SENT in device.html
    assert taken(device, finished=ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)
    assert SENT in device.html
    assert taken(device, '<p class="riskline-answer">The next question</p>')
    assert "next question" in device.html
    assert SENT not in device.html
    assert not device.errors


def test_a_phone_follows_the_address_that_its_page_writes() -> None:
    device, told = Device(None, []), ForwardMsg()  # type: ignore[arg-type]
    told.page_info_changed.query_string = "code=ABC234&me=3"
    assert not device._take(told.SerializeToString())
    assert device._asked([]).rerun_script.query_string == "code=ABC234&me=3"

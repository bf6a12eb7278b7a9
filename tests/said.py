"""What has words: each page, the frame around it, the promise on all of them, the picture that several share."""

from __future__ import annotations

from ui.link.page_table import PAGES

SAID = [*(entry.stem for entry in PAGES), "frame", "promise", "trade_off"]

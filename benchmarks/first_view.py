"""How long a reader far away waits for the first answer: 400 ms of delay, 1.5 Mbit/s, nothing kept, no proxy.

    python -m benchmarks.first_view [--page choose] [--runs 5]

Starts a server on 127.0.0.1 and opens the page in a headless Chromium or Chrome that is slowed down; the first opening,
for which the server compresses its files, is not counted. The exit status is 1 where the run in the middle takes longer
than `LONGEST`. Seconds of the clock: it needs a machine that is not busy.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from tests.browser.chromium import FLAGS, find_chromium
from tests.browser.conftest import running_app

DELAY, BITS = 400, 1_500_000
LONGEST = 9.0


def opened(browser: Browser, address: str) -> tuple[float, int, int]:
    """Seconds until the answer stands, bytes that came until then, and requests."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    network = context.new_cdp_session(page)
    pace = {"downloadThroughput": BITS / 8, "uploadThroughput": BITS / 8}
    network.send("Network.enable")
    network.send("Network.emulateNetworkConditions", {"offline": False, "latency": DELAY, **pace})
    sizes: list[float] = []

    def finished(event: dict[str, Any]) -> None:
        sizes.append(event["encodedDataLength"])

    network.on("Network.loadingFinished", finished)
    begun = time.perf_counter()
    page.goto(address, wait_until="commit")
    page.wait_for_selector(".riskline-answer", timeout=120_000)
    found = time.perf_counter() - begun, int(sum(sizes)), len(sizes)
    context.close()
    return found


def main(arguments: list[str]) -> int:
    """Print each opening and the one in the middle."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--page", default="choose")
    parser.add_argument("--runs", type=int, default=5)
    asked = parser.parse_args(arguments)
    with running_app() as app, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=list(FLAGS))
        opened(browser, f"{app}/{asked.page}")
        waits = []
        for _ in range(asked.runs):
            seconds, size, requests = opened(browser, f"{app}/{asked.page}")
            waits.append(seconds)
            print(f"{seconds:.2f} s, {size / 1000:,.0f} kB, {requests} requests", flush=True)
        browser.close()
    middle = statistics.median(waits)
    met = middle <= LONGEST
    print(f"first answer of {asked.page}: {middle:.2f} s (at most {LONGEST:g} s: {'met' if met else 'NOT met'})")
    return int(not met)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Walk as long as one likes: `python -m tests.hostile --count 500 --seed 7 --pages plan,infer`.

Every finding is printed with its link; the exit status is 1 when there is one.
"""

from __future__ import annotations

import argparse
import sys
from urllib.parse import urlencode

from tests.hostile.measure import Walker, wrong
from tests.hostile.settings import settings
from ui.link.page_table import PAGES


def main() -> int:
    """Walk over the pages asked for, and say what each took and every finding."""
    parser = argparse.ArgumentParser(prog="make hostile", description=__doc__)
    parser.add_argument("--count", type=int, default=300, help="settings a page (a tenth of them as whole pages too)")
    parser.add_argument("--seed", type=int, default=1, help="another seed walks elsewhere")
    parser.add_argument("--pages", default=",".join(entry.stem for entry in PAGES), help="stems, with commas between")
    asked = parser.parse_args()
    walker, findings = Walker(), 0
    for stem in asked.pages.split(","):
        found = walker.walk(stem, settings(stem, asked.count, asked.seed, whole=asked.count // 10))
        slowest, largest = (max(one[name] for one in found) for name in ("seconds", "megabytes"))
        print(f"{stem}: {len(found)} parts, at most {slowest:.1f} s and {largest:.0f} MB", flush=True)
        for one in filter(wrong, found):
            findings += 1
            what = one["unreadable"] or one["end"]
            print(f"  {one['part']}, {one['seconds']:.1f} s, {one['megabytes']:.0f} MB, {one['voice']}: {what}")
            print(f"    /{stem}?{urlencode(one['query'])}", flush=True)
    walker.close()
    print(f"{findings} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())

"""`riskline estimate FOLDER COUNTS`: a count, share, rate or difference from noisy tables, with its range."""

from __future__ import annotations

import json
import math
from pathlib import Path

import dpcore
from dpcore.adjustment import CountPosterior
from dpcore.rounding import round_outward
from riskline.case.fields import as_sentence
from riskline.case.sheet import cell_number
from riskline.choices import NotTaken
from riskline.release.estimates import Estimate, Estimates
from riskline.release.folder import read_folder

NOTHING_KNOWN = "Nothing is known of this ratio: what it is divided by could be 0."
NO_NOISE = "From exact totals, without noise:"
HOW = (
    "By least squares from all noisy counts of the table, its exact totals and its adding up, before negative counts"
    " are removed. The range is about the noise alone."
)

HOW_POSTERIOR = (
    "Exact, from the noisy counts of all levels and the law of their noise, if before the release every count from 0 up"
    " was as likely as any other: of this area, and of what lies beside it at each level. Neighbours and parts are read"
    " as sums."
)


def estimated(
    folder: str,
    counts: str,
    *,
    over: str | None,
    minus: str | None,
    per: str,
    level: str,
    as_json: bool,
    posterior: bool = False,
) -> str:
    """An estimate from a folder, in a sentence or as JSON.

    Raises NotTaken for whatever is refused.
    """
    if over is not None and minus is not None:
        raise NotTaken("Choose --over or --minus, not both.")
    if posterior and (over is not None or minus is not None):
        raise NotTaken("--posterior is of one count, without --over and --minus.")
    try:
        factor = cell_number("--per", per, 0, 1e9, open_low=True)
        held = cell_number("--level", level, 0, 1, open_low=True, open_high=True)
        estimates = Estimates(read_folder(Path(folder)), held)
        chosen = estimates.selection(counts)
        law = estimates.posterior(chosen) if posterior else None
        beside = [estimates.selection(other) for other in (over, minus) if other is not None]
        if beside:
            found = (estimates.difference if over is None else estimates.ratio)(chosen, *beside)
        else:
            found = estimates.count(chosen)
        exact = estimates.are_exact(chosen, *beside)
    except ValueError as refusal:
        raise NotTaken(as_sentence(str(refusal))) from None
    except OSError as error:
        raise NotTaken(f"A file could not be used: {(error.strerror or 'it is no file').lower()}.") from None
    if found.kind != "rate" and factor != 1:
        raise NotTaken(f"--per is for a rate; this is a {found.kind}.")
    if law is not None:
        return _posterior_json(law, held) if as_json else f"{_posterior_sentence(law, held)}\n{HOW_POSTERIOR}"
    if as_json:
        return _json(found, factor, held)
    return _exactly(found, factor) if exact else f"{_sentence(found, factor, held)}\n{HOW}"


def _exactly(found: Estimate, factor: float) -> str:
    """What exact totals come to."""
    if math.isnan(found.value):
        return NOTHING_KNOWN
    scale, unit, digits = _spoken(found, factor)
    return f"{NO_NOISE} {round(scale * found.value, digits):,.12g}{unit}."


def _spoken(found: Estimate, factor: float) -> tuple[float, str, int]:
    """By what an estimate is multiplied where it is said, its unit, and its digits after the point."""
    if found.kind in ("count", "difference"):
        return 1.0, "", 0
    if found.kind == "share":
        return 100.0, " %", 1
    digits = 2 - math.floor(math.log10(max(factor * found.high, 1e-9)))
    return factor, f" per {factor:,.12g}" if factor != 1 else "", max(digits, 0)


def _sentence(found: Estimate, factor: float, level: float) -> str:
    """What the estimate and its range are, the range rounded outwards."""
    releases = f"in {100 * level:g} of 100 releases"
    if math.isnan(found.value):
        return NOTHING_KNOWN
    if found.kind in ("count", "difference"):
        return f"About {found.value:,.0f}, between {math.floor(found.low):,} and {math.ceil(found.high):,} {releases}."
    scale, unit, digits = _spoken(found, factor)
    low, high = round_outward(scale * found.low, scale * found.high, digits)
    value = min(max(round(scale * found.value, digits), low), high)
    return f"About {value:,.12g}{unit}, between {low:,.12g} and {high:,.12g} {releases}."


def _posterior_sentence(law: CountPosterior, level: float) -> str:
    """The shortest range of a count, and how many noisy counts were left out."""
    low, high = law.interval(level)
    left = f" Noisy counts that were left out: {law.unread:,}." if law.unread else ""
    sure = f"with a probability of {100 * level:g} %, given the noisy counts of all levels"
    return f"Between {low:,} and {high:,} {sure}; most likely {law.mode:,}.{left}"


def _posterior_json(law: CountPosterior, level: float) -> str:
    """The law: probabilities of the counts from the first one on."""
    low, high = law.interval(level)
    told = {"riskline": dpcore.__version__, "format": 1, "command": "estimate", "kind": "posterior", "level": level}
    numbers = {"low": low, "high": high, "mode": law.mode, "mean": law.mean, "left_out": law.unread}
    rest = {"first": law.first, "probabilities": law.probabilities.tolist()}
    return json.dumps({**told, **numbers, **rest}, indent=2)


def _json(found: Estimate, factor: float, level: float) -> str:
    """The unrounded numbers; null where nothing limits one."""
    numbers = {
        name: None if math.isinf(value) or math.isnan(value) else value * factor
        for name, value in (("value", found.value), ("low", found.low), ("high", found.high))
    }
    told = {"riskline": dpcore.__version__, "format": 1, "command": "estimate", "kind": found.kind, "level": level}
    return json.dumps({**told, **numbers, "per": factor}, indent=2)

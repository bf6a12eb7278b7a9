"""Files of draws as somebody brings them to *Test a claim*, made up."""

from __future__ import annotations

import numpy as np

from dpcore.mechanisms import Geometric


def draws(epsilon: float, number: int = 500) -> list[bytes]:
    """Outputs of a world each, below a heading."""
    noise = np.asarray(Geometric(epsilon=epsilon).simulate_noise((2, number), seed=3)).astype(int)
    return ["\n".join(["output", *map(str, world)]).encode() for world in (noise[0], noise[1] + 1)]


def together(absent: bytes, present: bytes) -> bytes:
    """Both worlds in one file, in turns."""
    pairs = zip(absent.decode().split()[1:], present.decode().split()[1:], strict=True)
    return ("world,output\n" + "".join(f"0,{a}\n1,{b}\n" for a, b in pairs)).encode()

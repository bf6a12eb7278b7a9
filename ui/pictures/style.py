"""How a picture is to look: on a dark or light ground, with large type or not."""

from __future__ import annotations

from dataclasses import dataclass

from ui.words.phrasing import NEAREST, decimal_belief, frequency


@dataclass(frozen=True)
class Style:
    """Ground, type size and voice of everything a view draws or says."""

    dark: bool = False
    large: bool = False
    voice: str = "plain"
    of: int = 100
    """Of how many people the plain voice tells a belief."""

    @property
    def technical(self) -> bool:
        """Whether symbols and decimals stand where the plain voice has words and people."""
        return self.voice == "technical"

    def belief(self, value: float, direction: str = NEAREST) -> str:
        """A belief as this voice says it: a decimal, or people."""
        return decimal_belief(value, direction) if self.technical else frequency(value, direction, self.of)

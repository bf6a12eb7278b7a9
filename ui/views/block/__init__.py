"""Attack one block: one release read as a belief, then every release there could have been."""

from ui.views.block.choices import FIELDS, BlockInputs
from ui.views.block.view import BlockView, accusations, block_view

__all__ = [
    "FIELDS",
    "BlockInputs",
    "BlockView",
    "accusations",
    "block_view",
]

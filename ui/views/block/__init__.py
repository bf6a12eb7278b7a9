"""Attack one block: one release read as a belief, then every release there could have been."""

from ui.views.block.attack import FIELDS, BlockInputs
from ui.views.block.view import block_view

__all__ = ["FIELDS", "BlockInputs", "block_view"]

"""Publish: a release from its plan through its noisy tables and their adjusting to what they say of an area."""

from ui.views.publish.held import FIELDS, PublishInputs
from ui.views.publish.view import publish_view

__all__ = ["FIELDS", "PublishInputs", "publish_view"]

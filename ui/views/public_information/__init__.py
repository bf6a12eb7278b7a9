"""Public information: how it weakens a promise when answers go together, how it sharpens a release of many tables."""

from ui.views.public_information.view import FIELDS, PublicInformationInputs, public_information_view

__all__ = ["FIELDS", "PublicInformationInputs", "public_information_view"]

"""Public information: how it weakens a promise when answers go together, how it sharpens a release of many tables."""

from ui.views.public_information.view import (
    EPSILONS,
    FIELDS,
    NEEDED,
    PublicInformationInputs,
    PublicInformationView,
    arriving,
    methods_of,
    older_words,
    public_information_view,
    row_counts,
    sorted_out,
)

__all__ = [
    "EPSILONS",
    "FIELDS",
    "NEEDED",
    "PublicInformationInputs",
    "PublicInformationView",
    "arriving",
    "methods_of",
    "older_words",
    "public_information_view",
    "row_counts",
    "sorted_out",
]

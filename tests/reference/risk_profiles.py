"""Kinds of case on profiles, answered by public dpcore calls. Keyword arguments are the case's inputs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

ANSWERS: dict[str, Callable[..., Any]] = {}

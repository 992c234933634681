"""Limits that both tools keep to."""

DEFAULT_LIMIT = 20
"""Results, or symbols, when the caller sets no limit."""

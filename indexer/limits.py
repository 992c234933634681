"""Limits that both rooms keep to."""

MAX_FILE_SIZE = 10 * 1024 * 1024
"""Bytes; a larger source is generated, and its outline would need gigabytes of heap."""

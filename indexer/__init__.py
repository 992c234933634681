"""Bring a Java workspace's outlines and symbols into SQLite, asking jdtls once per content."""

__version__ = "0.1.0"

"""The warm server: one process per user that keeps language servers ready between calls."""

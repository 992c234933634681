"""Driving jdt.ls: the only room that knows LSP and processes."""

"""Fuzzers: bytes and values that nobody sends on purpose, and what must hold for them all."""

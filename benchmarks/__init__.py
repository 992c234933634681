"""Scripts that measure javadex on real input; `docs/benchmarks.md` has their figures.

Run them from the repository's folder, as `python -m benchmarks.NAME`. Not part of the distribution.
"""

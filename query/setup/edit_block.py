"""A block of lines between two markers in Markdown, set or taken out; the rest stays. Pure."""

from __future__ import annotations

from query.setup.texts import CannotEdit, ended, lines_of, newline_of

BEGIN = "<!-- javadex:begin -->"
END = "<!-- javadex:end -->"


def block_of(text: str) -> str | None:
    r"""Return the block, markers included, its lines ended by `\n`; None when there is none.

    Raises `CannotEdit` for markers that do not make one block.
    """
    span = _span(text)
    if span is None:
        return None
    first, end = span
    return "".join(line.rstrip("\r\n") + "\n" for line in lines_of(text)[first:end])


def put(text: str, block: str) -> str:
    """Return `text` with that block, at its end if it is new. Raises `CannotEdit`."""
    span = _span(text)
    written = block.replace("\n", newline_of(text))
    if span is None:
        begun = ended(text)
        lines = lines_of(begun)
        gap = newline_of(text) if lines and lines[-1].strip() else ""
        return begun + gap + written
    lines = lines_of(text)
    first, end = span
    return "".join([*lines[:first], written, *lines[end:]])


def drop(text: str) -> str:
    """Return `text` without the block, and without one blank line that set it off.

    Raises `CannotEdit`.
    """
    span = _span(text)
    if span is None:
        return text
    lines = lines_of(text)
    first, end = span
    set_off = first > 0 and not lines[first - 1].strip()
    if set_off and (end == len(lines) or not lines[end].strip()):
        first -= 1
    return "".join(lines[:first] + lines[end:])


def _span(text: str) -> tuple[int, int] | None:
    """Numbers of the first line and of the one behind the last."""
    lines = [line.strip() for line in lines_of(text)]
    begins = [number for number, line in enumerate(lines) if line == BEGIN]
    ends = [number for number, line in enumerate(lines) if line == END]
    if not begins and not ends:
        return None
    if len(begins) != 1 or len(ends) != 1 or begins[0] > ends[0]:
        raise CannotEdit(f"its markers {BEGIN} and {END} do not make one block")
    return begins[0], ends[0] + 1

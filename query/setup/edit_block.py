"""A block of lines between two markers in Markdown, set or taken out; the rest stays. Pure."""

from __future__ import annotations

from query.setup.texts import CannotEdit, appended, lines_of, newline_of, without

BEGIN = (
    "<!-- javadex:begin - `javadex setup` replaces all up to javadex:end; "
    "keep your own text outside -->"
)
END = "<!-- javadex:end -->"
_BEGINNING = "<!-- javadex:begin"


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
        return appended(text, written)
    lines = lines_of(text)
    first, end = span
    return "".join([*lines[:first], written, *lines[end:]])


def drop(text: str) -> str:
    """Return `text` without the block and the line end that set it off. Raises `CannotEdit`."""
    span = _span(text)
    return text if span is None else without(text, *span)


def _span(text: str) -> tuple[int, int] | None:
    """Numbers of the first line and of the one behind the last."""
    lines = [line.strip() for line in lines_of(text)]
    begins = [number for number, line in enumerate(lines) if line.startswith(_BEGINNING)]
    ends = [number for number, line in enumerate(lines) if line == END]
    if not begins and not ends:
        return None
    if len(begins) != 1 or len(ends) != 1 or begins[0] > ends[0]:
        raise CannotEdit("its markers javadex:begin and javadex:end do not make one block")
    return begins[0], ends[0] + 1

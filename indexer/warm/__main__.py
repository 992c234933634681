"""Start of the warm server's process: `python -m indexer.warm READY OPTIONS`.

READY is the number of an open pipe that hears when clients can connect, OPTIONS are `DaemonOptions`
as a JSON array. The process leaves the one that started it at once, so that nobody has to wait for
its end.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys


def main(ready: int, options: str) -> None:
    """Leave the parent; serve, unless another does."""
    if os.fork():
        os._exit(0)
    from indexer.warm.door import opened
    from indexer.warm.options import CrewOptions, DaemonOptions
    from indexer.warm.place import place

    here = place()
    with opened(here) as listening:
        if listening is None:
            return
        with contextlib.suppress(BrokenPipeError):  # whoever started us found another one first
            os.write(ready, b"1")
        os.close(ready)
        import logging

        from indexer.warm.daemon import serve

        logging.basicConfig(format="%(asctime)s %(message)s", level=logging.INFO)
        idle, crew = json.loads(options)
        serve(here, DaemonOptions(idle, CrewOptions(*crew)), listening)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])

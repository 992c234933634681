"""Start of the warm server's process: `python -m indexer.warm READY OPTIONS`.

READY is the number of an open pipe that hears when clients can connect, OPTIONS are `DaemonOptions`
as JSON. The process leaves the one that started it at once, so that nobody has to wait for its end.
"""

from __future__ import annotations

import os
import sys


def main(ready: int, options: str) -> None:
    """Leave the parent, then serve."""
    if os.fork():
        os._exit(0)
    import json
    import logging

    from indexer.warm.daemon import serve
    from indexer.warm.options import CrewOptions, DaemonOptions
    from indexer.warm.place import place

    logging.basicConfig(format="%(asctime)s %(message)s", level=logging.INFO)
    idle, crew = json.loads(options)

    def tell() -> None:
        os.write(ready, b"1")
        os.close(ready)

    serve(place(), DaemonOptions(idle, CrewOptions(*crew)), tell)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])

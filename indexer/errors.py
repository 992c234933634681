"""Every error that javadex raises on purpose.

JavadexError                 1  the message is for the user: input, cause, remedy
├── UsageError               2  an argument that cannot be right
│   └── RootError            2  a workspace folder that is missing, no folder or unreadable
├── IndexUnusable            3  there is no index that could answer
│   ├── IndexMissing         3  none was built yet
│   ├── IndexDamaged         3  SQLite cannot read it, or it is not ours
│   ├── IndexTooNew          3  written by a later javadex
│   ├── IndexBusy            3  another indexer holds the lock past the wait
│   └── IndexNotWritable     3  disk full, no permission
├── ServerError              4  the language server
│   ├── RuntimeNotFound      4  no usable Java or jdtls
│   ├── ServerStartFailed    4  it did not come up
│   │   └── ServerHangs      4  the warm server says nothing
│   ├── ServerDied           4  it went away under a request
│   └── ServerTimeout        4  it did not answer in time
├── IndexIncomplete          5  more files failed than `--max-failed` allows
└── OutputLost              74  stdout cannot be written (sysexits(3), EX_IOERR)

The number is the exit code (design, section 3); only the command line's outermost loop uses it.
"""

from __future__ import annotations


class JavadexError(Exception):
    """Base of all; `str()` is the whole message for the user."""

    exit_code = 1


class UsageError(JavadexError):
    """An argument that cannot be right, whatever the state of the index."""

    exit_code = 2


class RootError(UsageError):
    """A workspace folder that is missing, is no folder, or cannot be read."""


class IndexUnusable(JavadexError):
    """There is no index that could answer."""

    exit_code = 3


class IndexMissing(IndexUnusable):
    """No index was built yet for this workspace folder."""


class IndexDamaged(IndexUnusable):
    """SQLite cannot read the file, or it is not a javadex index."""


class IndexTooNew(IndexUnusable):
    """The index was written by a later javadex with another schema."""


class IndexBusy(IndexUnusable):
    """Another indexer held the lock for longer than the wait."""


class IndexNotWritable(IndexUnusable):
    """The index could not be written: disk full, no permission, read-only file system."""


class ServerError(JavadexError):
    """The language server could not do its part."""

    exit_code = 4


class RuntimeNotFound(ServerError):
    """No usable Java or no usable jdtls; says what was looked at and what would cure it."""


class ServerStartFailed(ServerError):
    """The server ended or stayed silent before it was ready."""


class ServerHangs(ServerStartFailed):
    """The warm server says nothing, so that it is as good as none."""


class ServerDied(ServerError):
    """The server went away while requests waited; carries pid, exit code and last stderr lines."""


class ServerTimeout(ServerError):
    """The server is alive but did not answer within the deadline."""


class IndexIncomplete(JavadexError):
    """More files failed than `--max-failed` allows."""

    exit_code = 5


class OutputLost(JavadexError):
    """What was to go to stdout cannot be written: the disk below is full, it is closed."""

    exit_code = 74

-- The javadex index, schema 1. One file holds any number of workspace folders: worktrees and
-- branches of a repository share every outline whose bytes they share.

-- A workspace folder that was indexed.
CREATE TABLE workspace (
    id          INTEGER PRIMARY KEY,
    root        TEXT NOT NULL UNIQUE,   -- canonical absolute path
    name        TEXT NOT NULL,          -- display name
    recipe_id   INTEGER REFERENCES recipe (id),
    indexed_at  TEXT,                   -- UTC, ISO 8601; NULL until the first run has finished
    placed      INTEGER NOT NULL DEFAULT 0  -- 1: package and hidden of its files are up to date
) STRICT;

-- What beside the bytes may change an outline: engine versions and settings, as JSON.
CREATE TABLE recipe (
    id          INTEGER PRIMARY KEY,
    fingerprint TEXT NOT NULL UNIQUE
) STRICT;

-- One row per content and recipe, shared by all files with these bytes.
CREATE TABLE outline (
    id          INTEGER PRIMARY KEY,
    digest      BLOB NOT NULL,          -- xxh3-128 of the raw bytes
    size        INTEGER NOT NULL,       -- number of bytes
    recipe_id   INTEGER NOT NULL REFERENCES recipe (id),
    unit        TEXT NOT NULL,          -- '' or the file's stem, where the outline depends on it
    package     TEXT NOT NULL,          -- declared package, '' for none
    dropped     INTEGER NOT NULL,       -- symbols of the answer without a name or place
    failure     TEXT,                   -- why there is no outline; NULL: there is one
    symbols     INTEGER NOT NULL,       -- number of its rows in `symbol`
    UNIQUE (digest, size, recipe_id, unit)
) STRICT;

-- The nodes of an outline in preorder. Lines and columns are zero-based, columns count UTF-16
-- units, ends are exclusive: exactly what the language server said.
CREATE TABLE symbol (
    outline_id        INTEGER NOT NULL REFERENCES outline (id) ON DELETE CASCADE,
    ordinal           INTEGER NOT NULL,
    parent            INTEGER,          -- ordinal of the parent; NULL at the top
    kind              INTEGER NOT NULL, -- LSP SymbolKind, see table kind
    name              TEXT NOT NULL,    -- the server's label: size(), Box<T>
    detail            TEXT NOT NULL,
    deprecated        INTEGER NOT NULL,
    start_line        INTEGER NOT NULL,
    start_column      INTEGER NOT NULL,
    end_line          INTEGER NOT NULL,
    end_column        INTEGER NOT NULL,
    name_start_line   INTEGER NOT NULL,
    name_start_column INTEGER NOT NULL,
    name_end_line     INTEGER NOT NULL,
    name_end_column   INTEGER NOT NULL,
    PRIMARY KEY (outline_id, ordinal)
) STRICT, WITHOUT ROWID;

-- The symbols that are types, as workspace/symbol finds them.
CREATE TABLE type (
    outline_id       INTEGER NOT NULL REFERENCES outline (id) ON DELETE CASCADE,
    ordinal          INTEGER NOT NULL,
    name             TEXT NOT NULL,     -- simple name
    folded           TEXT NOT NULL,     -- name in Java's lower case
    capitals         TEXT NOT NULL,     -- its upper-case units in order
    qualification_id INTEGER NOT NULL REFERENCES qualification (id),
    PRIMARY KEY (outline_id, ordinal)
) STRICT, WITHOUT ROWID;
CREATE INDEX type_folded ON type (folded);
CREATE INDEX type_capitals ON type (capitals);
CREATE INDEX type_qualification ON type (qualification_id);

-- What precedes a type's name: package and enclosing types.
CREATE TABLE qualification (
    id     INTEGER PRIMARY KEY,
    text   TEXT NOT NULL UNIQUE,        -- a.b.Outer; .Outer without a package
    folded TEXT NOT NULL
) STRICT;
CREATE INDEX qualification_folded ON qualification (folded);

-- The Java files of each workspace folder, as the last run found them.
CREATE TABLE file (
    id           INTEGER PRIMARY KEY,
    workspace_id INTEGER NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
    path         TEXT NOT NULL,         -- below the root, with '/'
    size         INTEGER NOT NULL,      -- bytes; 0 where a skipped file was not even opened
    mtime_ns     INTEGER NOT NULL,      -- -1: too young to be trusted, hash again
    ctime_ns     INTEGER NOT NULL,
    inode        INTEGER NOT NULL,
    outline_id   INTEGER REFERENCES outline (id),  -- NULL: skipped
    skipped      TEXT,                  -- why the file has no outline_id
    package      TEXT,                  -- the folder's, where it is not the declared one
    hidden       INTEGER NOT NULL DEFAULT 0,       -- 1: jdt.ls itself would not look at it
    UNIQUE (workspace_id, path)
) STRICT;
CREATE INDEX file_outline ON file (outline_id);

-- Names of LSP's symbol kinds.
CREATE TABLE kind (
    id   INTEGER PRIMARY KEY,
    name TEXT NOT NULL
) STRICT;

-- For people: every type with its place. Lines are 1-based.
CREATE VIEW types AS
SELECT w.name AS workspace, f.path, t.name, k.name AS kind,
       ltrim(q.text || '.' || t.name, '.') AS qualified_name,
       s.name_start_line + 1 AS line,
       s.start_line + 1 AS start_line,
       s.end_line + (s.end_column > 0 OR s.end_line = s.start_line) AS end_line,
       s.deprecated
FROM type t
JOIN qualification q ON q.id = t.qualification_id
JOIN symbol s ON s.outline_id = t.outline_id AND s.ordinal = t.ordinal
JOIN kind k ON k.id = s.kind
JOIN file f ON f.outline_id = t.outline_id
JOIN workspace w ON w.id = f.workspace_id;

-- For people: methods, constructors, fields, constants with the label of what holds them.
CREATE VIEW members AS
SELECT w.name AS workspace, f.path, p.name AS owner, s.name, k.name AS kind, s.detail,
       s.name_start_line + 1 AS line,
       s.start_line + 1 AS start_line,
       s.end_line + (s.end_column > 0 OR s.end_line = s.start_line) AS end_line,
       s.deprecated
FROM symbol s
JOIN symbol p ON p.outline_id = s.outline_id AND p.ordinal = s.parent
JOIN kind k ON k.id = s.kind
JOIN file f ON f.outline_id = s.outline_id
JOIN workspace w ON w.id = f.workspace_id
WHERE k.name IN ('Method', 'Constructor', 'Field', 'Constant', 'EnumMember', 'Property');

-- For people: every file and what became of it.
CREATE VIEW files AS
SELECT w.name AS workspace, w.root, f.path, f.size,
       CASE WHEN f.outline_id IS NULL THEN 'skipped'
            WHEN o.failure IS NOT NULL THEN 'failed'
            ELSE 'outlined' END AS state,
       coalesce(f.skipped, o.failure) AS reason,
       coalesce(f.package, o.package) AS package,
       coalesce(o.symbols, 0) AS symbols,
       lower(hex(o.digest)) AS xxh3_128
FROM file f
JOIN workspace w ON w.id = f.workspace_id
LEFT JOIN outline o ON o.id = f.outline_id;

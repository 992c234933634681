-- Schema 2: names of types and members, found by their beginning, end, initials and fragments;
-- library types. Replaces the table `type` of schema 1, whose rows are derived again.

DROP VIEW types;
DROP TABLE type;
DROP TABLE qualification;
DROP INDEX file_outline;
CREATE INDEX file_outline ON file (outline_id, workspace_id, hidden, package);

-- What precedes the names of types: package and enclosing types.
CREATE TABLE qualification (
    id     INTEGER PRIMARY KEY,
    text   TEXT NOT NULL UNIQUE,        -- a.b.Outer; .Outer without a package
    folded TEXT NOT NULL
) STRICT;
CREATE INDEX qualification_folded ON qualification (folded);

-- The types, as workspace/symbol finds them: of an outline, or of a library.
CREATE TABLE type (
    id               INTEGER PRIMARY KEY,
    outline_id       INTEGER REFERENCES outline (id) ON DELETE CASCADE,
    ordinal          INTEGER,           -- of its symbol in the outline
    library_id       INTEGER REFERENCES library (id) ON DELETE CASCADE,
    name             TEXT NOT NULL,     -- simple name
    folded           TEXT NOT NULL,     -- name in Java's lower case
    reversed         TEXT NOT NULL,     -- folded, from its end
    initials         TEXT NOT NULL,     -- its first character and its upper-case units
    qualification_id INTEGER NOT NULL REFERENCES qualification (id),
    kind             INTEGER NOT NULL,  -- LSP SymbolKind
    weight           INTEGER NOT NULL,  -- what comes first among equally near names, see types.py
    UNIQUE (outline_id, ordinal),
    CHECK ((outline_id IS NULL) <> (library_id IS NULL))
) STRICT;
-- With all that a search needs to count and rank: it reads no row of those that it does not show.
CREATE INDEX type_folded ON type (folded, weight, outline_id, library_id, qualification_id);
CREATE INDEX type_reversed ON type (reversed, weight, outline_id, library_id, folded);
CREATE INDEX type_initials ON type (initials, weight, outline_id, library_id, folded);
CREATE INDEX type_qualification ON type (qualification_id);
CREATE INDEX type_library ON type (library_id) WHERE library_id IS NOT NULL;

-- Names of members; few, compared with the members.
CREATE TABLE member_name (
    id       INTEGER PRIMARY KEY,
    name     TEXT NOT NULL UNIQUE,
    folded   TEXT NOT NULL,
    initials TEXT NOT NULL
) STRICT;
CREATE INDEX member_name_folded ON member_name (folded);
CREATE INDEX member_name_initials ON member_name (initials);

-- Methods, constructors, fields and constants of the types.
CREATE TABLE member (
    name_id    INTEGER NOT NULL REFERENCES member_name (id),
    outline_id INTEGER NOT NULL,  -- no reference: deleting would need one more index
    ordinal    INTEGER NOT NULL,
    owner_id   INTEGER NOT NULL,  -- the type; no reference, as above
    kind       INTEGER NOT NULL,  -- LSP SymbolKind
    weight     INTEGER NOT NULL,  -- as in type
    PRIMARY KEY (name_id, outline_id, ordinal)
) STRICT, WITHOUT ROWID;
CREATE INDEX member_owner ON member (owner_id);

-- Fragments of the folded texts, by the ids of the tables above (`indexer/store/fragments.py`). Words
-- cannot be deleted: whoever deletes texts makes these tables anew, or gives their ids to no others.
CREATE VIRTUAL TABLE type_fragment USING fts5 (
    words, content = '', detail = none, columnsize = 0, tokenize = "ascii tokenchars '_$.'"
);
CREATE VIRTUAL TABLE member_name_fragment USING fts5 (
    words, content = '', detail = none, columnsize = 0, tokenize = "ascii tokenchars '_$.'"
);
CREATE VIRTUAL TABLE qualification_fragment USING fts5 (
    words, content = '', detail = none, columnsize = 0, tokenize = "ascii tokenchars '_$.'"
);

-- In how many texts the frequent words of a fragment table stand, as counted some time ago: a
-- search asks for the rarest only.
CREATE TABLE word_count (
    texts  TEXT NOT NULL,               -- type, member_name or qualification
    word   TEXT NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (texts, word)
) STRICT, WITHOUT ROWID;

-- A library: the JDK, or a jar. One row serves every workspace folder that uses it.
CREATE TABLE library (
    id     INTEGER PRIMARY KEY,
    digest BLOB NOT NULL,               -- of the jar's bytes; of what a JDK says of itself
    size   INTEGER NOT NULL,            -- number of those bytes
    name   TEXT NOT NULL,               -- for people
    kind   TEXT NOT NULL,               -- jdk or jar
    UNIQUE (digest, size)
) STRICT;

-- What else is known of a library's types.
CREATE TABLE library_type (
    type_id    INTEGER PRIMARY KEY REFERENCES type (id) ON DELETE CASCADE,
    name       TEXT NOT NULL,           -- as jdt.ls shows it; type.name is what queries match
    container  TEXT NOT NULL,           -- as jdt.ls shows it
    uri        TEXT NOT NULL,           -- template, see indexer/libraries.py
    deprecated INTEGER NOT NULL
) STRICT;

-- How a workspace folder uses a library; fills the templates. Paths are portable where they can be:
-- they begin with {root}, {home} or {java} (indexer/portable.py). Attributes are as they came.
CREATE TABLE attachment (
    id           INTEGER PRIMARY KEY,
    workspace_id INTEGER NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
    library_id   INTEGER NOT NULL REFERENCES library (id),
    project      TEXT NOT NULL,         -- Java project, in the spelling of a URI
    path         TEXT NOT NULL,         -- of the jar or jrt-fs.jar; relative: below the project
    attributes   TEXT NOT NULL,         -- class path attributes, in the spelling of a URI
    jar          TEXT NOT NULL,         -- file name in the spelling of a URI; empty for a JDK
    file         TEXT NOT NULL          -- the jar, or the JDK's home folder
) STRICT;
CREATE INDEX attachment_library ON attachment (library_id, workspace_id);

-- What the libraries of a workspace folder were captured from; NULL: they never were.
ALTER TABLE workspace ADD COLUMN class_path TEXT;

-- For people: every source type with its place. Lines are 1-based.
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

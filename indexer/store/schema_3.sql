-- Schema 3: what a question needs to see at a glance whether the folder changed since the last run.

-- Folders of a workspace folder that hold Java files or may get some. A file that comes or goes
-- changes its folder's time. Besides, the .gitignore files in them: one that changed says that any
-- file may have come or gone.
CREATE TABLE folder (
    workspace_id INTEGER NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
    path         TEXT NOT NULL,         -- below the root, with '/'; '' is the root
    mtime_ns     INTEGER NOT NULL,      -- -1: too young to be trusted, look into it
    PRIMARY KEY (workspace_id, path)
) STRICT, WITHOUT ROWID;

-- How the last run looked for files; a question that finds changes looks in the same way.
ALTER TABLE workspace ADD COLUMN use_git INTEGER NOT NULL DEFAULT 1;
ALTER TABLE workspace ADD COLUMN max_file_size INTEGER NOT NULL DEFAULT 10485760;

"""The index on disk: schema, reading, writing. Knows no server."""

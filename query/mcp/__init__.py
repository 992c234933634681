"""The MCP server: the two tools over stdio. Only `server` knows the MCP SDK."""

"""The MCP server, by a real process and the clients of the official SDK."""

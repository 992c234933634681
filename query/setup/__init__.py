"""Set-up of coding agents: which files of a project tell a client of javadex, and how they change.

Knows neither the index nor servers. Foreign bytes of a file are never touched.
"""

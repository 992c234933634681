"""Which recipe the engine on this machine would use. Starts nothing; light to import."""

from __future__ import annotations

import os

from indexer.errors import RuntimeNotFound
from indexer.jdtls import settings
from indexer.jdtls.runtime import JdtlsHome, locate_jdtls
from indexer.recipe import Recipe


def recipe_of(jdtls: JdtlsHome) -> Recipe:
    """Return the recipe of outlines that `jdtls` makes."""
    told = {"java": settings.JAVA, "compiler": settings.COMPILER}
    return Recipe(jdtls.version, jdtls.jdt_core, told)


def expected_recipe(explicit: str | None) -> str | None:
    """Fingerprint of the recipe that the engine here would use; None on a machine without one.

    `explicit` is the value of `--jdtls`. Raises `RuntimeNotFound` when that, or `JAVADEX_JDTLS`,
    names no usable jdt.ls: what the user names is used or refused.
    """
    try:
        return recipe_of(locate_jdtls(explicit, os.environ)).fingerprint
    except RuntimeNotFound:
        if explicit or os.environ.get("JAVADEX_JDTLS"):
            raise
        return None

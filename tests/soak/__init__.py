"""A soak: a repository that changes at random, and answers that must be those of a new index."""

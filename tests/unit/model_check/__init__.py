"""The short check that chooses how a model is asked to call tools."""

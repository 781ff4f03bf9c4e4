"""Commands that are typed with a slash: one module each, answered without the model."""

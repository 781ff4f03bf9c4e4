"""Goals without a disk, a model or a clock of their own."""

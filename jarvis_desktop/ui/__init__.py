"""Front ends: they show events and send commands, nothing else."""

"""What people add, in the core."""

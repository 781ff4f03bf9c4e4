"""What travels between the core and the world: frozen values, stdlib only."""

"""The commands about rules and decisions, as a person runs them."""

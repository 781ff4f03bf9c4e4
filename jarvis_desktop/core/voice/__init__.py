"""Pure listening and speaking machines: no device, no model."""

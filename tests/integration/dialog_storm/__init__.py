"""Approval dialogs with a real broker, under storms of real clicks and keys."""

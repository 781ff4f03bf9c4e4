"""The loudspeaker on a real sound server."""

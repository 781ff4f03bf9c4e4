"""Messages to other devices, through the library and over real sockets."""

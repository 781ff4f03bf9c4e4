"""What is kept of a turn, how it is found again, and which taught patterns fit a request."""

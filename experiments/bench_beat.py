"""The longest that a process with nothing to do was kept from its 10 ms beat: what the machine itself adds.

Prints the seconds when its standard input is closed.
"""

import sys
import threading
import time

BEAT_S = 0.01


def main() -> int:
    """Beat until the input ends."""
    over = threading.Event()

    def wait_for_the_end() -> None:
        sys.stdin.read()
        over.set()

    threading.Thread(target=wait_for_the_end, daemon=True).start()
    longest_s, last_s = 0.0, time.monotonic()
    while not over.wait(BEAT_S):
        now_s = time.monotonic()
        longest_s, last_s = max(longest_s, now_s - last_s), now_s
    print(longest_s)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""What the tests of the desktop share: bounded waits, and programs that must be there."""

import os
import shutil

import pytest

from tests.e2e.waiting import eventually as comes_true

__all__ = ["comes_true", "needed"]


def needed(program: str) -> None:
    """Skips the test where the program is missing; fails it where CI promises the program."""
    if shutil.which(program) is None:
        reason = f"{program} is not installed; ./test installs it"
        if os.environ.get("CI") == "true":
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)

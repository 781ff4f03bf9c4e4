"""The machine's clock."""

import asyncio
import time
from datetime import datetime


class SystemClock:
    """Fills ``Clock`` with the machine's time."""

    def now(self) -> datetime:
        """Wall clock in the machine's zone."""
        return datetime.now().astimezone()

    def monotonic_s(self) -> float:
        """Seconds that never jump back."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Wait; at once when ``seconds`` is not positive."""
        await asyncio.sleep(max(0.0, seconds))

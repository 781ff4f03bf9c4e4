"""A short message for a person who does not look at our windows, and what was pressed on it."""

from dataclasses import dataclass

OPEN = "default"
"""The key of a click on the message itself, as every desktop calls it; some draw a button for it."""
SEEN_S = 1.0
"""Nobody has read a message that has been there for less, so a yes to it does not count (decision 41)."""


@dataclass(frozen=True, slots=True)
class Notice:
    """What a desktop shows beside the work. No answer, no transcript; what would run only in ``text``."""

    notice_id: str
    """Another one with the same name takes its place. Of a question: the question's id."""
    title: str
    text: str
    """Plain text; whoever shows it escapes it where the desktop reads markup."""
    actions: tuple[tuple[str, str], ...] = ()
    """Buttons as (key, label); desktops may leave them out, so none is the only way to do something."""
    instead: str = ""
    """What a desktop without buttons shows in place of ``text``: where to answer. Our own words only."""
    digest: str = ""
    """Of a question: the digest of what it asks about, which an answer carries back."""
    lasts_s: float | None = None
    """Seconds after which it is of no use; None leaves that to the desktop."""
    urgent: bool = False
    """It stays until somebody reacts, where the desktop can do that."""
    fleeting: bool = False
    """The desktop keeps no copy of it among its past messages, where it can do that."""


@dataclass(frozen=True, slots=True)
class NoticePress:
    """A person pressed a button of a notice, or the notice itself."""

    notice: Notice
    key: str
    seen: bool
    """It had been there for ``SEEN_S`` before."""

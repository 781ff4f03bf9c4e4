"""A conversation as the text of a file: Markdown for people, JSON for programs."""

import json
from collections.abc import Sequence

from jarvis_desktop.core.items.slash import StoredTurn
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.slash.markup import code


def as_markdown(turns: Sequence[StoredTurn], agent: str, texts: Texts) -> str:
    """Each request under a heading with its time, the calls made for it, and the answer as it was written."""
    title = texts("Conversation with {agent}").format(agent=agent)
    parts = [f"# {title}"]
    for turn in turns:
        parts.append(f"## {texts('You')} · {turn.asked_at.astimezone():%Y-%m-%d %H:%M}")
        parts.append(_quoted(turn.text))
        if turn.expansion:
            parts += (f"{texts('What the skill made of it')}:", _quoted(turn.expansion))
        parts.append(f"### {agent}")
        if turn.tools:
            parts.append("\n".join(f"- {code(call)}" for call in turn.tools))
        parts.append(turn.reply or texts("(no answer)"))
    return "\n\n".join(parts) + "\n"


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())


def as_json(turns: Sequence[StoredTurn], agent: str) -> str:
    """``{"agent", "turns": [{"asked_at", "origin", "request", "tools", "replied_at", "reply", "end"}]}``.

    A turn that called a skill has ``"expansion"`` as well: what the skill made of the request.
    """
    whole = {
        "agent": agent,
        "turns": [
            {
                "asked_at": turn.asked_at.isoformat(),
                "origin": turn.origin.value,
                "request": turn.text,
                "tools": list(turn.tools),
                "replied_at": turn.replied_at.isoformat(),
                "reply": turn.reply,
                "end": turn.end.value if turn.end is not None else None,
                **({"expansion": turn.expansion} if turn.expansion else {}),
            }
            for turn in turns
        ],
    }
    return json.dumps(whole, ensure_ascii=False, indent=2) + "\n"

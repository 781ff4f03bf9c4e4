"""One fingerprint per exact call: what was shown, what was answered and what runs must carry the same one."""

import hashlib
import json
from pathlib import Path

from jarvis_desktop.core.items.calls import ToolCall
from jarvis_desktop.core.items.ids import AgentId


def call_digest(call: ToolCall, cwd: Path, agent_id: AgentId, snapshot: str = "") -> str:
    """sha256 over tool, full arguments, directory, agent and the files that the call would change.

    The call's id is left out: the same action asked for twice is the same action.
    snapshot: digest of those files as they were shown; empty when none were.
    """
    # A JSON list frames its parts, so that no text can move from one part into the next; ASCII escapes
    # keep lone surrogates, which a model may well write, from failing at the encoder.
    whole = [call.name, dict(call.arguments), str(cwd), agent_id, snapshot]
    canonical = json.dumps(whole, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()

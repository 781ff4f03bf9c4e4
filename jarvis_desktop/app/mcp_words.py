"""What is said about MCP servers: definitions without their secrets, and what is wrong with one."""

import hashlib
import json
import re
from collections.abc import Mapping
from urllib.parse import urlsplit, urlunsplit

from jarvis_desktop.adapters.mcp_trouble import Trouble
from jarvis_desktop.adapters.ollama_host import server_address
from jarvis_desktop.core.extensions.mcp_offer import LeftOut, Offer, cleaned
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.server_settings import REFERENCE, ServerSettings

MOST_NAMED = 5
_LOADS = re.compile(
    r"PATH|HOME|SHELL|ENV|BASH_ENV|LD_\w+|DYLD_\w+|PYTHON\w+|NODE_OPTIONS|NODE_PATH|PERL5\w+|RUBYLIB|RUBYOPT|"
    r"JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS|_JAVA_OPTIONS"
)
"""Variables that decide which code is run; no secret is kept in them."""
_FETCHES = re.compile(r"(?:uv|pip|npm_config)_\w*(?:index|registry|url|links)\w*", re.IGNORECASE)
"""Variables with addresses from which code is fetched."""


def identity_of(name: str, server: ServerSettings) -> str:
    """Digest of everything that enabling it lets run; variables count by their names."""
    whole = [name, server.model_dump(mode="json")]
    canonical = json.dumps(whole, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()


def definition_text(name: str, server: ServerSettings, texts: Texts) -> str:
    """The definition as a person reads it before enabling it, without its secrets."""
    lines = [f"{name}:"]
    if server.url:
        lines += [f"  url: {shown_url(server.url)}", f"  transport: {server.transport}"]
        lines += _hidden("headers", server.headers, texts)
        if not is_here(server.url):
            note = texts("not this machine: what agents hand to its tools leaves this machine")
            lines.append(f"  # {note}")
    else:
        lines.append(f"  command: {_on_one_line(server.command)}")
        if server.args:
            lines.append("  args:")
            lines += [f"    - {json.dumps(one, ensure_ascii=False)}" for one in server.args]
        lines += _hidden("env", server.env, texts)
        if server.cwd:
            lines.append(f"  cwd: {_on_one_line(server.cwd)}")
    lines.append(f"  timeout_s: {server.timeout_s:g}")
    return "\n".join(lines)


def is_here(url: str) -> bool:
    """The address is this machine."""
    try:
        return server_address(REFERENCE.sub("x", url)).is_loopback
    except ValueError:
        return False


def shown_url(url: str) -> str:
    """``url`` without passwords and without what stands in its query."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "…"
    host = parts.netloc.rpartition("@")[2]
    query = "&".join(f"{one.partition('=')[0]}=…" for one in parts.query.split("&")) if parts.query else ""
    return urlunsplit((parts.scheme, f"…@{host}" if "@" in parts.netloc else host, parts.path, query, ""))


def _hidden(name: str, values: Mapping[str, str], texts: Texts) -> list[str]:
    """Names with their values, as far as those are names of variables or decide what runs."""
    if not values:
        return []
    hidden = texts("(not shown)")
    shown = {one: _shown_value(one, value) or hidden for one, value in values.items()}
    return [f"  {name}:", *(f"    {_on_one_line(one)}: {value}" for one, value in shown.items())]


def _shown_value(name: str, value: str) -> str:
    """As it is shown; empty where it may be a secret."""
    if _FETCHES.fullmatch(name):
        return _on_one_line(" ".join(shown_url(one) for one in value.split()))
    return _on_one_line(value) if REFERENCE.fullmatch(value) or _LOADS.fullmatch(name) else ""


def _on_one_line(text: str) -> str:
    """A text that cannot pass itself off as further lines of the definition."""
    return text if text.isprintable() else json.dumps(text)


def left_out_text(offer: Offer, texts: Texts) -> str:
    """Which of a server's tools are not offered, and why; empty when all are."""
    reasons = {
        LeftOut.TOO_MANY: texts("it has more tools than are taken of one server"),
        LeftOut.NAME: texts("its name is too long, or in letters that models cannot write"),
        LeftOut.TAKEN: texts("another tool has its name already"),
        LeftOut.SCHEMA: texts("its arguments are too long, or described in a way that cannot be read"),
        LeftOut.NO_ROOM: texts("the model's context is too small for so many tools: model.context_tokens"),
    }
    lines = []
    for why, text in reasons.items():
        names = [name or "?" for name, reason in offer.left_out if reason is why]
        if names:
            more = f" … (+{len(names) - MOST_NAMED})" if len(names) > MOST_NAMED else ""
            shown = ", ".join(names[:MOST_NAMED]) + more
            lines.append(texts("Not offered: {names}: {why}.").format(names=shown, why=text))
    return "\n".join(lines)


def trouble_text(trouble: Trouble, server: ServerSettings, said: str, texts: Texts) -> str:
    """What happened with a server, and what to do.

    said: what the server said to it.
    """
    what = shown_url(server.url) if server.url else server.command
    sentences = {
        Trouble.SLOW: texts("{what} did not tell its tools in time. Jarvis goes on trying."),
        Trouble.TOO_HEAVY: texts(
            "{what} sent more than 4 MB at once, which is refused. Jarvis connects anew."
        ),
        Trouble.REFUSED: texts(
            "{what} refuses to connect. Look whether it is an MCP server and speaks this way."
        ),
        Trouble.UNAUTHORISED: texts("{what} wants to know who asks. Set a header for it in settings.yaml."),
        Trouble.UNREACHABLE: texts(
            "{what} cannot be reached. Start it, or mend its address in settings.yaml."
        ),
        Trouble.NONSENSE: texts(
            "{what} does not speak MCP. Look whether it is the right program or address."
        ),
        Trouble.ENDED: texts("{what} ended. Try it in a terminal to see why; Jarvis starts it anew."),
    }
    if server.command:
        sentences[Trouble.UNREACHABLE] = texts(
            "{what} could not be started. Mend its command in settings.yaml."
        )
        sentences[Trouble.REFUSED] = texts("{what} refuses to begin. Look at its command in settings.yaml.")
    text = sentences.get(trouble, sentences[Trouble.ENDED]).format(what=what)
    quoted = cleaned(said, 200)
    return f"{text} " + texts("It says: {said}").format(said=quoted) if quoted else text

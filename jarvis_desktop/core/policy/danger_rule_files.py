"""Commands that would write approval rules or enable code. This detector cannot be turned off."""

import re
from fnmatch import fnmatchcase

from jarvis_desktop.core.policy.command_facts import Call, CommandFacts
from jarvis_desktop.core.policy.known_programs import READERS
from jarvis_desktop.core.policy.paths import absolute, folded_homes
from jarvis_desktop.core.policy.risky_options import risk_of

_LONGEST_GLOB = 400
_COPIERS = frozenset({"cp", "rsync", "scp", "install"})
"""They write only their last operand, or what ``-t`` names."""
_ONLY_READING = READERS | frozenset(
    {"sed", "gsed", "awk", "gawk", "mawk", "tar", "zip", "gzip", "bat", "jq", "yq"}
)
_RULES_AT = ("", "/approvals.yaml", "/approvals", "/extensions.yaml")
"""Below our folder: what says what runs unasked, and what holds it."""
_WRITES = re.compile(
    r"write|unlink|remove|rename|replace|truncate|dump|rmtree|move|copy|system|exec|>|shutil|chmod|symlink|append|"
    r"touch|save|File\.|fs\.|open\s*\([^)]*,\s*(mode\s*=\s*)?['\"][^'\"]*[wax+]",
    re.IGNORECASE,
)


def rule_file_written(call: Call, facts: CommandFacts) -> str | None:
    """The rule file that ``call`` would change."""
    for opened in call.redirects:
        if ">" in opened.operator and _leads_to_rules(opened.target.text, call, facts):
            return opened.target.text
    if call.foreign:
        return _in_foreign(call.foreign, facts)
    named = [text for text in _written_words(call) if _leads_to_rules(text, call, facts)]
    if not named or call.name == "":
        return None
    return None if _only_reads(call) else named[0]


def _only_reads(call: Call) -> bool:
    words = [word.text for word in call.argv]
    if call.name in ("tar", "gtar", "bsdtar") and any(
        word in ("--extract", "--get") or (set(word) <= set("-xvfzjJpkmO") and "x" in word)
        for word in words[1:3]
    ):
        return False
    return call.name in _ONLY_READING and risk_of(words) is None


def _written_words(call: Call) -> list[str]:
    """Operands and option values that the program could write to."""
    words = [word.text for word in call.argv[1:]]
    if call.name in _COPIERS:
        targets = [
            words[at + 1] for at, word in enumerate(words[:-1]) if word in ("-t", "--target-directory")
        ]
        targets += [word.partition("=")[2] for word in words if word.startswith("--target-directory=")]
        return targets or words[-1:]
    glued = [word[2:] for word in words if word[:1] == "-" and word[1:2] != "-" and len(word) > 2]
    return [*words, *(word.partition("=")[2] for word in words if "=" in word), *glued]


def _leads_to_rules(text: str, call: Call, facts: CommandFacts) -> bool:
    """``text`` names a rule file or a folder that holds one, itself or through links."""
    if not text:
        return False
    path = absolute(text, call.cwd or facts.place.cwd)
    fact = facts.paths.get(path)
    return any(_holds_rules(one, facts) for one in ((path,) if fact is None else (path, fact.real)))


def _holds_rules(path: str, facts: CommandFacts) -> bool:
    folded = path.casefold()
    for base in folded_homes(facts.place):
        if folded.startswith(base):
            rest = folded[len(base) :]
            if rest in _RULES_AT or rest.startswith("/approvals/"):
                return True
        if len(folded) < _LONGEST_GLOB and ("*" in folded or "?" in folded or "[" in folded):
            names = (*_RULES_AT, "/approvals/main.yaml")
            if any(_globbed(f"{base}{name}", folded) for name in names):
                return True
    return False


def _globbed(path: str, pattern: str) -> bool:
    """The shell's glob ``pattern`` stands for ``path``, folder by folder; hidden names only if asked for."""
    parts, wanted = path.split("/"), pattern.split("/")
    return len(parts) == len(wanted) and all(
        fnmatchcase(part, want) and (not part.startswith(".") or want.startswith("."))
        for part, want in zip(parts, wanted, strict=True)
    )


def _in_foreign(code: str, facts: CommandFacts) -> str | None:
    """Program text that names a rule file and does more than read it."""
    named = re.search(r"(approvals(/[\w.-]+)?|extensions)\.yaml", code)
    inside = any(home in code for home in facts.place.app_homes) or ".jarvis" in code
    return named[0] if named and inside and _WRITES.search(code) else None

"""Changes to rule files that people make in the settings window: revoked, put back, added, written anew."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from jarvis_desktop.adapters.rule_files import (
    SHARED_FILE,
    RuleFileError,
    RuleFileMovedError,
    RuleFiles,
    Saved,
)
from jarvis_desktop.adapters.rule_text_edit import with_lines
from jarvis_desktop.core.items.ids import MAIN_AGENT, AgentId, fresh_id
from jarvis_desktop.core.items.rule_desk import RuleFileRead
from jarvis_desktop.core.items.rule_facts import Layer
from jarvis_desktop.core.items.rules import Rule, RuleLine
from jarvis_desktop.core.ports import Texts

_BOM = b"\xef\xbb\xbf"
KEPT_UNDOS = 200


@dataclass(frozen=True, slots=True)
class _Undo:
    rule: Rule
    before: bytes
    after: bytes


class RuleEdits:
    """Every method blocks for the disk, and raises ``RuleFileError`` when nothing was changed."""

    def __init__(self, files: RuleFiles, texts: Texts) -> None:
        self._files, self._texts = files, texts
        self._undos: dict[str, _Undo] = {}

    def revoke(self, rule: Rule) -> tuple[Rule, str]:
        """The rule that is gone, and the name under which it can be put back."""
        found = self._found(rule)
        before = self._files.content(found.file) or b""
        self._files.revoke(found)
        after = self._files.content(found.file) or b""
        undo_id = fresh_id()
        self._undos[undo_id] = _Undo(found, before, after)
        while len(self._undos) > KEPT_UNDOS:
            self._undos.pop(next(iter(self._undos)))
        return found, undo_id

    def undo(self, undo_id: str) -> Rule:
        """The rule that is back: byte for byte as it was, or as a new line if the file has changed since."""
        undo = self._undos.get(undo_id)
        if undo is None:
            raise RuleFileError(self._texts("This can no longer be undone. Add the rule again."))
        name, line = undo.rule.file, undo.rule.line
        try:
            self._files.put(name, undo.before, undo.after)
        except RuleFileMovedError:
            now = self._files.content(name) or b""
            if line not in {rule.line for rule in self._files.read(name).rules}:
                try:
                    self._files.put(name, with_lines(now, (line,)), now)
                except ValueError as error:
                    raise RuleFileError(f"{name}: {error}") from error
        del self._undos[undo_id]
        return undo.rule

    def add(self, line: RuleLine, layer: Layer) -> tuple[str, Saved]:
        """The file that was asked for, and what was written."""
        line = RuleLine(line.tool.strip(), line.pattern.strip())
        if not line.tool or not line.pattern or "\n" in line.pattern:
            raise RuleFileError(self._texts("A rule needs a tool and a pattern on one line."))
        if layer is Layer.SHARED:
            return SHARED_FILE, self._files.share(line)
        return self._files.file_of(MAIN_AGENT), self._files.save(MAIN_AGENT, (line,))

    def read(self, name: str) -> RuleFileRead:
        """The text of a file as a person edits it."""
        content = self._files.content(name)
        try:
            text = (content or b"").removeprefix(_BOM).decode().replace("\r\n", "\n")
        except UnicodeError as error:
            raise RuleFileError(
                self._texts("{file} is not UTF-8 text. Mend it in another editor.").format(file=name)
            ) from error
        return RuleFileRead(name, text, digest_of(content))

    def write(self, name: str, text: str, digest: str) -> str:
        """The digest of what is in the file now; its line ends and byte order mark stay what they were.

        Raises:
            RuleFileMovedError: what is on disk is not what ``digest`` was read from.
        """
        old = self._files.content(name)
        if digest_of(old) != digest:
            raise RuleFileMovedError(name)
        before = old or b""
        fresh = (text.replace("\n", "\r\n") if b"\r\n" in before else text).encode()
        fresh = _BOM + fresh if before.startswith(_BOM) else fresh
        self._files.put(name, fresh, before)
        return digest_of(fresh)

    def names(self) -> Sequence[tuple[str, str]]:
        """Every file with the agent whose it is, the shared one first, also those that are not there yet."""
        agents = dict.fromkeys((MAIN_AGENT, *self._files.agents()))
        return [(SHARED_FILE, ""), *((self._files.file_of(AgentId(agent)), str(agent)) for agent in agents)]

    def _found(self, rule: Rule) -> Rule:
        """``rule`` where it stands now: its line's number moves when people edit the file."""
        same = [one for one in self._files.read(rule.file).rules if one.line == rule.line]
        if not same:
            raise RuleFileError(
                self._texts("{rule} is not in {file} any more.").format(
                    rule=f"{rule.line.tool}: {rule.line.pattern}", file=rule.file
                )
            )
        return min(same, key=lambda one: abs(one.number - rule.number))


def digest_of(content: bytes | None) -> str:
    """What tells two contents of a file apart; empty when there is no file."""
    return "" if content is None else sha256(content).hexdigest()

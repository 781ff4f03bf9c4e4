"""The rules' desk: does what the settings window asks about rules, danger list and decisions."""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from jarvis_desktop.adapters.files_write import write_whole
from jarvis_desktop.adapters.rule_files import RuleFileMovedError, RuleFiles
from jarvis_desktop.adapters.rule_text import read_rules
from jarvis_desktop.adapters.sqlite_audit_pages import AuditPages
from jarvis_desktop.app.audit_cmd import entry_json
from jarvis_desktop.app.rule_edits import RuleEdits, digest_of
from jarvis_desktop.app.rule_problem_words import problems_of
from jarvis_desktop.app.rule_trials import RuleTrials
from jarvis_desktop.app.rule_uses import RuleUses
from jarvis_desktop.app.rules_list import all_rules
from jarvis_desktop.app.task_desk import TaskDesk
from jarvis_desktop.core.items.errors import StorageError, UserFixableError
from jarvis_desktop.core.items.rule_desk import (
    AddRule,
    AuditExported,
    AuditLooked,
    CheckRuleText,
    ExportAudit,
    LookAtAudit,
    LookAtRules,
    PreviewRule,
    ReadRuleFile,
    RevokeRule,
    RuleAdded,
    RuleCommand,
    RuleRestored,
    RuleRevoked,
    RulesLooked,
    RuleTextChecked,
    RuleTextSaved,
    RuleWish,
    RuleWishRefused,
    SaveRuleText,
    TryCall,
    TryDanger,
    UndoRevoke,
)
from jarvis_desktop.core.items.rule_facts import HeldRule, RuleFacts, RuleFile
from jarvis_desktop.core.items.rules import Rule
from jarvis_desktop.core.policy.danger import danger_list
from jarvis_desktop.core.policy.facts import Reading
from jarvis_desktop.core.policy.rules import weakness_of
from jarvis_desktop.core.policy.wording import weakness_text
from jarvis_desktop.core.ports import Clock, Emit, Texts

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RuleDeskParts:
    """What the desk works with."""

    files: RuleFiles
    pages: AuditPages
    reading: Reading
    """The one that real calls are decided by."""
    folder: Callable[[], Path]
    """Where commands run unless a conversation says otherwise."""
    clock: Clock
    texts: Texts
    emit: Emit


class RuleDesk(TaskDesk[RuleCommand]):
    """Obeys ``RuleCommand``s."""

    def __init__(self, parts: RuleDeskParts) -> None:
        super().__init__()
        self._parts = parts
        self._edits = RuleEdits(parts.files, parts.texts)
        self._trials = RuleTrials(parts.reading, parts.clock, parts.texts)
        self._uses, self._seen = RuleUses(), 0

    async def held(self) -> tuple[HeldRule, ...]:
        """Every rule of both layers, the shared ones first.

        Raises:
            UserFixableError, OSError: a file cannot be read.
        """
        async with self._changing:
            return (await self._facts()).rules

    async def forget(self, rule: Rule) -> str:
        """The rule counts no longer; the name under which it can be put back. Windows are told.

        Raises:
            UserFixableError, OSError: it still counts.
        """
        async with self._changing:
            return await self._revoke(RevokeRule(rule))

    async def put_back(self, undo_id: str) -> Rule:
        """The rule counts again. Windows are told.

        Raises:
            UserFixableError, OSError: it does not.
        """
        async with self._changing:
            return await self._undo(UndoRevoke(undo_id))

    async def _do(self, command: RuleCommand) -> None:  # noqa: C901, PLR0912 - one line for each command
        emit, trials = self._parts.emit, self._trials
        match command:
            case LookAtRules():
                await self._told(RuleWish.LOOK, self._look)
            case RevokeRule():
                await self._told(RuleWish.REVOKE, lambda: self._revoke(command))
            case UndoRevoke():
                await self._told(RuleWish.UNDO, lambda: self._undo(command))
            case AddRule():
                await self._told(RuleWish.ADD, lambda: self._add(command))
            case ReadRuleFile(file):
                await self._told(RuleWish.READ, lambda: self._read(file))
            case SaveRuleText():
                await self._told(RuleWish.SAVE, lambda: self._save(command))
            case LookAtAudit():
                await self._told(RuleWish.AUDIT, lambda: self._audit(command))
            case ExportAudit():
                await self._told(RuleWish.EXPORT, lambda: self._export(command))
            case CheckRuleText():
                await emit(await asyncio.to_thread(self._checked, command))
            case PreviewRule(number, line):
                await emit(trials.rule(number, line))
            case TryCall():
                await emit(await trials.call(command, self._parts.folder()))
            case TryDanger():
                await emit(await trials.danger(command))

    async def _told(self, wish: RuleWish, work: Callable[[], Awaitable[object]]) -> None:
        """Do it, or tell why it was not done."""
        try:
            async with self._changing:
                await work()
        except (UserFixableError, OSError) as error:
            reason = str(error)
            if isinstance(error, OSError):
                reason = f"{error.filename}: {error.strerror}."
            await self._parts.emit(RuleWishRefused(wish, reason))

    # --- rules --------------------------------------------------------------------------------

    async def _look(self) -> None:
        await self._parts.emit(RulesLooked(await self._facts()))

    async def _revoke(self, wish: RevokeRule) -> str:
        rule, undo_id = await asyncio.to_thread(self._edits.revoke, wish.rule)
        log.info("a rule was revoked", extra={"rule_file": rule.file})
        await self._parts.emit(RuleRevoked(rule, undo_id))
        await self._look()
        return undo_id

    async def _undo(self, wish: UndoRevoke) -> Rule:
        rule = await asyncio.to_thread(self._edits.undo, wish.undo_id)
        log.info("a revoked rule was put back", extra={"rule_file": rule.file})
        await self._parts.emit(RuleRestored(rule, wish.undo_id))
        await self._look()
        return rule

    async def _add(self, wish: AddRule) -> None:
        file, saved = await asyncio.to_thread(self._edits.add, wish.line, wish.layer)
        await self._parts.emit(RuleAdded(wish.line, file, is_new=bool(saved.lines)))
        await self._look()

    async def _facts(self) -> RuleFacts:
        security = await self._parts.reading.security.fresh()
        trouble = ""
        try:
            fresh, self._seen = await asyncio.to_thread(self._parts.pages.newer, self._seen)
            self._uses.take(fresh)
        except StorageError as error:
            trouble = str(error)
        rules, files = await asyncio.to_thread(self._held)
        danger = security.dangerous_commands
        return RuleFacts(
            rules, files, danger, danger_list(danger).problems, str(self._parts.folder()), trouble
        )

    def _held(self) -> tuple[tuple[HeldRule, ...], tuple[RuleFile, ...]]:
        files, texts = self._parts.files, self._parts.texts
        held: list[HeldRule] = []
        for rule in all_rules(files)[0]:
            weakness = weakness_of(rule.line)
            warning = "" if weakness is None else weakness_text(weakness, texts)
            held.append(HeldRule(rule, self._uses.of(rule), warning))
        return tuple(held), tuple(
            RuleFile(
                name,
                agent,
                digest_of(_content(files, name)),
                problems_of(files.read(name), self._parts.texts),
            )
            for name, agent in self._edits.names()
        )

    # --- texts --------------------------------------------------------------------------------

    async def _read(self, file: str) -> None:
        await self._parts.emit(await asyncio.to_thread(self._edits.read, file))

    async def _save(self, wish: SaveRuleText) -> None:
        try:
            digest = await asyncio.to_thread(self._edits.write, wish.file, wish.text, wish.digest)
        except RuleFileMovedError:
            # Nothing is lost: the person sees what is there now, and decides.
            await self._read(wish.file)
            return
        await self._parts.emit(RuleTextSaved(wish.file, digest))
        await self._look()

    def _checked(self, wish: CheckRuleText) -> RuleTextChecked:
        found = read_rules(wish.text.encode("utf-8", "replace"), wish.file)
        return RuleTextChecked(wish.number, problems_of(found, self._parts.texts))

    # --- decisions ----------------------------------------------------------------------------

    async def _audit(self, wish: LookAtAudit) -> None:
        now = self._parts.clock.now()
        page = await asyncio.to_thread(self._parts.pages.page, wish.wanted, now, wish.after)
        await self._parts.emit(AuditLooked(wish.number, page.entries, page.after, page.total, page.tools))

    async def _export(self, wish: ExportAudit) -> None:
        now = self._parts.clock.now()
        entries = await asyncio.to_thread(self._parts.pages.all, wish.wanted, now)
        lines = "".join(f"{json.dumps(entry_json(entry))}\n" for entry in entries)
        await asyncio.to_thread(partial(_write_private, Path(wish.path), lines.encode()))
        await self._parts.emit(AuditExported(wish.path, len(entries)))


def _content(files: RuleFiles, name: str) -> bytes | None:
    try:
        return files.content(name)
    except UserFixableError:  # its own problem says so already
        return None


def _write_private(path: Path, content: bytes) -> None:
    """A new file is its owner's alone: it holds commands."""
    path.touch(mode=0o600, exist_ok=True)
    write_whole(path, content)

"""The page that edits rule files as text, and never writes over what somebody else wrote."""

from collections.abc import Mapping
from dataclasses import replace

from PySide6.QtCore import QTimer
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout

from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.items.rule_desk import (
    CheckRuleText,
    LookAtRules,
    ReadRuleFile,
    RuleFileRead,
    RulesLooked,
    RuleTextChecked,
    RuleTextSaved,
    SaveRuleText,
)
from jarvis_desktop.core.items.rule_facts import RuleFacts, TextProblem
from jarvis_desktop.core.items.settings_desk import FILE as SETTINGS_FILE
from jarvis_desktop.core.items.settings_desk import SettingsLooked
from jarvis_desktop.core.items.team_desk import AgentFact, LookAtTeam, TeamLooked
from jarvis_desktop.ui import rule_words
from jarvis_desktop.ui.qt.page import fill, mark, say, wrapped
from jarvis_desktop.ui.qt.rows import plain_label
from jarvis_desktop.ui.qt.settings_conflict import ConflictAnswers, ConflictBar
from jarvis_desktop.ui.qt.settings_page import SettingsPage, SettingsParts, Ways, choice, push, raw_text
from jarvis_desktop.ui.qt.settings_problems import ProblemList
from jarvis_desktop.ui.qt.settings_sheet import SHARED_FILE, Sheet, folder_of, is_agent, line_of
from jarvis_desktop.ui.qt.settings_yaml_editor import YamlEditor

DEBOUNCE_MS = 250
_LEAST_EDITOR_PX = 190


class FilesPage(SettingsPage):
    """One file at a time; edits of the others stay until they are saved or taken back."""

    def __init__(self, parts: SettingsParts, ways: Ways) -> None:
        texts = parts.texts
        super().__init__(
            parts,
            ways,
            texts("Files"),
            texts(
                "Rules, settings and agents as text. Comments stay, and what is wrong shows while you type."
            ),
        )
        self.sheets: dict[str, Sheet] = {}
        self.shown = SHARED_FILE
        self._theirs: RuleFileRead | None = None
        self._at: int | str = 0
        self._number = 0
        self._facts: RuleFacts | None = None
        self._agents: tuple[AgentFact, ...] = ()
        self._loading = False
        self._sent = ""
        self._build()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DEBOUNCE_MS)
        self._timer.timeout.connect(self._check)
        self.editor.textChanged.connect(self._edited)
        QShortcut(QKeySequence.StandardKey.Save, self).activated.connect(self._save)

    def _build(self) -> None:
        texts = self.parts.texts
        self.files = choice(texts("Rule file"), "files.file", self._file_chosen)
        self._offer(SHARED_FILE)
        self.state = plain_label("", "cardState")
        self.revert = push(texts("&Discard changes"), "files.revert", self._revert)
        self.save = push(texts("&Save"), "files.save", self._save, "primary")
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.files, 1)
        head.addWidget(self.revert)
        head.addWidget(self.save)
        self.column.addLayout(head)
        self.folder = push(texts("Open the folder"), "files.folder", self._open_folder, "link")
        answers = ConflictAnswers(self._keep_mine, self._take_theirs, self._show_both)
        self.conflict = ConflictBar(self.parts, answers)
        self.column.addWidget(self.conflict)
        self.editor = YamlEditor(texts("Text of the rule file"), "files.text", self.parts.theme.colours)
        self.editor.setMinimumHeight(_LEAST_EDITOR_PX)
        self.column.addWidget(self.editor, 1)
        self.verdict = wrapped("", "cardState")
        self.problems = ProblemList(texts, texts("What is wrong in the text"), "files.problems", self._go_to)
        below = QHBoxLayout()
        below.addWidget(self.verdict, 1)
        below.addWidget(self.state)
        below.addWidget(self.folder)
        self.column.addLayout(below)
        self.column.addWidget(self.problems)
        say(self.verdict, "")
        self._show_state()

    # --- events -------------------------------------------------------------------------------

    def take(self, event: Event) -> None:
        """Show what happened."""
        match event:
            case RulesLooked(facts):
                self._take_facts(facts)
            case SettingsLooked(digest=digest) if self.shown == SETTINGS_FILE:
                self._compare(digest)
            case TeamLooked(agents):
                self._take_agents(agents)
            case RuleFileRead():
                self._take_text(event)
            case RuleTextSaved(file, digest):
                self._take_saved(file, digest)
            case RuleTextChecked(number, problems) if number == self._number:
                self._show_problems(problems)
            case _:
                pass

    def _take_facts(self, facts: RuleFacts) -> None:
        if facts == self._facts:
            return
        self._facts = facts
        self._offer(self.shown)
        if self.shown != SETTINGS_FILE and not is_agent(self.shown):
            self._compare({one.file: one.digest for one in facts.files}.get(self.shown, ""))

    def _take_agents(self, agents: tuple[AgentFact, ...]) -> None:
        self._agents = tuple(one for one in agents if one.own)
        self._offer(self.shown)
        if is_agent(self.shown):
            self._compare({one.file: one.digest for one in self._agents}.get(self.shown, ""))

    def _compare(self, digest: str) -> None:
        """What is on disk may be another text than what was read."""
        sheet = self.sheets.get(self.shown)
        told = self._theirs.digest if self._theirs else None
        if sheet is None or digest not in (sheet.digest, told):
            self.parts.look(ReadRuleFile(self.shown))

    def _take_text(self, read: RuleFileRead) -> None:
        sheet = self.sheets.get(read.file)
        if sheet is None or not sheet.edited or sheet.text == read.text:
            self.sheets[read.file] = Sheet(read.text, read.digest, read.text)
            if read.file == self.shown:
                self._theirs = None
                self._show_sheet()
        elif sheet.digest != read.digest and read.file == self.shown:
            self._theirs = read
            self.conflict.begin()
        self._show_state()

    def _take_saved(self, file: str, digest: str) -> None:
        if file in self.sheets:
            self.sheets[file] = replace(self.sheets[file], base=self._sent, digest=digest)
        self._show_state(saved=True)

    def entered(self) -> None:
        """Look anew."""
        self.parts.look(LookAtRules())
        self.parts.look(LookAtTeam())

    def restyle(self) -> None:
        """The editor has colours of its own."""
        self.editor.restyle(self.parts.theme.colours)

    def typed(self) -> Mapping[str, object]:
        """What is not saved yet goes along."""
        return {"shown": self.shown, "sheets": self.sheets}

    def take_over(self, typed: Mapping[str, object]) -> None:
        """It is here again."""
        sheets, shown = typed.get("sheets"), typed.get("shown")
        if isinstance(sheets, dict) and isinstance(shown, str):
            self.sheets, self.shown = sheets, shown
            self._show_sheet()

    def open_file(self, file: str, at: int | str = 0) -> None:
        """Turn to ``file``: to a line, or to where a name stands at the beginning of one."""
        self.shown, self._at, self._theirs = file, at, None
        self._offer(file)
        self._show_sheet()
        self.parts.look(ReadRuleFile(file))
        self.editor.setFocus()

    # --- showing ------------------------------------------------------------------------------

    def _show_sheet(self) -> None:
        sheet = self.sheets.get(self.shown, Sheet("", "", ""))
        if self._theirs is None:
            self.conflict.end()
        if raw_text(self.editor) != sheet.text:
            self._loading = True
            self.editor.setPlainText(sheet.text)
            self._loading = False
        if self._at and sheet.text:
            self.editor.go_to(self._at if isinstance(self._at, int) else line_of(self._at, sheet.text))
            self._at = 0
        self._check()
        self._show_state()

    def _show_state(self, *, saved: bool = False) -> None:
        texts, sheet = self.parts.texts, self.sheets.get(self.shown)
        edited = sheet is not None and sheet.edited
        said = texts("Not saved yet") if edited else texts("Saved") if saved else ""
        if sheet is not None and not sheet.digest and not edited:
            said = texts("There is no such file yet.")
        self.state.setText(said)
        mark(self.state, "good", on=saved and not edited)
        self.save.setEnabled(edited and self._theirs is None)
        self.revert.setEnabled(edited)

    def _show_problems(self, problems: tuple[TextProblem, ...]) -> None:
        texts = self.parts.texts
        self.problems.show_problems(problems)
        wrong = sum(not problem.is_warning for problem in problems)
        said = texts.plural("{count} line does not count", "{count} lines do not count", wrong).format(
            count=wrong
        )
        fine = texts("Every line counts.") if raw_text(self.editor).strip() else ""
        say(self.verdict, said if wrong else "" if problems else fine)
        mark(self.verdict, "good", on=not wrong)
        self.editor.mark({problem.line: problem.is_warning for problem in reversed(problems) if problem.line})

    def _offer(self, file: str) -> None:
        """Every file can be chosen, and ``file`` is."""
        texts, known = self.parts.texts, self._facts.files if self._facts else ()
        offered = {file: file} | {one.file: rule_words.file_text(one, texts) for one in known}
        offered |= {SETTINGS_FILE: SETTINGS_FILE} | {one.file: one.file for one in self._agents}
        fill(self.files, tuple((text, name) for name, text in offered.items()), file)

    # --- doing --------------------------------------------------------------------------------

    def _edited(self) -> None:
        if self._loading:
            return
        sheet = self.sheets.setdefault(self.shown, Sheet("", "", ""))
        sheet.text = raw_text(self.editor)
        self._show_state()
        self._timer.start()

    def _check(self) -> None:
        self._number += 1
        self.parts.send(CheckRuleText(self._number, self.shown, raw_text(self.editor)))

    def _go_to(self, line: int) -> None:
        self.editor.go_to(line or 1)
        self.editor.setFocus()

    def _open_folder(self) -> None:
        self.ways.to_folder(folder_of(self.shown))

    def _file_chosen(self) -> None:
        file = str(self.files.currentData())
        if file != self.shown:
            self.open_file(file)

    def _save(self) -> None:
        sheet = self.sheets.get(self.shown)
        if sheet is not None and sheet.edited and self._theirs is None:
            self._sent = sheet.text
            self.parts.send(SaveRuleText(self.shown, sheet.text, sheet.digest))

    def _revert(self) -> None:
        sheet = self.sheets.get(self.shown)
        if sheet is not None:
            sheet.text = sheet.base
            if self._theirs is not None:
                self._take_theirs()
            else:
                self._show_sheet()

    def _keep_mine(self) -> None:
        """Mine goes over what was shown as theirs, and over nothing newer."""
        sheet, theirs = self.sheets.get(self.shown), self._theirs
        if sheet is None or theirs is None:
            return
        self.sheets[self.shown] = Sheet(theirs.text, theirs.digest, sheet.text)
        self._end_conflict()
        self._save()

    def _take_theirs(self) -> None:
        if self._theirs is not None:
            theirs = self._theirs
            self.sheets[self.shown] = Sheet(theirs.text, theirs.digest, theirs.text)
            self._end_conflict()
            self._show_sheet()

    def _end_conflict(self) -> None:
        self._theirs = None
        self.conflict.end()
        self.editor.setFocus()
        self._show_state()

    def _show_both(self) -> None:
        sheet = self.sheets.get(self.shown)
        if sheet is not None and self._theirs is not None:
            self.conflict.show_difference(self._theirs.text, sheet.text)

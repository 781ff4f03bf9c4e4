"""A home with real rule files, a project folder, real tools and a person who answers as told."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from jarvis_desktop.adapters.bash_parser import BashParser
from jarvis_desktop.adapters.bash_shell import BashShell
from jarvis_desktop.adapters.local_files import LocalFiles
from jarvis_desktop.adapters.path_facts import DiskLookup
from jarvis_desktop.adapters.rule_book import FileRuleBook
from jarvis_desktop.adapters.rule_files import RuleFiles
from jarvis_desktop.adapters.system_clock import SystemClock
from jarvis_desktop.core.items.calls import Json, ToolCall, ToolResult
from jarvis_desktop.core.items.commands import AnswerQuestion
from jarvis_desktop.core.items.decisions import Answer, AnsweredBy, AnswerFate, Question
from jarvis_desktop.core.items.events import ActivityNoted, Event, QuestionAsked
from jarvis_desktop.core.items.ids import MAIN_AGENT, AgentId, CallId, WindowId, fresh_id
from jarvis_desktop.core.items.room import PERSONS_ROOM
from jarvis_desktop.core.items.room import Room as CommandRoom
from jarvis_desktop.core.policy.broker import Broker
from jarvis_desktop.core.policy.facts import Reading
from jarvis_desktop.core.policy.paths import Place
from jarvis_desktop.core.ports import ShellEnd
from jarvis_desktop.core.turn.call_reports import CallReports
from jarvis_desktop.core.turn.tool_registry import AnyTool, ToolRegistry, builtin_tools
from jarvis_desktop.core.turn.tool_runner import ToolRunner
from tests.fakes.reading import FakeSandbox, FakeSecurity
from tests.fakes.texts import PlainTexts
from tests.fakes.web import FakeWeb
from tests.unit.policy.asking import REQUEST

WINDOW = WindowId("w")


class OpenShell(BashShell):
    """Runs in the open what a rule allowed; the rooms themselves have tests of their own."""

    async def run(
        self,
        command: str,
        cwd: Path,
        timeout_s: float,
        max_output_bytes: int,
        env: Mapping[str, str] | None = None,
        room: CommandRoom = PERSONS_ROOM,
    ) -> ShellEnd:
        del room
        return await super().run(command, cwd, timeout_s, max_output_bytes, env)


@dataclass
class Room:
    """Below ``top``: ``home/.jarvis`` and the project ``home/proj``, in which calls run."""

    top: Path
    answers: list[Answer] = field(default_factory=list)
    more_tools: tuple[AnyTool, ...] = ()

    def __post_init__(self) -> None:
        self.home = self.top / "home"
        self.app_home, self.project = self.home / ".jarvis", self.home / "proj"
        for folder in (self.app_home / "approvals", self.project):
            folder.mkdir(parents=True, exist_ok=True)
        self.shared = self.app_home / "approvals.yaml"
        self.own = self.app_home / "approvals" / "main.yaml"
        self.questions: list[Question] = []
        self.activity: list[str] = []
        self.before_answer: Callable[[], object] = lambda: None
        self.web = FakeWeb()
        self.security, self.sandbox = FakeSecurity(), FakeSandbox()
        self.broker = Broker(SystemClock(), self._emit)
        place = Place(cwd="/", home=str(self.home), app_home=str(self.app_home))
        self.reading = Reading(
            BashParser(),
            DiskLookup(),
            FileRuleBook(RuleFiles(self.app_home)),
            self.security,
            place,
            self.sandbox,
        )
        shell = OpenShell({"PATH": "/usr/bin:/bin", "HOME": str(self.home)})
        tools = (*builtin_tools(LocalFiles(), shell, self.web), *self.more_tools)
        reports = CallReports(SystemClock(), PlainTexts(), self._emit)
        self.runner = ToolRunner(ToolRegistry(lambda: tools), self.broker, self.reading, reports)

    async def call(self, tool: str, /, agent_id: AgentId = MAIN_AGENT, **arguments: Json) -> ToolResult:
        """One call; a question that no answer is left for is denied."""
        await self.broker.attach(WINDOW)
        request = replace(REQUEST, cwd=self.project, agent_id=agent_id)
        return await self.runner.run(ToolCall(CallId(fresh_id()), tool, arguments), request)

    async def bash(self, command: str) -> ToolResult:
        """One shell command."""
        return await self.call("bash", command=command)

    async def _emit(self, event: Event) -> None:
        if isinstance(event, QuestionAsked):
            self.questions.append(event.question)
            kind = self.answers.pop(0) if self.answers else Answer.DENY
            question = event.question
            self.before_answer()
            command = AnswerQuestion(question.question_id, question.digest, kind, AnsweredBy.WINDOW, WINDOW)
            assert await self.broker.answer(command) is AnswerFate.TAKEN
        if isinstance(event, ActivityNoted):
            self.activity.append(event.text)

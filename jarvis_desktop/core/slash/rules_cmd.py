"""``/rules``: what is remembered, and forgetting it."""

from collections.abc import Sequence

from jarvis_desktop.core.items.ids import MAIN_AGENT
from jarvis_desktop.core.items.rule_facts import HeldRule
from jarvis_desktop.core.items.rules import Rule
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.slash.command import Said, SlashCommand, Value
from jarvis_desktop.core.slash.markup import code, plain
from jarvis_desktop.core.slash.parsing import folded
from jarvis_desktop.core.slash.world import World

REVOKE = frozenset({"revoke", "forget", "취소", "잊기"})
UNDO = frozenset({"undo", "되돌리기"})


class RulesCommand(SlashCommand):
    """Show the rules that let calls pass without asking, and forget one.

    /rules: all rules with their numbers
    /rules revoke N: rule N counts no longer
    /rules undo: the rule that was forgotten last counts again
    """

    name = "rules"
    also = ("규칙",)

    def __init__(self) -> None:
        self._shown: tuple[HeldRule, ...] = ()
        """The list that a person has read; numbers mean its lines."""
        self._undo: list[str] = []

    async def run(self, rest: str, world: World) -> Said:
        """A list, or one rule less."""
        first, _, number = rest.partition(" ")
        word = folded(first)
        if not word:
            self._shown = await world.rules.held()
            return Said(_list(self._shown, world))
        if word in REVOKE:
            return await self._revoke(number.strip(), world)
        if word in UNDO and not number:
            return await self._put_back(world)
        text = world.texts("{command} takes nothing, {revoke} or {undo}.")
        shown = {"revoke": code(world.texts("revoke N")), "undo": code("undo")}
        return Said(text.format(command=code("/rules"), **shown), well=False)

    async def values(self, typed: str, world: World) -> Sequence[Value]:
        """What can be forgotten, by number."""
        del typed
        self._shown = self._shown or await world.rules.held()
        each = [Value(f"revoke {number}", _name(one.rule)) for number, one in enumerate(self._shown, 1)]
        undo = [Value("undo", world.texts("the rule that was forgotten last counts again"))]
        return each + (undo if self._undo else [])

    async def _revoke(self, number: str, world: World) -> Said:
        texts, shown = world.texts, self._shown or await world.rules.held()
        if not (number.isascii() and number.isdigit() and 1 <= int(number) <= len(shown)):
            text = texts("There is no rule {number}. {command} lists the rules with their numbers.")
            return Said(text.format(number=code(number) or "?", command=code("/rules")), well=False)
        rule = shown[int(number) - 1].rule
        self._undo.append(await world.rules.forget(rule))
        self._shown = ()
        text = texts(
            "Forgotten: {rule} in {file}. Such calls are asked about again. {command} takes it back."
        )
        return Said(
            text.format(rule=code(_name(rule)), file=code(rule.file), command=code("/rules undo"))
            + " "
            + texts("The numbers of the other rules may have changed.")
        )

    async def _put_back(self, world: World) -> Said:
        if not self._undo:
            text = world.texts("No rule was forgotten here that could be put back.")
            return Said(text, well=False)
        rule = await world.rules.put_back(self._undo[-1])
        self._undo.pop()
        self._shown = ()
        text = world.texts("Counts again: {rule} in {file}.")
        return Said(text.format(rule=code(_name(rule)), file=code(rule.file)))


def _name(rule: Rule) -> str:
    return f"{rule.line.tool}: {rule.line.pattern}"


def _list(held: Sequence[HeldRule], world: World) -> str:
    texts = world.texts
    if not held:
        return texts("No rules are remembered: everything that needs approval is asked about.")
    parts: list[str] = []
    file = ""
    for number, one in enumerate(held, 1):
        if one.rule.file != file:
            file = one.rule.file
            parts += ["", f"**{_layer(file, texts)}** {code(file)}", ""]
        warning = f" — ⚠ {plain(one.warning, 200)}" if one.warning else ""
        parts.append(f"{number}. {code(_name(one.rule))} — {_used(one.use.count, texts)}{warning}")
    hint = texts("{command} forgets one; it can be undone.").format(command=code(texts("/rules revoke N")))
    return "\n".join((*parts, "", hint)).strip()


def _used(count: int, texts: Texts) -> str:
    if not count:
        return texts("never used")
    return texts.plural("used {count} time", "used {count} times", count).format(count=count)


def _layer(file: str, texts: Texts) -> str:
    agent = file.removesuffix(".yaml").rpartition("/")[2] if "/" in file else ""
    if not agent:
        return texts("For every agent")
    if agent == MAIN_AGENT:
        return texts("For Jarvis")
    return texts("For the agent {name}").format(name=plain(agent))

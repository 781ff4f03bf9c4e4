"""``/agent``: who there is to talk with."""

from collections.abc import Sequence

from jarvis_desktop.core.items.agents import AgentCard
from jarvis_desktop.core.items.commands import SwitchAgent
from jarvis_desktop.core.slash.command import Said, SlashCommand, Value
from jarvis_desktop.core.slash.markup import code, listed, plain
from jarvis_desktop.core.slash.near import nearest
from jarvis_desktop.core.slash.world import World


class AgentCommand(SlashCommand):
    """Show who there is to talk with, or talk with somebody else.

    /agent: all agents
    /agent NAME: go on in the conversation with that one
    """

    name = "agent"
    also = ("에이전트", "agents")

    async def run(self, rest: str, world: World) -> Said:
        """A list, or another agent."""
        await world.team.look()
        if not rest:
            return Said(_list(world))
        texts, card = world.texts, world.team.named(rest)
        if card is None or not card.top_level:
            return Said(_unknown(rest, world), well=False)
        if card.agent_id == world.conversation().agent_id:
            return Said(texts("You are talking with {agent} already.").format(agent=plain(card.name)))
        said = [texts("You talk with {agent} now.").format(agent=plain(card.name))]
        if world.running():
            said.append(texts("The request that is running goes on."))
        return Said(" ".join(said), then=SwitchAgent(card.agent_id))

    async def values(self, typed: str, world: World) -> Sequence[Value]:
        """The agents' names."""
        del typed
        return [Value(card.name, _purpose(card, world)) for card in _shown(world)]


def _shown(world: World) -> list[AgentCard]:
    return [card for card in world.team.agents() if card.top_level]


def _list(world: World) -> str:
    texts, own = world.texts, world.conversation().agent_id
    lines = []
    for card in _shown(world):
        here = f" · **{texts('you talk with this one')}**" if card.agent_id == own else ""
        purpose = f" — {plain(_purpose(card, world))}" if card.purpose else ""
        lines.append(f"{plain(card.name)}{purpose}{here}")
    hint = texts("{command} goes on with another one.").format(command=code(texts("/agent NAME")))
    return f"{listed(lines)}\n\n{hint}" if len(lines) > 1 else listed(lines)


def _purpose(card: AgentCard, world: World) -> str:
    """Its file's words; those of files that come with the app in the app's language."""
    return world.texts(card.purpose) if card.purpose else ""


def _unknown(word: str, world: World) -> str:
    names = {name: card.name for card in _shown(world) for name in (card.name, *card.answers_to)}
    near = nearest(word, names)
    text = world.texts("There is no agent {name}.").format(name=code(word))
    if near:
        text += " " + world.texts("Did you mean {name}?").format(name=code(f"/agent {names[near]}"))
    return f"{text}\n\n{_list(world)}"

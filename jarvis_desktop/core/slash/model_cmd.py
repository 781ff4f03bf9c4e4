"""``/model``: which chat model answers."""

from collections.abc import Sequence

from jarvis_desktop.core.items.setup import Backend, ChatChoice
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.ports.slash import ModelsLooked
from jarvis_desktop.core.slash.command import Said, SlashCommand, Value
from jarvis_desktop.core.slash.markup import code, listed, plain
from jarvis_desktop.core.slash.near import nearest
from jarvis_desktop.core.slash.parsing import folded
from jarvis_desktop.core.slash.world import World

FRESH_S = 10.0
"""So long a look at the models is good enough for suggestions."""


class ModelCommand(SlashCommand):
    """Show which chat model answers, or choose another.

    /model: the models that can be chosen
    /model NAME: that one answers from the next request on
    """

    name = "model"
    also = ("모델",)

    def __init__(self) -> None:
        self._last: tuple[float, ModelsLooked] | None = None

    async def run(self, rest: str, world: World) -> Said:
        """A list, or another model."""
        found = await world.models.look()
        if not rest:
            return Said(_list(found, world.texts))
        wanted = folded(rest)
        names = {wanted, wanted.removesuffix(":latest"), f"{wanted}:latest"}
        choice = next((one for one in found.choices if folded(one.name) in names), None)
        if choice is None:
            return Said(_unknown(rest, found, world.texts), well=False)
        if choice is found.current:
            return Said(world.texts("{model} answers already.").format(model=code(choice.name)))
        return await _choose(choice, world)

    async def _seen(self, world: World) -> ModelsLooked:
        """As found a moment ago: what may follow is asked at every key, and servers are not."""
        now_s = world.clock.monotonic_s()
        if self._last is None or now_s > self._last[0] + FRESH_S:
            self._last = now_s, await world.models.look()
        return self._last[1]

    async def values(self, typed: str, world: World) -> Sequence[Value]:
        """The models that are on this machine."""
        del typed
        found, now = await self._seen(world), world.texts("answers now")
        return [
            Value(one.name, now if one is found.current else plain(one.note))
            for one in found.choices
            if one.present
        ]


async def _choose(choice: ChatChoice, world: World) -> Said:
    texts, name = world.texts, code(choice.name)
    if not choice.present:
        text = texts("{model} is not on this computer yet. Fetch it in the setup window first (Ctrl+,).")
        return Said(text.format(model=name), well=False)
    # "auto" rather than "ollama": the model inside Jarvis may still help out where no server answers.
    backend = "embedded" if choice.backend is Backend.EMBEDDED else "auto"
    for setting, value in (("model.name", choice.name), ("model.backend", backend)):
        trouble = await world.settings.set(setting, value)
        if trouble:
            return Said(trouble, well=False)
    said = [texts("{model} answers from the next request on.").format(model=name)]
    if not choice.fits:
        said.append(texts("It needs more memory than this computer has, and will be very slow."))
    return Said(" ".join(said))


def _list(found: ModelsLooked, texts: Texts) -> str:
    here = [one for one in found.choices if one.present]
    absent = [one for one in found.choices if not one.present]
    parts = []
    if here:
        parts.append(listed([_line(one, now=one is found.current, texts=texts) for one in here]))
        parts.append(texts("{command} chooses one.").format(command=code(texts("/model NAME"))))
    else:
        parts.append(
            texts(
                "No chat model is on this computer, or Ollama does not answer. "
                "The setup window (Ctrl+,) helps."
            )
        )
    if absent:
        names = ", ".join(code(one.name) for one in absent)
        parts.append(texts("Can be fetched in the setup window: {names}").format(names=names))
    return "\n\n".join(parts)


def _line(choice: ChatChoice, texts: Texts, *, now: bool) -> str:
    facts = [texts("{size} GB").format(size=f"{choice.size_bytes / 1e9:.1f}")] if choice.size_bytes else []
    if choice.tokens_per_s:
        facts.append(texts("{speed} tokens a second here").format(speed=f"{choice.tokens_per_s:.0f}"))
    if choice.backend is Backend.EMBEDDED:
        facts.append(texts("inside Jarvis"))
    if not choice.fits:
        facts.append(texts("too big for the memory"))
    mark = f" · **{texts('answers now')}**" if now else ""
    return f"{code(choice.name)} — {', '.join(facts)}{mark}" if facts else f"{code(choice.name)}{mark}"


def _unknown(word: str, found: ModelsLooked, texts: Texts) -> str:
    near = nearest(word, [one.name for one in found.choices])
    text = texts("There is no chat model {name} to choose.").format(name=code(word))
    if near:
        text += " " + texts("Did you mean {name}?").format(name=code(f"/model {near}"))
    return f"{text}\n\n{_list(found, texts)}"

"""Settings in the app's language: names, units, choices, defaults, and what one setting needs of another."""

from collections.abc import Callable, Mapping, Sequence

from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.setting_fields import SettingField, SettingSection, Unit, ValueKind

LONGEST_DEFAULT = 90


def title(field: SettingField, texts: Texts) -> str:
    """What a setting is called."""
    return texts(field.title)


def section_title(section: SettingSection, texts: Texts) -> str:
    """What a section is called."""
    return texts(section.title).rstrip(".")


def unit_text(unit: Unit | None, texts: Texts) -> str:
    """A unit behind a number; empty where there is none."""
    if unit is None:
        return ""
    return {
        Unit.SECONDS: texts("seconds"),
        Unit.MINUTES: texts("minutes"),
        Unit.DAYS: texts("days"),
        Unit.TOKENS: texts("tokens"),
        Unit.KILOBYTES: texts("kilobytes"),
        Unit.CHARACTERS: texts("characters"),
    }[unit]


CHOICES: Mapping[str, Callable[[Texts], str]] = {
    "system": lambda texts: texts("As the system"),
    "ko": lambda _: "한국어",
    "en": lambda _: "English",
    "light": lambda texts: texts("Light"),
    "dark": lambda texts: texts("Dark"),
    "auto": lambda texts: texts("Automatic"),
    "off": lambda texts: texts("Off"),
    "ollama": lambda _: "Ollama",
    "embedded": lambda texts: texts("Inside Jarvis"),
    "native": lambda texts: texts("As the model was trained"),
    "schema": lambda texts: texts("By a schema"),
}


def choice_text(choice: str, texts: Texts) -> str:
    """One of a closed list; the file's own word where there is no other."""
    return CHOICES[choice](texts) if choice in CHOICES else choice


def number_text(value: object) -> str:
    """A number as it is typed: 0.7, 8192."""
    if isinstance(value, float):
        return f"{value:g}" if abs(value) < 1e6 else f"{value:.0f}"
    return str(value)


def value_text(field: SettingField, value: object, texts: Texts) -> str:
    """``value`` in a sentence."""
    if field.kind is ValueKind.SWITCH:
        return texts("on") if value else texts("off")
    if field.kind is ValueKind.CHOICE:
        return choice_text(str(value), texts)
    if isinstance(value, Sequence) and not isinstance(value, str):
        words = [choice_text(str(one), texts) if field.choices else str(one) for one in value]
        return _clipped(", ".join(words)) or texts("none")
    if field.kind in (ValueKind.WHOLE, ValueKind.NUMBER):
        return f"{number_text(value)} {unit_text(field.unit, texts)}".rstrip()
    return _clipped(str(value)) or texts("empty")


def facts_text(field: SettingField, texts: Texts) -> str:
    """Default, bounds, and the name in the file."""
    facts = [texts("Default: {value}").format(value=value_text(field, field.default, texts))]
    if field.least is not None and field.most is not None:
        facts.append(
            texts("{least} to {most}").format(least=number_text(field.least), most=number_text(field.most))
        )
    return " · ".join((*facts, field.name))


_SWITCHED: Mapping[str, tuple[str, object]] = {
    **{
        f"voice.{name}": ("voice.enabled", True)
        for name in (
            "speak",
            "input_device",
            "output_device",
            "languages",
            "wake_threshold",
            "request_silence_s",
            "answer_silence_s",
            "earcon",
        )
    },
    "notify.read_aloud": ("voice.speak", True),
    **{f"web.{name}": ("web.enabled", True) for name in ("brave_key", "page_timeout_s", "page_max_kb")},
}
"""Settings that mean nothing while a switch is off."""


def needs_text(name: str, values: Mapping[str, object], titles: Mapping[str, str], texts: Texts) -> str:
    """What must be so before a setting means anything; empty when it is."""
    switch, wanted = _SWITCHED.get(name, ("", None))
    if switch and values.get(switch) != wanted:
        return texts("Needs “{setting}”, which is off.").format(setting=titles[switch])
    if name in ("model.host", "model.allowed_host") and values.get("model.backend") == "embedded":
        return texts("Needs Ollama: the model inside Jarvis is chosen, which has no address.")
    if name == "model.think" and values.get("model.backend") == "embedded":
        return texts("Needs Ollama: the model inside Jarvis does not think first.")
    return ""


def _clipped(text: str) -> str:
    return text if len(text) <= LONGEST_DEFAULT else text[: LONGEST_DEFAULT - 1] + "…"

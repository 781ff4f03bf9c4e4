"""The table of docs/settings.md, from the declared settings.

``python .ci/settings_page.py``          write it
``python .ci/settings_page.py --check``  fail when it is not what the settings say
"""

import sys
from pathlib import Path
from typing import Any

from written_part import written_part

from jarvis_desktop.core.settings import STRICTEST, Settings
from jarvis_desktop.core.settings_section import Section

PAGE = Path(__file__).parent.parent / "docs" / "settings.md"


def written(value: object) -> str:
    """A value as it stands in the file."""
    if isinstance(value, tuple):
        return f"`[{', '.join(map(str, value))}]`"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`" if value != "" else "empty"


def bounds(schema: dict[str, Any]) -> str:
    """What is allowed, as far as a schema says."""
    choices = schema.get("enum") or schema.get("items", {}).get("enum")
    if choices:
        return ", ".join(f"`{choice}`" for choice in choices)
    least, most = schema.get("minimum"), schema.get("maximum")
    return f"{least:g} to {most:g}" if least is not None and most is not None else ""


def tables() -> str:
    """One table per section."""
    lines: list[str] = []
    for name, field in Settings.model_fields.items():
        section = field.annotation
        assert isinstance(section, type)
        assert issubclass(section, Section)
        schema = section.model_json_schema()["properties"]
        lines += [f"## {name}", "", (section.__doc__ or "").strip(), ""]
        lines += ["| setting | default | allowed | what it does |", "|---|---|---|---|"]
        for setting, inner in section.model_fields.items():
            strictest = STRICTEST.get((name, setting))
            what = (
                f"{inner.description}{f' Strictest: {written(strictest)}.' if strictest is not None else ''}"
            )
            lines.append(f"| `{setting}` | {written(inner.default)} | {bounds(schema[setting])} | {what} |")
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(written_part(PAGE, "settings", tables()))

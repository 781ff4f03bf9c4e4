"""The table of docs/settings.md, from the declared settings.

``python .ci/settings_page.py``          write it
``python .ci/settings_page.py --check``  fail when it is not what the settings say
"""

import sys
from pathlib import Path
from typing import Any

from jarvis_desktop.core.settings import STRICTEST, Section, Settings

PAGE = Path(__file__).parent.parent / "docs" / "settings.md"
BEGIN, END = "<!-- settings: written by .ci/settings_page.py -->\n", "<!-- end of settings -->\n"


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


def main() -> int:
    """Write or check; the exit status says whether the page is in step."""
    before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    fresh = f"{before}{BEGIN}\n{tables()}\n{END}{rest.partition(END)[2]}"
    if "--check" not in sys.argv:
        PAGE.write_text(fresh, "utf-8")
        return 0
    if PAGE.read_text("utf-8") == fresh:
        return 0
    print("docs/settings.md is stale: run python .ci/settings_page.py")
    return 1


if __name__ == "__main__":
    sys.exit(main())

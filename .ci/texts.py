"""Keep the catalogues in step with the code.

``python .ci/texts.py``          compile jarvis_desktop/locale/ko/*.po into one jarvis.mo
``python .ci/texts.py --check``  fail when a text has no Korean, a translation is unused, or the .mo is stale

A text is any literal first argument of ``_()``, ``texts()``, ``self._texts()`` or ``N_()``,
each of the first two of ``plural()``, each line of the class docstring of a slash command, what
the declarations of settings say about sections and fields, and what the command line says in its help
and, as ``BadParameter()``, about wrong usage.
"""

import ast
import io
import sys
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from typer.main import get_command

from jarvis_desktop.app.cli_commands import app
from jarvis_desktop.app.cli_words import help_texts

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "jarvis_desktop"
KOREAN = PACKAGE / "locale" / "ko"
COMPILED = KOREAN / "LC_MESSAGES" / "jarvis.mo"
COMMANDS = PACKAGE / "core" / "slash"
SETTINGS = {PACKAGE / "core" / name for name in ("settings.py", "goal_settings.py")}
MARKS = {"_", "N_", "texts", "_texts", "BadParameter"}


def called_name(call: ast.Call) -> str:
    """Last part of the name that is called."""
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


def literals(call: ast.Call, count: int) -> list[str]:
    """The first ``count`` arguments that are literal strings."""
    return [a.value for a in call.args[:count] if isinstance(a, ast.Constant) and isinstance(a.value, str)]


def help_lines(node: ast.ClassDef) -> list[str]:
    """The lines of a slash command's help."""
    if not node.name.endswith("Command"):
        return []
    return [line for line in (ast.get_docstring(node) or "").splitlines() if line]


def texts_of(node: ast.AST, *, commands: bool) -> list[str]:
    """The texts that stand at this place of the code."""
    if isinstance(node, ast.ClassDef):
        return help_lines(node) if commands else []
    if not isinstance(node, ast.Call):
        return []
    name = called_name(node)
    return literals(node, 1) if name in MARKS else literals(node, 2) if name == "plural" else []


def declared(node: ast.AST) -> list[str]:
    """What a declaration of settings says to people."""
    if isinstance(node, ast.ClassDef) and any(
        isinstance(b, ast.Name) and b.id == "Section" for b in node.bases
    ):
        # The whole tree is no section that anybody is shown.
        return [] if node.name == "Settings" else [ast.get_docstring(node) or ""]
    if not isinstance(node, ast.Call) or called_name(node) != "Field":
        return []
    said = {word.arg: word.value for word in node.keywords}
    found = (said.get(name) for name in ("title", "description"))
    return [one.value for one in found if isinstance(one, ast.Constant) and isinstance(one.value, str)]


def used_texts() -> dict[str, str]:
    """Every text in the code, with the place of its first use."""
    found: dict[str, str] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        commands = path.parent == COMMANDS and path.stem.endswith("_cmd")
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            said = declared(node) if path in SETTINGS else texts_of(node, commands=commands)
            for text in said:
                found.setdefault(text, f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}")
    for text in help_texts(get_command(app)):
        found.setdefault(text, "the command line")
    return found


def merged() -> Catalog:
    """All Korean translations in one catalogue."""
    # A fixed date: the compiled file must depend on the texts alone.
    whole = Catalog(locale="ko", project="jarvis-desktop", creation_date=datetime(2026, 1, 1, tzinfo=UTC))
    whole.fuzzy = False
    for path in sorted(KOREAN.glob("*.po")):
        with path.open("rb") as file:
            for message in read_po(file, locale="ko"):
                if message.id:
                    whole.add(message.id, message.string, flags=message.flags)
    return whole


def compiled(catalog: Catalog) -> bytes:
    """The catalogue as gettext reads it."""
    out = io.BytesIO()
    write_mo(out, catalog)
    return out.getvalue()


def known_ids(catalog: Catalog) -> dict[str, bool]:
    """Each msgid (plural ones under both forms) and whether it is fully translated."""
    known: dict[str, bool] = {}
    for message in catalog:
        if not message.id:
            continue
        ids = message.id if isinstance(message.id, tuple) else (message.id,)
        strings = message.string if isinstance(message.string, tuple) else (message.string,)
        for one in ids:
            known[one] = all(strings) and not message.fuzzy
    return known


def main() -> int:
    """Compile or check; the exit status says whether all is well."""
    catalog = merged()
    fresh = compiled(catalog)
    if "--check" not in sys.argv:
        COMPILED.parent.mkdir(parents=True, exist_ok=True)
        COMPILED.write_bytes(fresh)
        print(f"{COMPILED.relative_to(ROOT)}: {len(list(catalog)) - 1} texts")
        return 0
    used, known = used_texts(), known_ids(catalog)
    problems = [f"{place}: no Korean for {text!r}" for text, place in used.items() if not known.get(text)]
    problems += [f"locale/ko: nobody uses {text!r}" for text in known if text not in used]
    if not COMPILED.exists() or COMPILED.read_bytes() != fresh:
        problems.append("jarvis.mo is stale: run python .ci/texts.py")
    print("\n".join(problems) or f"{len(used)} texts, all translated")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

"""Program that says what a Python file offers, without running any of it: a line of JSON in, one out.

A process of its own, because a text can be made that the parser of the interpreter does not survive.
"""

import ast
import json
import re
import sys

_ARGUMENTS = re.compile(r"\s*(?:Args|Arguments|Parameters):\s*$")
_ONE = re.compile(r"(\s+)\*{0,2}(\w+)(?:\s*\([^)]*\))?:\s+(.+)$")


def described(source: str) -> dict[str, object]:
    """The functions of the file, or the line on which it is no Python."""
    try:
        tree = ast.parse(source)
    except SyntaxError as error:
        return {"error": error.msg, "line": error.lineno or 0}
    except (RecursionError, MemoryError, ValueError) as error:
        return {"error": type(error).__name__, "line": 0}
    marked = {name for node in tree.body if (name := read_only_name(node))}
    found = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    last = {node.name: node for node in found}  # as Python does: the last one of a name is the function
    public = [node for node in last.values() if node.name[0] != "_"]
    return {"functions": [function(node, tree, node.name in marked) for node in public]}


def function(
    node: ast.FunctionDef | ast.AsyncFunctionDef,
    tree: ast.Module,
    read_only: bool,  # noqa: FBT001 - a row
) -> dict[str, object]:
    """One public function."""
    text = ast.get_docstring(node) or ""
    purpose, _, _ = text.partition("\n\n")
    arguments = node.args
    plain = [*arguments.args, *arguments.kwonlyargs]
    nameless = bool(arguments.posonlyargs or arguments.vararg or arguments.kwarg)
    bare = [one.arg for one in plain if one.annotation is None]
    return {
        "name": node.name,
        "purpose": " ".join(purpose.split()),
        "read_only": read_only,
        "tool": bool(text) and not nameless and not bare,
        "parameters": parameters(text),
        "line": node.lineno,
        "described": bool(text),
        "bare": bare,
        "nameless": nameless,
        "needed": needed(arguments),
        "used": is_used(node, tree),
    }


def needed(arguments: ast.arguments) -> list[str]:
    """Parameters without a default; one that takes no name is written with its slash."""
    lead = [*(f"{one.arg}/" for one in arguments.posonlyargs), *(one.arg for one in arguments.args)]
    keys = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    return [
        *lead[: len(lead) - len(arguments.defaults)],
        *(one.arg for one, default in keys if default is None),
    ]


def is_used(node: ast.FunctionDef | ast.AsyncFunctionDef, tree: ast.Module) -> bool:
    """Something else in the file calls it, hands it on or keeps it; its mark ``read_only`` does not count."""
    return any(
        isinstance(one, ast.Name) and one.id == node.name and isinstance(one.ctx, ast.Load)
        for part in tree.body
        if part is not node and read_only_name(part) != node.name
        for one in ast.walk(part)
    )


def read_only_name(node: ast.stmt) -> str:
    """The function of a line ``name.read_only = True``; empty for any other."""
    if not isinstance(node, ast.Assign) or len(node.targets) != 1:
        return ""
    target, value = node.targets[0], node.value
    says = isinstance(value, ast.Constant) and value.value is True
    if says and isinstance(target, ast.Attribute) and target.attr == "read_only":
        return target.value.id if isinstance(target.value, ast.Name) else ""
    return ""


def parameters(text: str) -> dict[str, str]:
    """What the section ``Args:`` of a docstring says about each of them."""
    found: dict[str, str] = {}
    inside, indent, name = False, "", ""
    for line in text.split("\n"):
        if _ARGUMENTS.match(line):
            inside, indent, name = True, "", ""
        elif inside and (one := _ONE.match(line)) and (not indent or one[1] == indent):
            indent, name = one[1], one[2]
            found[name] = one[3].strip()
        elif inside and name and line.startswith(f"{indent} ") and line.strip():
            found[name] += f" {line.strip()}"
        elif line.strip():
            inside = False
    return found


def main() -> None:
    """Describe each line of standard input, a text as JSON, before the next one is looked at."""
    for line in sys.stdin.buffer:
        sys.stdout.write(f"{json.dumps(described(json.loads(line)))}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()

"""Rule lines added to and removed from the text of a rule file; every other byte stays as it is."""

import json
import re
from collections.abc import Iterator, Sequence

import yaml

from jarvis_desktop.adapters.rule_text import read_rules, root_of, scalar_text
from jarvis_desktop.core.items.rules import Rule, RuleLine

# A scalar that every reader of YAML takes for the same text without quotes.
_PLAIN = re.compile(r"[A-Za-z][\w./@%+=^-]*(?: [\w./@%+=^-]+)*", re.ASCII)
_WORDS_OF_YAML = frozenset(["true", "false", "yes", "no", "on", "off", "null", "y", "n"])


def with_lines(source: bytes, lines: Sequence[RuleLine]) -> bytes:
    """``source`` with ``lines`` added after its last rule.

    Raises:
        ValueError: the file cannot be read, or has a form that cannot be added to safely.
    """
    text = _decoded(source)
    entries = [f"{{tool: {_scalar(line.tool)}, pattern: {_scalar(line.pattern)}}}" for line in lines]
    return _checked(_added(text, entries), source, [*_held(source), *lines])


def without_rule(source: bytes, rule: Rule) -> bytes:
    """``source`` without ``rule``, which must still stand where it was read.

    Raises:
        ValueError: the file cannot be read, or the rule is not there any more.
    """
    text = _decoded(source)
    held = _held(source)
    rules = _rules_node(text)
    for item in rules.value if rules is not None else ():
        if item.start_mark.line + 1 == rule.number and rule.line in held:
            at = [one.number for one in read_rules(source, "").rules].index(rule.number)
            if held[at] == rule.line and not _is_flow(rules):
                cut = text.splitlines(keepends=True)
                del cut[item.start_mark.line : _last_line(item) + 1]
                return _checked("".join(cut), source, held[:at] + held[at + 1 :])
    raise ValueError(
        f"the rule {rule.line.tool}: {rule.line.pattern} cannot be found where it was; remove it by hand"
    )


def _decoded(source: bytes) -> str:
    text = source.decode("utf-8-sig")
    problems = read_rules(source, "").problems
    if problems and not read_rules(source, "").rules and "none of its rules count" in problems[0].what:
        raise ValueError(f"line {problems[0].line}: {problems[0].what}")
    return text


def _held(source: bytes) -> list[RuleLine]:
    return [rule.line for rule in read_rules(source, "").rules]


def _rules_node(text: str) -> yaml.Node | None:
    """The value of ``rules``; None when there is no such key."""
    root = root_of(text.encode())
    pairs = root.value if isinstance(root, yaml.MappingNode) else ()
    return next((value for key, value in pairs if scalar_text(key) == "rules"), None)


def _is_flow(node: yaml.Node | None) -> bool:
    return isinstance(node, yaml.SequenceNode) and bool(node.flow_style)


def _added(text: str, entries: Sequence[str]) -> str:
    newline = "\r\n" if "\r\n" in text else "\n"
    if text and not text.endswith("\n"):
        text += newline
    lines = text.splitlines(keepends=True)
    rules = _rules_node(text)
    if _is_flow(rules) and rules is not None:
        return _added_in_brackets(lines, rules, entries)
    if isinstance(rules, yaml.SequenceNode) and rules.value:
        at, indent = _last_line(rules.value[-1]) + 1, " " * rules.start_mark.column
    elif rules is not None:
        at, indent = rules.start_mark.line + 1, "  "
    else:
        lines.append(f"rules:{newline}")
        at, indent = len(lines), "  "
    lines[at:at] = [f"{indent}- {entry}{newline}" for entry in entries]
    return "".join(lines)


def _added_in_brackets(lines: list[str], rules: yaml.Node, entries: Sequence[str]) -> str:
    row, column = rules.end_mark.line, rules.end_mark.column - 1
    glue = ", " if rules.value else ""
    lines[row] = lines[row][:column] + glue + ", ".join(entries) + lines[row][column:]
    return "".join(lines)


def _last_line(node: yaml.Node) -> int:
    """Index of the last line that ``node`` itself stands on, comments after it left out."""
    if isinstance(node, yaml.ScalarNode):
        return int(node.end_mark.line)
    if not isinstance(node, yaml.CollectionNode) or node.flow_style or not node.value:
        return int(node.end_mark.line)
    return max(_last_line(child) for child in _children(node))


def _children(node: yaml.Node) -> Iterator[yaml.Node]:
    for child in node.value:
        yield from child if isinstance(child, tuple) else (child,)


def _scalar(text: str) -> str:
    if _PLAIN.fullmatch(text) and text.casefold() not in _WORDS_OF_YAML:
        return text
    return json.dumps(text, ensure_ascii=False)


def _checked(text: str, source: bytes, expected: Sequence[RuleLine]) -> bytes:
    """The new text as bytes, after a look that it says just what was meant."""
    fresh = (b"\xef\xbb\xbf" if source.startswith(b"\xef\xbb\xbf") else b"") + text.encode()
    if _held(fresh) != list(expected):
        raise ValueError("it has a form that cannot be changed without touching other rules")
    return fresh

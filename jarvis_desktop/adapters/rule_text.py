"""Rule files read with line numbers, bad rules named.

Reading goes through libyaml's event tree and nothing is ever constructed from it: a rule is two plain
scalars, taken as they are written. So ``yes`` and ``010`` are the words that a person typed, tags and
merge keys mean nothing, and 1,000 rules take a few milliseconds.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import yaml

from jarvis_desktop.core.items.rules import Rule, RuleLine
from jarvis_desktop.core.policy.rules import weakness_of

MOST_BYTES = 4_000_000
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_SCALAR_TAGS = frozenset(
    f"tag:yaml.org,2002:{kind}"
    for kind in ("str", "bool", "int", "float", "null", "timestamp", "value", "merge")
)


@dataclass(frozen=True, slots=True)
class RuleProblem:
    """Something in a rule file that means nothing."""

    file: str
    line: int
    """From 1; 0 when it concerns the whole file."""
    what: str
    """What was found and what was expected."""

    def __str__(self) -> str:
        return f"{self.file}, line {self.line}: {self.what}" if self.line else f"{self.file}: {self.what}"


@dataclass(frozen=True, slots=True)
class ReadRules:
    """What one rule file holds."""

    rules: tuple[Rule, ...]
    problems: tuple[RuleProblem, ...]


NOTHING = ReadRules((), ())

# The form in which nearly every rule stands. Text of this form alone means the same to any YAML reader, so
# 1,000 rules need not go through one (measured: 3 ms instead of 150 ms).
_USUAL = re.compile(
    r"""(?P<indent>\ *)-\ \{tool:\ (?P<tool>[A-Za-z_][A-Za-z0-9_]*),\ pattern:\ (?:
        (?P<plain>[A-Za-z][A-Za-z0-9_./@%+=^-]*(?:\ [A-Za-z0-9_./@%+=^-]+)*)
        |"(?P<quoted>[^"\\\x00-\x1f\x7f-\uffff]*)")\}""",
    re.VERBOSE,
)
_COMMENT = re.compile(r" *(?:#[\x20-\x7e]*)?")


def read_rules(source: bytes, file: str) -> ReadRules:
    """The rules in ``source``; bad ones are skipped and named. Never raises."""
    if len(source) > MOST_BYTES:
        return _broken(
            file, 0, f"the file is larger than {MOST_BYTES // 1_000_000} MB, so none of its rules count"
        )
    usual = _usual_rules(source, file)
    if usual is not None:
        return ReadRules(usual, tuple(_weaknesses(usual)))
    try:
        root = root_of(source)
    except (yaml.YAMLError, UnicodeError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        what = str(getattr(error, "problem", None) or "it is not YAML text").replace("\n", " ")
        return _broken(
            file, mark.line + 1 if mark else 0, f"{what}; until this is mended none of its rules count"
        )
    if root is None:
        return NOTHING
    if not isinstance(root, yaml.MappingNode):
        return _broken(file, _line(root), 'found no "rules:" at the top, so none of its rules count')
    return _from_top(root, file)


def _usual_rules(source: bytes, file: str) -> tuple[Rule, ...] | None:
    """The rules of a file in which every line has the usual form; None for any other file."""
    lines = source.decode("ascii", "replace").split("\n")
    start = next((at for at, line in enumerate(lines) if not _COMMENT.fullmatch(line)), len(lines))
    if start == len(lines) or lines[start] != "rules:":
        return None
    rules: list[Rule] = []
    indent = ""
    for at in range(start + 1, len(lines)):
        match = _USUAL.fullmatch(lines[at])
        if match is None:
            if _COMMENT.fullmatch(lines[at]):
                continue
            return None
        indent = indent or match["indent"]
        pattern = (match["plain"] or match["quoted"] or "").strip(" ")
        if match["indent"] != indent or not pattern or pattern.casefold() == "null":
            return None
        rules.append(Rule(RuleLine(match["tool"], pattern), file, at + 1))
    return tuple(rules) or None


def root_of(source: bytes) -> yaml.Node | None:
    """The top node of the YAML text; nothing is constructed from it."""
    loader = _LOADER(source.decode("utf-8-sig"))
    try:
        root: yaml.Node | None = loader.get_single_node()
    finally:
        loader.dispose()
    return root


def _broken(file: str, line: int, what: str) -> ReadRules:
    return ReadRules((), (RuleProblem(file, line, what),))


def _line(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1


def _from_top(root: yaml.MappingNode, file: str) -> ReadRules:
    problems: list[RuleProblem] = []
    lists = [value for key, value in root.value if scalar_text(key) == "rules"]
    for key, _value in root.value:
        if scalar_text(key) != "rules":
            problems.append(
                RuleProblem(file, _line(key), f'"{scalar_text(key)}" means nothing here; only "rules" does')
            )
    if len(lists) > 1:
        return _broken(file, _line(lists[1]), '"rules" is there twice, so none of its rules count')
    if not lists or (isinstance(lists[0], yaml.ScalarNode) and not lists[0].value):
        return ReadRules((), tuple(problems))
    if not isinstance(lists[0], yaml.SequenceNode) or lists[0].tag != "tag:yaml.org,2002:seq":
        return _broken(file, _line(lists[0]), '"rules" must be a list, so none of its rules count')
    rules: list[Rule] = []
    for item in lists[0].value:
        found = _rule(item)
        if isinstance(found, RuleLine):
            rules.append(Rule(found, file, _line(item)))
        else:
            problems.append(RuleProblem(file, _line(item), f"{found}; this rule is skipped"))
    problems.extend(_weaknesses(rules))
    return ReadRules(tuple(rules), tuple(problems))


def _rule(item: yaml.Node) -> RuleLine | str:
    """The rule of one list entry, or what is wrong with it."""
    if not isinstance(item, yaml.MappingNode) or item.tag != "tag:yaml.org,2002:map":
        return 'found no "tool" and "pattern"'
    values: dict[str, str] = {}
    for key, value in item.value:
        wrong = _take(key, value, values)
        if wrong is not None:
            return wrong
    if len(values) < 2:
        return f'"{"pattern" if "tool" in values else "tool"}" is missing'
    if "\0" in values["pattern"] or "\n" in values["pattern"]:
        return "the pattern goes over more than one line"
    return RuleLine(values["tool"].strip(" \t"), values["pattern"].strip(" \t"))


def _take(key: yaml.Node, value: yaml.Node, values: dict[str, str]) -> str | None:
    """Put one key of a rule into ``values``; what is wrong with it, if something is."""
    name, text = scalar_text(key), scalar_text(value)
    if name not in ("tool", "pattern"):
        return f'"{name}" means nothing in a rule; it has "tool" and "pattern"'
    if name in values:
        return f'"{name}" is there twice'
    if text is None or not text.strip():
        return f'"{name}" must be a text'
    values[name] = text
    return None


def scalar_text(node: yaml.Node) -> str | None:
    """A scalar just as it is written; None for anything else, and for a tag that changes its meaning."""
    if not isinstance(node, yaml.ScalarNode):
        return None
    plain = not node.style
    if node.tag not in _SCALAR_TAGS or (plain and node.tag.endswith(":null")):
        return None
    return str(node.value)


def _weaknesses(rules: Sequence[Rule]) -> Iterator[RuleProblem]:
    for rule in rules:
        weakness = weakness_of(rule.line)
        if weakness is not None:
            yield RuleProblem(
                rule.file, rule.number, f'"{rule.line.pattern}" never allows anything ({weakness})'
            )

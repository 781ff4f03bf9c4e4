"""Shell text to plain syntax values, by tree-sitter's grammar for bash."""

import threading

import tree_sitter
import tree_sitter_bash

from jarvis_desktop.core.items.shell_syntax import (
    Assignment,
    Construct,
    FunctionBody,
    Nest,
    ParsedShell,
    Redirect,
    SimpleCommand,
)

MOST_CHARACTERS = 200_000
"""Longer text is not read at all; the app asks about anything over 10,000 characters anyway."""
MOST_DEPTH = 100
"""Deeper nesting than this nobody writes; the text counts as damaged."""

_GRAMMAR = tree_sitter.Language(tree_sitter_bash.language())

_NESTS = {
    "command_substitution": Construct.SUBSTITUTION,
    "process_substitution": Construct.PROCESS,
    "subshell": Construct.SUBSHELL,
    "function_definition": Construct.FUNCTION,
    "for_statement": Construct.CONTROL,
    "c_style_for_statement": Construct.CONTROL,
    "while_statement": Construct.CONTROL,
    "if_statement": Construct.CONTROL,
    "case_statement": Construct.CONTROL,
    "compound_statement": Construct.CONTROL,
    "test_command": Construct.TEST,
}
_REDIRECTS = frozenset({"file_redirect", "heredoc_redirect", "herestring_redirect"})
_ASSIGNMENTS = frozenset({"variable_assignment", "variable_assignments"})
_ENDS_WITH_A_COMMAND = frozenset({"list", "pipeline", "negated_command"})
_DECLARATIONS = frozenset({"declaration_command", "unset_command"})
_HEREDOC_PARTS = frozenset({"heredoc_start", "heredoc_body", "heredoc_end", "file_descriptor"})
_UNKNOWN = ParsedShell((), frozenset(), (), damaged=True)


class BashParser:
    """Fills ``ShellParser``."""

    def __init__(self) -> None:
        self._parser = tree_sitter.Parser(_GRAMMAR)
        self._lock = threading.Lock()
        """A parser reads one text at a time; long ones are read in a thread."""

    def parse(self, text: str) -> ParsedShell:
        """What ``text`` holds."""
        if len(text) > MOST_CHARACTERS:
            return _UNKNOWN
        with self._lock:
            root = self._parser.parse(_as_ascii(text)).root_node
        try:
            return _Walk(text).whole(root)
        except RecursionError:
            return _UNKNOWN


def _as_ascii(text: str) -> bytes:
    """``text`` with a plain word character for every other one; positions stay what they are.

    The grammar's scanner looks characters up in a table of 256 entries, whatever their number: text
    beyond ASCII made tree-sitter-bash 0.25.1 read outside of it and end the whole process. To bash such
    characters are ordinary parts of a word, as ``%`` is; NUL ends its text, so it is none.
    """
    if text.isascii() and "\0" not in text:
        return text.encode("ascii")
    return "".join(c if "\0" < c < "\x80" else "%" for c in text).encode("ascii")


class _Walk:
    """One walk over one tree."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._commands: list[SimpleCommand] = []
        self._constructs: set[Construct] = set()
        self._functions: list[FunctionBody] = []
        self._damaged = False
        self._numbers = 0
        self._moved: dict[int, tuple[tree_sitter.Node, ...]] = {}
        """Redirections by the command that they belong to, where the tree hangs them elsewhere."""

    def whole(self, root: tree_sitter.Node) -> ParsedShell:
        """The values of the tree under ``root``."""
        self._damaged = root.has_error
        self._visit(root, (), -1, 0)
        return ParsedShell(
            tuple(self._commands), frozenset(self._constructs), tuple(self._functions), self._damaged
        )

    def _text(self, node: tree_sitter.Node) -> str:
        return self._source[node.start_byte : node.end_byte]

    def _number(self) -> int:
        self._numbers += 1
        return self._numbers

    def _visit(self, node: tree_sitter.Node, nest: tuple[Nest, ...], pipeline: int, stage: int) -> None:
        kind = node.type
        if len(nest) > MOST_DEPTH:
            self._damaged = True
        elif kind == "command" or kind in _DECLARATIONS or kind in _ASSIGNMENTS:
            self._simple(node, (), nest, (pipeline, stage))
        elif kind == "redirected_statement":
            self._redirected(node, nest, (pipeline, stage))
        elif kind == "pipeline":
            self._pipeline(node, nest)
        elif kind == "list":
            self._list(node, nest, (pipeline, stage))
        elif kind in _REDIRECTS:
            self._loose((node,), nest, (pipeline, stage))
        else:
            self._visit_children(node, nest, (pipeline, stage))

    def _visit_children(self, node: tree_sitter.Node, nest: tuple[Nest, ...], place: tuple[int, int]) -> None:
        kind = _NESTS.get(node.type)
        inner = nest
        if kind is not None:
            self._constructs.add(kind)
            inner = (*nest, Nest(kind, self._number()))
        if kind is Construct.FUNCTION:
            self._function(node)
        if node.type == "for_statement":
            self._loop_variable(node, nest)
        for child in node.children:
            if child.type in ("&", ";;", "((", "[["):
                # A stray ``;;`` is an error to bash though not to this grammar.
                self._damaged = self._damaged or (child.type == ";;" and node.type != "case_item")
                self._constructs.add(Construct.BACKGROUND if child.type == "&" else Construct.TEST)
            elif child.is_named:
                self._visit(child, inner, *place)

    def _list(self, node: tree_sitter.Node, nest: tuple[Nest, ...], place: tuple[int, int]) -> None:
        # The grammar hangs "a && b && c" to the left, as deep as the list is long: no recursion here.
        rest: list[tree_sitter.Node] = []
        while node.type == "list":
            rest.extend(child for child in reversed(node.children[1:]) if child.is_named)
            node = node.children[0]
        for child in (node, *reversed(rest)):
            self._visit(child, nest, *place)

    def _function(self, node: tree_sitter.Node) -> None:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is not None and body is not None:
            self._functions.append(FunctionBody(self._text(name), self._text(body)))

    def _loop_variable(self, node: tree_sitter.Node, nest: tuple[Nest, ...]) -> None:
        """A loop over words sets its variable: told as an assignment of them all."""
        names = [child for child in node.children if child.type == "variable_name"]
        words = [child for child in node.children if child.is_named and child.type != "do_group"][1:]
        if names and words:
            values = " ".join(self._text(word) for word in words)
            assigned = (Assignment(self._text(names[0]), values),)
            self._commands.append(SimpleCommand((), assigned, (), nest))

    def _pipeline(self, node: tree_sitter.Node, nest: tuple[Nest, ...]) -> None:
        number, stage = self._number(), 0
        for child in node.children:
            if child.is_named:
                self._visit(child, nest, number, stage)
                stage += 1

    def _redirected(self, node: tree_sitter.Node, nest: tuple[Nest, ...], place: tuple[int, int]) -> None:
        body = node.child_by_field_name("body")
        redirects = tuple(child for child in node.children if child.type in _REDIRECTS)
        if body is not None and body.type in ("command", *_DECLARATIONS, *_ASSIGNMENTS):
            self._simple(body, redirects, nest, place)
            return
        last = body
        while last is not None and last.type in _ENDS_WITH_A_COMMAND:
            # "a && b > c": this grammar hangs the redirection on all of it, bash on "b".
            last = next((child for child in reversed(last.children) if child.is_named), None)
        if body is not None and last is not None and last.type in ("command", *_DECLARATIONS):
            self._moved[last.id] = redirects
            self._visit(body, nest, *place)
            return
        if body is not None:
            self._visit(body, nest, *place)
        self._loose(redirects, nest, place)

    def _simple(
        self,
        node: tree_sitter.Node,
        outside: tuple[tree_sitter.Node, ...],
        nest: tuple[Nest, ...],
        place: tuple[int, int],
    ) -> None:
        outside = (*outside, *self._moved.pop(node.id, ()))
        words: list[str] = []
        last_end = -1
        assignments: list[Assignment] = []
        redirects: list[tree_sitter.Node] = []
        if node.type in _DECLARATIONS:
            self._constructs.add(Construct.DECLARATION)
        children = (node,) if node.type == "variable_assignment" else node.children
        for child in children:
            if child.type in _REDIRECTS:
                redirects.append(child)
            elif child.type == "variable_assignment" and node.type != "declaration_command":
                assignments.append(self._assignment(child, nest))
            else:
                text = self._text(child)
                if words and child.start_byte == last_end:
                    # This grammar cuts "$IFS/" in two; to bash it is one word.
                    text = words.pop() + text
                words.append(text)
                last_end = child.end_byte
                self._inside(child, nest)
        found = tuple(self._redirect(redirect, nest) for redirect in (*redirects, *outside))
        rest = [line for redirect in outside for line in _rest_of_line(redirect)]
        if rest and place[0] < 0:
            place = (self._number(), 0)
        self._commands.append(SimpleCommand(tuple(words), tuple(assignments), found, nest, *place))
        for stage, line in enumerate(rest, place[1] + 1):
            self._visit(line, nest, place[0], stage)

    def _assignment(self, node: tree_sitter.Node, nest: tuple[Nest, ...]) -> Assignment:
        self._constructs.add(Construct.ASSIGNMENT)
        self._inside(node, nest)
        name, _, value = self._text(node).partition("=")
        return Assignment(name, value)

    def _loose(
        self, redirects: tuple[tree_sitter.Node, ...], nest: tuple[Nest, ...], place: tuple[int, int]
    ) -> None:
        """Redirections without a simple command of their own."""
        found = tuple(self._redirect(redirect, nest) for redirect in redirects)
        self._commands.append(SimpleCommand((), (), found, nest, *place))
        for line in (line for redirect in redirects for line in _rest_of_line(redirect)):
            self._visit(line, nest, *place)

    def _redirect(self, node: tree_sitter.Node, nest: tuple[Nest, ...]) -> Redirect:
        operator = descriptor = ""
        targets: list[str] = []
        if node.type == "heredoc_redirect":
            self._constructs.add(Construct.HEREDOC)
        for child in node.children:
            if child.type == "file_descriptor":
                descriptor = self._text(child)
            elif not child.is_named and not operator:
                operator = self._text(child)
            elif node.type != "heredoc_redirect" or child.type == "heredoc_body":
                targets.append(self._text(child))
                self._inside(child, nest)
        return Redirect(operator, " ".join(targets), descriptor)

    def _inside(self, node: tree_sitter.Node, nest: tuple[Nest, ...]) -> None:
        """Commands in substitutions anywhere inside a word."""
        if node.child_count == 0:
            return
        if node.type in ("command_substitution", "process_substitution"):
            self._visit_children(node, nest, (-1, 0))
            return
        for child in node.children:
            if child.child_count:
                self._inside(child, nest)


def _rest_of_line(redirect: tree_sitter.Node) -> list[tree_sitter.Node]:
    """Commands after a here document's mark on its line: this grammar hangs them below the redirection."""
    if redirect.type != "heredoc_redirect":
        return []
    lines: list[tree_sitter.Node] = []
    for child in redirect.children:
        if child.type == "pipeline":
            lines.extend(part for part in child.children if part.is_named)
        elif child.is_named and child.type not in _HEREDOC_PARTS:
            lines.append(child)
    return lines

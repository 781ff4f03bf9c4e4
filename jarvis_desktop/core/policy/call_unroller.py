"""Every program that a parsed command would start, however it is wrapped, nested or fed."""

import base64
import binascii
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from jarvis_desktop.core.items.shell_syntax import Construct, FunctionBody, Nest, ParsedShell, SimpleCommand
from jarvis_desktop.core.policy.command_facts import Call, Opened
from jarvis_desktop.core.policy.command_words import Expanded, Known, decode_ansi, expand, substitutions
from jarvis_desktop.core.policy.danger_foreign import shell_texts
from jarvis_desktop.core.policy.find_words import find_starts, finds_everything
from jarvis_desktop.core.policy.inner_code import Inner
from jarvis_desktop.core.policy.interpreters import Source, program_of
from jarvis_desktop.core.policy.known_programs import DOWNLOADERS, SHELLS, family_name, program_name
from jarvis_desktop.core.policy.paths import Place, absolute
from jarvis_desktop.core.policy.wrappers import inner_of
from jarvis_desktop.core.ports import ShellParser

MOST_INNER = 40_000
"""Characters of code in code that are looked into for one command."""
MOST_WORDS = 20_000
"""Words of all calls of one command."""
MOST_DEPTH = 6
"""Code in code in code: deeper than this is not followed."""
MOST_CALLS = 600

_COPYING = (Construct.SUBSHELL, Construct.SUBSTITUTION, Construct.PROCESS)


_LOOSE_SPLIT = re.compile(r"[;&|\n(){}`]+")
_LOOSE_WORD = re.compile(r"(?:'[^']*'|\"(?:[^\"\\]|\\.)*\"|\\.|[^\s'\"\\]|['\"\\])+", re.DOTALL)


def loose_reading(text: str) -> ParsedShell:
    """A reading of text that does not parse: cut at every operator, and at every quote's inside too.

    It sees commands that are not there rather than miss one that is; only the danger list uses it.
    """
    commands = [SimpleCommand(tuple(_LOOSE_WORD.findall(piece))) for piece in _LOOSE_SPLIT.split(text)]
    whole = [SimpleCommand(tuple(_LOOSE_WORD.findall(line))) for line in text.splitlines()]
    found = tuple(command for command in (*commands, *whole) if command.words)
    return ParsedShell(found[:MOST_CALLS], frozenset(), (), damaged=True)


@dataclass(slots=True)
class _State:
    """What the shell knows at one point."""

    variables: dict[str, str]
    cwd: str | None


class Unroller:
    """Unrolls a parsed command into the calls it would make."""

    def __init__(self, parser: ShellParser, place: Place) -> None:
        self._parser = parser
        self._place = place
        self._groups = 0
        self._depth = 0
        self._words = 0
        self._inner_characters = 0
        self.calls: list[Call] = []
        self.functions: list[FunctionBody] = []
        self.overflowed = False

    def read(self, parsed: ParsedShell, state: _State | None = None) -> None:
        """Add every call of ``parsed``."""
        first = state or _State(
            {"HOME": self._place.home, "PWD": self._place.cwd, "IFS": " \t\n", "OLDPWD": ""}, self._place.cwd
        )
        states: dict[tuple[Nest, ...], _State] = {(): first}
        self.functions.extend(parsed.functions)
        self._groups += 1000
        base = self._groups
        for command in parsed.commands:
            if len(self.calls) > MOST_CALLS:
                self.overflowed = True
                return
            self._command(command, _state_of(command.nest, states), base)

    def read_foreign(self, code: str) -> None:
        """Add every call that program text in another language hands to a shell."""
        state = _State({"HOME": self._place.home, "PWD": self._place.cwd}, self._place.cwd)
        self._inner(Inner(code=code, foreign=True), Call((), cwd=self._place.cwd), state)

    def _command(self, command: SimpleCommand, state: _State, base: int) -> None:
        known = self._known(state)
        for assignment in command.assignments:
            value = expand(assignment.value, known)
            if not any(word.missing for word in value):
                state.variables[assignment.name.rstrip("+")] = " ".join(word.text for word in value)
        argv: list[Expanded] = []
        drawn: set[int] = set()
        for raw in command.words:
            if "(" in raw or "`" in raw:
                drawn.update({len(argv)} if self._downloads(raw) else ())
            argv.extend(expand(raw, known))
        redirects = tuple(
            Opened(r.operator, _one(expand(r.target, known)) if r.operator[:2] != "<<" or r.operator == "<<<"
                   else Expanded(r.target), r.descriptor)
            for r in command.redirects
        )  # fmt: skip
        if any(("(" in r.target or "`" in r.target) and self._downloads(r.target) for r in command.redirects):
            drawn.add(-1)
        while argv and argv[0].missing and not argv[0].text and len(argv) > 1:
            # An unset variable before a command word vanishes.
            argv.pop(0)
        group = base + command.pipeline if command.pipeline >= 0 else base - 500 - len(self.calls)
        call = Call(
            tuple(argv),
            redirects,
            state.cwd,
            group,
            command.stage,
            None,
            frozenset(drawn),
            name=_name_of(argv),
        )
        self._add(call, state)
        _follow(call, state, self._place)

    def _add(self, call: Call, state: _State) -> None:
        self._words += len(call.argv)
        if len(self.calls) > MOST_CALLS or self._words > MOST_WORDS:
            self.overflowed = True
            return
        self.calls.append(call)
        if self._depth >= MOST_DEPTH:
            self.overflowed = self.overflowed or bool(call.argv and inner_of(call.argv))
            return
        self._depth += 1
        if call.argv:
            for inner in inner_of(call.argv):
                self._inner(inner, call, state)
            self._standard_input(call, state)
        self._depth -= 1

    def _inner(self, inner: Inner, call: Call, state: _State) -> None:
        if inner.foreign:
            self.calls.append(Call((), (), call.cwd, call.group, call.stage, foreign=inner.code))
            for text in shell_texts(inner.code):
                self._code(text, state)
        elif inner.code:
            self._code(inner.code, state, inner.given)
        if inner.argv:
            fed = self._printed(call) if inner.fed else None
            offset = len(call.argv) - len(inner.argv)
            drawn = frozenset(i - offset if i >= 0 else i for i in call.drawn)
            words = tuple(Expanded(word) for word in fed.split()) if fed is not None else ()
            fed_words = words if inner.fed else call.fed
            name = _name_of(inner.argv)
            self._add(replace(call, argv=inner.argv + words, fed=fed_words, drawn=drawn, name=name), state)

    def _code(self, code: str, state: _State, given: tuple[Expanded, ...] = ()) -> None:
        """Calls of ``code``, run by another shell in the same place."""
        self._inner_characters += len(code)
        if self._depth > MOST_DEPTH or len(self.calls) > MOST_CALLS or self._inner_characters > MOST_INNER:
            self.overflowed = True
            return
        parsed = self._parser.parse(code)
        known = {str(at): word.text for at, word in enumerate(given) if not word.missing}
        known |= {name: " ".join(list(known.values())[1:]) for name in ("@", "*") if len(known) > 1}
        self.read(parsed, _State(state.variables | known, state.cwd))
        if parsed.damaged:
            self.read(loose_reading(code), _State(dict(state.variables), state.cwd))

    def _standard_input(self, call: Call, state: _State) -> None:
        """Known text that a shell or interpreter would read as code from its standard input."""
        code = self._printed(call) if takes_code_from_stdin(call) else None
        if code:
            self._inner(Inner(code=code, foreign=family_name(call.argv[0].text) not in SHELLS), call, state)

    def _printed(self, call: Call) -> str | None:
        """What ``call`` is known to read on standard input."""
        for opened in call.redirects:
            if opened.operator[:2] == "<<":
                return opened.target.text
        before = [c for c in self.calls if c.group == call.group and c.stage == call.stage - 1 and c.argv]
        return self._output(before[-1]) if before else None

    def _output(self, call: Call) -> str | None:
        words = [word.text for word in call.argv]
        if call.name == "echo":
            return decode_ansi(" ".join(w for w in words[1:] if not re.fullmatch("-[neE]+", w)))
        if call.name == "printf":
            return decode_ansi(" ".join(words[1:]).replace("%s", " ").replace("%b", " "))
        if call.name in ("cat", "tee", "tr", "rev"):
            return self._printed(call)
        if call.name == "find":
            return (
                " ".join(word.text for word in find_starts(call.argv))
                if finds_everything(call.argv)
                else None
            )
        if call.name == "base64" and any(w in ("-d", "--decode", "-D", "-di") for w in words):
            return _decoded(self._printed(call))
        return None

    def _known(self, state: _State) -> Known:
        return Known(state.variables, lambda code: self._output_of(code, state))

    def _output_of(self, code: str, state: _State) -> str | None:
        """What a substitution prints, where that is plain to see."""
        commands = self._parser.parse(code).commands if self._depth < MOST_DEPTH else ()
        if len(commands) != 1 or commands[0].redirects:
            return None
        self._depth += 1
        words = [w for raw in commands[0].words for w in expand(raw, self._known(state))]
        self._depth -= 1
        if not words or any(word.missing for word in words):
            return None
        texts = [word.text for word in words]
        if texts[0] == "pwd":
            return state.cwd
        if texts[0] in ("which", "command", "type", "whereis", "basename"):
            return texts[-1]
        return self._output(Call(tuple(words), name=texts[0])) if texts[0] in ("echo", "printf") else None

    def _downloads(self, raw: str) -> bool:
        """A substitution in ``raw`` prints what a download brought."""
        return any(
            program_name(_first_text(command)) in DOWNLOADERS
            or any(self._downloads(w) for w in command.words)
            for code in substitutions(raw)
            for command in self._parser.parse(code).commands
        )


def takes_code_from_stdin(call: Call) -> bool:
    """A shell or interpreter that reads its program from standard input."""
    program = program_of([word.text for word in call.argv]) if call.argv else None
    return program is not None and program.source is Source.STDIN


def _name_of(argv: Sequence[Expanded]) -> str:
    return program_name(argv[0].text) if argv else ""


def _first_text(command: SimpleCommand) -> str:
    return command.words[0].strip("'\"\\") if command.words else ""


def _decoded(text: str | None) -> str | None:
    if text is None:
        return None
    try:
        return base64.b64decode("".join(text.split()), validate=False).decode("utf-8", "replace")
    except (binascii.Error, ValueError):
        return None


def _one(words: tuple[Expanded, ...]) -> Expanded:
    return words[0] if words else Expanded("", missing=True)


def _state_of(nest: tuple[Nest, ...], states: dict[tuple[Nest, ...], _State]) -> _State:
    """The shell that runs a command: each subshell begins with a copy of the one around it."""
    key = tuple(one for one in nest if one.kind in _COPYING)
    if key not in states:
        outer = _state_of(key[:-1], states)
        states[key] = _State(dict(outer.variables), outer.cwd)
    return states[key]


def _follow(call: Call, state: _State, place: Place) -> None:
    """What ``call`` changes in the shell that runs it."""
    if call.name in ("export", "declare", "typeset", "local", "readonly"):
        for word in call.argv[1:]:
            name, mark, value = word.text.partition("=")
            if mark and not word.missing:
                state.variables[name] = value
    elif call.name in ("cd", "pushd"):
        operands = [word for word in call.argv[1:] if word.text not in ("-P", "-L", "-e", "-@", "--", "-n")]
        _move(operands, state, place)
    elif call.name == "popd":
        state.cwd = place.cwd


def _move(operands: list[Expanded], state: _State, place: Place) -> None:
    target = operands[0] if operands else Expanded(place.home)
    if target.text == "-" or (target.missing and target.text):
        state.cwd = None
    elif target.missing:
        # An empty variable: "cd" alone goes home.
        state.cwd = place.home
    else:
        state.cwd = absolute(target.text, state.cwd or place.cwd)
    if state.cwd is not None:
        state.variables["PWD"] = state.cwd

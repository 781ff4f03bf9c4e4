"""The parser's values, and that nothing brings it down."""

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jarvis_desktop.adapters.bash_parser import BashParser
from jarvis_desktop.core.items.shell_syntax import (
    Assignment,
    Construct,
    Nest,
    ParsedShell,
    Redirect,
    SimpleCommand,
)

PARSER = BashParser()


def test_a_pipeline_comes_back_in_order_with_raw_words_and_redirections() -> None:
    assert PARSER.parse("A=1 git 'log' x$Y 2>&1 | head -5 > out && ls") == ParsedShell(
        (
            SimpleCommand(
                ("git", "'log'", "x$Y"), (Assignment("A", "1"),), (Redirect(">&", "1", "2"),), (), 1, 0
            ),
            SimpleCommand(("head", "-5"), (), (Redirect(">", "out"),), (), 1, 1),
            SimpleCommand(("ls",)),
        ),
        frozenset({Construct.ASSIGNMENT}),
        (),
        damaged=False,
    )


def test_a_substitution_stands_before_the_command_that_uses_it() -> None:
    inner, outer = PARSER.parse('echo "$(sudo id)"').commands
    assert inner == SimpleCommand(("sudo", "id"), nest=(Nest(Construct.SUBSTITUTION, 1),))
    assert outer.words == ("echo", '"$(sudo id)"')


def test_a_here_document_belongs_to_its_command_and_the_rest_of_its_line_follows() -> None:
    first, second = PARSER.parse("cat <<EOF | sh -s\nsudo id\nEOF").commands
    assert (first.words, first.redirects, first.stage) == (("cat",), (Redirect("<<", "sudo id\n"),), 0)
    assert (second.words, second.pipeline, second.stage) == (("sh", "-s"), first.pipeline, 1)


@pytest.mark.parametrize(
    ("text", "construct"),
    [
        ("a &", Construct.BACKGROUND),
        ("a $(b)", Construct.SUBSTITUTION),
        ("a <(b)", Construct.PROCESS),
        ("f() { a; }", Construct.FUNCTION),
        ("a <<E\nE", Construct.HEREDOC),
        ("A=1", Construct.ASSIGNMENT),
        ("(a)", Construct.SUBSHELL),
        ("if a; then b; fi", Construct.CONTROL),
        ("[[ a ]]", Construct.TEST),
        ("export A", Construct.DECLARATION),
        ("{ a; }", Construct.CONTROL),
        ("((1))", Construct.TEST),
        ("a & b", Construct.BACKGROUND),
        ("for i in a; do b; done", Construct.CONTROL),
    ],
)
def test_each_construct_is_named(text: str, construct: Construct) -> None:
    assert construct in PARSER.parse(text).constructs


@pytest.mark.parametrize("text", ["a ;; b", "a 'b", "a )", "if a; then", "a &&", "{a,b}"])
def test_what_cannot_be_read_is_damaged(text: str) -> None:
    assert PARSER.parse(text).damaged


def test_a_very_long_list_is_read_to_its_end() -> None:
    parsed = PARSER.parse("true && " * 1_200 + "sudo id")
    assert parsed.commands[-1].words == ("sudo", "id")


def test_words_beyond_ascii_come_back_as_they_were() -> None:
    assert PARSER.parse("cat 문서/메모.md '👍'").commands[0].words == ("cat", "문서/메모.md", "'👍'")


@given(text=st.text(max_size=200))
@settings(max_examples=300, deadline=None)
def test_any_text_is_answered(text: str) -> None:
    PARSER.parse(text)


@given(source=st.binary(max_size=200))
@settings(max_examples=300, deadline=None)
def test_any_bytes_are_answered(source: bytes) -> None:
    PARSER.parse(source.decode("utf-8", "surrogateescape"))
    PARSER.parse(source.decode("latin-1"))


def test_text_that_once_ended_the_process_no_longer_does() -> None:
    # In a process of its own, since it was the whole process that ended.
    code = (
        "from jarvis_desktop.adapters.bash_parser import BashParser\n"
        "parser = BashParser()\n"
        "for point in (0x10fc07, 0x10ffff, 0xf0000, 0x6ef8f, 0x1f44d, 0xac00, 0x80):\n"
        "    for form in ('{}', 'a {}b', '{}=1', '${}', '$({})', 'cat <<{}', '[[ {} ]]'):\n"
        "        parser.parse(form.format(chr(point)) * 3)\n"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 0


@pytest.mark.parametrize(
    "text", ["(" * 20_000, "$(" * 10_000, "{ " * 10_000, "a && " * 10_000 + "b", "if a; then " * 3_000]
)
@pytest.mark.timeout(30)
def test_deep_nesting_is_answered(text: str) -> None:
    assert isinstance(PARSER.parse(text), ParsedShell)

"""What people are told to type is what starts this installation."""

from pathlib import Path

from jarvis_desktop.adapters.typed_command import typed_command


def test_a_checkout_is_named_as_it_was_called() -> None:
    assert typed_command({"JARVIS_COMMAND": "./run"}) == "./run"
    assert typed_command({"JARVIS_COMMAND": "/my files/run"}) == "'/my files/run'"


def test_the_name_is_enough_where_a_terminal_finds_it_and_else_the_path_is_told(tmp_path: Path) -> None:
    program = tmp_path / "jarvis-desktop"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert typed_command({"PATH": str(tmp_path)}) == "jarvis-desktop"
    assert typed_command({"PATH": "/nowhere"}, [str(program)]) == str(program)

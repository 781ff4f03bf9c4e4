"""The scripted server itself: what whole-program tests may rely on."""

import json
import socket
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.ollama_script import Script, Step, call, read_script, say, script_json
from tests.fakes.ollama_server import ScriptedOllama
from tests.parts.ollama_script import OllamaProgram, StartsScript

CHOICE = {
    "anyOf": [
        {
            "type": "object",
            "properties": {
                "tool": {"const": name},
                "arguments": {"type": "object", "properties": {key: {"type": "string"}}},
            },
        }
        for name, key in (("bash", "command"), ("answer", "text"))
    ]
}


def ask(host: str, text: str, **more: Any) -> dict[str, Any]:
    body = {"model": "gemma4:e2b", "messages": [{"role": "user", "content": text}], "stream": False, **more}
    request = urllib.request.Request(f"{host}/api/chat", data=json.dumps(body).encode(), method="POST")
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with direct.open(request, timeout=10) as response:
        answer: dict[str, Any] = json.loads(response.read())
    message: dict[str, Any] = answer["message"]
    return message


def test_steps_are_used_up_in_order_and_only_where_they_fit(ollama_script: StartsScript) -> None:
    server = ollama_script(say("for notes", when="notes"), say("first"), say("second", repeat=True))
    said = [ask(server.host, text)["content"] for text in ("hello", "my notes", "notes again", "hello")]
    assert said == ["first", "for notes", "second", "second"]


def test_a_step_is_written_in_the_way_the_request_asks_for(ollama_script: StartsScript) -> None:
    ls = {"command": "ls"}
    server = ollama_script(
        call("bash", ls),
        call("bash", ls),
        say("Hello."),
        Step(reply={"label": "allow"}),
        call("write_file", {}),
    )
    assert ask(server.host, "a", tools=[{"type": "function"}]) == {
        "role": "assistant",
        "content": "",
        "tool_calls": [{"function": {"name": "bash", "arguments": ls}}],
    }
    bound = [json.loads(ask(server.host, "a", format=CHOICE)["content"]) for _ in range(2)]
    assert bound == [{"tool": "bash", "arguments": ls}, {"tool": "answer", "arguments": {"text": "Hello."}}]
    label = ask(server.host, "yes", format={"type": "object", "properties": {"label": {"type": "string"}}})
    assert json.loads(label["content"]) == {"label": "allow"}
    with pytest.raises(urllib.error.HTTPError) as refused:
        ask(server.host, "a", format=CHOICE)
    with refused.value:
        assert b"the schema offers no write_file" in refused.value.read()


def test_a_request_without_a_step_is_an_error_and_is_named(ollama_script: StartsScript) -> None:
    server = ollama_script(say("x", when="never"))
    with pytest.raises(urllib.error.HTTPError) as refused:
        ask(server.host, "What now?")
    refused.value.close()
    server.wait_until(lambda s: s.unscripted)
    assert server.unscripted == ("What now?",)


def test_it_ends_with_clients_waiting() -> None:
    with ScriptedOllama(say("never", gate="never")) as server:
        host, _, port = server.host.removeprefix("http://").partition(":")
        with socket.create_connection((host, int(port))) as client:
            body = b'{"model":"gemma4:e2b","messages":[{"role":"user","content":"a"}]}'
            client.sendall(b"POST /api/chat HTTP/1.1\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
            server.wait_until(lambda s: s.chats)


def test_a_script_survives_being_written_down(tmp_path: Path) -> None:
    script = Script(
        (
            call("bash", {"command": "ls"}, when="목록"),
            say("a", "b", think=("hm",), delay_s=0.5, endless=True),
        ),
        {"dull": ("completion",)},
        "0.5.4",
    )
    file = tmp_path / "script.json"
    file.write_text(script_json(script), "utf-8")
    assert read_script(file) == script


def test_a_misspelt_field_of_a_script_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "script.json"
    file.write_text('[{"says": "Hello."}]', "utf-8")
    with pytest.raises(ValueError, match="says"):
        read_script(file)


def test_as_a_program_it_logs_what_came_and_how_it_ended(
    ollama_program: Callable[[Script], OllamaProgram],
) -> None:
    program = ollama_program(Script((say("안녕하세요", gate="go"),)))
    program.release("go")
    assert ask(program.host, "안녕")["content"] == "안녕하세요"
    assert [body["messages"][0]["content"] for body in program.chats] == ["안녕"]
    program.end()
    assert [(one["event"], one["path"], one["step"], one["hung_up"]) for one in program.log] == [
        ("request", "/api/chat", None, False),
        ("end", "/api/chat", 0, False),
    ]

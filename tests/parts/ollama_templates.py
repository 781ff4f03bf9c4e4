# ruff: noqa: E501 - the templates are kept byte for byte
"""Chat templates and parameters of the small models that tests run on a real Ollama."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

Parameters = Mapping[str, int | list[str]]

# Gemma 3 270M is a base model: without examples in its prompt it calls nothing.
GEMMA_WITH_TOOLS = """{{- if .Tools }}Tools: play_song(title) Play a song; set_timer(minutes) Set a timer
User: Play the song Yesterday.
Assistant: {"name": "play_song", "arguments": {"title": "Yesterday"}}

Tools: set_light(on) Turn the light on or off; find_file(name) Find a file
User: Where is the file budget?
Assistant: {"name": "find_file", "arguments": {"name": "budget"}}

Tools: set_light(on) Turn the light on or off; find_file(name) Find a file
User: 불 켜 줘.
Assistant: {"name": "set_light", "arguments": {"on": true}}

Tools:{{ range .Tools }} {{ .Function.Name }}({{ range $k, $v := .Function.Parameters.Properties }}{{ $k }} {{ end }}) {{ .Function.Description }};{{ end }}
{{- else }}The assistant answers in one or two short sentences, in the user's language.

User: Hi there!
Assistant: Hello! How can I help you?

User: 안녕하세요
Assistant: 안녕하세요! 무엇을 도와드릴까요?
{{ end }}
{{- range .Messages }}
{{- if eq .Role "system" }}
{{ .Content }}
{{- else if eq .Role "user" }}
User: {{ .Content }}
{{- else if eq .Role "assistant" }}
Assistant: {{ if .ToolCalls }}{{ range .ToolCalls }}{"name": "{{ .Function.Name }}", "arguments": {{ .Function.Arguments }}}{{ end }}{{ else }}{{ .Content }}{{ end }}
{{- else if eq .Role "tool" }}
Result: {{ .Content }}
{{- end }}
{{- end }}
Assistant:"""

# The usual Qwen template asks for <tool_call> tags, which the Coder models ignore; bare JSON they do write.
QWEN_WITH_TOOLS = """{{- if or .System .Tools }}<|im_start|>system
{{- if .System }}
{{ .System }}
{{- end }}
{{- if .Tools }}

# Tools

You may call one or more functions to assist with the user query.

You are provided with function signatures within <tools></tools> XML tags:
<tools>
{{- range .Tools }}
{"type": "function", "function": {{ .Function }}}
{{- end }}
</tools>

For each function call, answer only with a json object with function name and arguments, with no code fence around it:
{"name": <function-name>, "arguments": <args-json-object>}
{{- end }}<|im_end|>
{{ end }}
{{- range $i, $_ := .Messages }}
{{- $last := eq (len (slice $.Messages $i)) 1 -}}
{{- if eq .Role "user" }}<|im_start|>user
{{ .Content }}<|im_end|>
{{ else if eq .Role "assistant" }}<|im_start|>assistant
{{ if .Content }}{{ .Content }}
{{- else if .ToolCalls }}{{ range .ToolCalls }}{"name": "{{ .Function.Name }}", "arguments": {{ .Function.Arguments }}}
{{ end }}
{{- end }}{{ if not $last }}<|im_end|>
{{ end }}
{{- else if eq .Role "tool" }}<|im_start|>user
<tool_response>
{{ .Content }}
</tool_response><|im_end|>
{{ end }}
{{- if and (ne .Role "assistant") $last }}<|im_start|>assistant
{{ end }}
{{- end }}"""

# No tools in it: what the model may do is said by the schema of the answer.
CHATML = """{{ range .Messages }}<|im_start|>{{ .Role }}
{{ .Content }}<|im_end|>
{{ end }}<|im_start|>assistant
"""


@dataclass(frozen=True, slots=True)
class ModelRecipe:
    """How one test model is made from its weights."""

    weights: str
    """File name of the GGUF."""
    template: str
    parameters: Parameters


def _parameters(threads: int, *stop: str) -> Parameters:
    # Threads that wait spin: with two of them on two busy cores a model wrote 1.5 words a second, with one 15.
    return MappingProxyType({"num_ctx": 4096, "num_thread": threads, "stop": list(stop)})


_QWEN_15 = "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf"
_QWEN_05 = "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf"
_IM_END = "<|im_end|>"

RECIPES: Mapping[str, ModelRecipe] = MappingProxyType(
    {
        "gemma3:270m": ModelRecipe("gemma-3-270m-q4_k_m.gguf", GEMMA_WITH_TOOLS, _parameters(1, "\n")),
        "qwen2.5-coder:0.5b": ModelRecipe(
            _QWEN_05, QWEN_WITH_TOOLS, _parameters(1, _IM_END, "<|endoftext|>")
        ),
        "qwen2.5-coder:1.5b": ModelRecipe(
            _QWEN_15, QWEN_WITH_TOOLS, _parameters(1, _IM_END, "<|endoftext|>")
        ),
        "smollm2:135m": ModelRecipe("SmolLM2-135M-Instruct.Q4_1.gguf", CHATML, _parameters(1, _IM_END)),
        "qwen05-schema": ModelRecipe(_QWEN_05, CHATML, _parameters(1, _IM_END)),
        "qwen15-schema": ModelRecipe(_QWEN_15, CHATML, _parameters(1, _IM_END)),
    }
)

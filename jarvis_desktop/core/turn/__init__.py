"""One user turn: prompt, model, tool calls, answer."""

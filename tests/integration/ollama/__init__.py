"""The Ollama adapter, against a scripted server and against the real one."""

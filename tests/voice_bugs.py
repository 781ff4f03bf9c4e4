"""Known bugs of other voice assistants that have no test here, each with the reason.

The list is ``tests/data/cases/voice_bugs.jsonl``; what can occur here has a test marked
``voice_bug("<area>", "<first words of the symptom>")``.
"""

from collections.abc import Mapping
from types import MappingProxyType

AREAS = frozenset(
    {"wake", "device", "stt", "endpoint", "first_word", "echo_followup", "llm", "tts", "ui"}
    | {"instance", "path_locale", "memory_cpu", "privacy", "permission"}
    | {"model_download", "approval"}
)

REASONS: Mapping[tuple[str, str], str] = MappingProxyType(
    {
        ("permission", "Windows privacy check"): "no registry is read; an all-silent microphone is reported "
        "the same on every system",
        ("permission", "(detail thin in what was seen) Voice input blocked"): "we ship no signed bundle, so "
        "there are no entitlements that could be missing",
        ("privacy", "Recordings/history kept against expectation"): "no recording is ever written, and there "
        "is no setting that promises to keep no history",
        (
            "ui",
            "UI frozen during model load/download",
        ): "nothing is loaded in the window's thread; a gap there "
        "is a time, which experiments/bench_latency.py measures while the models load (longest gap of the "
        "window's loop)",
        (
            "ui",
            "UI freezes although load is in a thread",
        ): "sessions are made in the core's thread; what they "
        "cost the window is measured by experiments/bench_latency.py",
        ("ui", "GIL held during native transcribe"): "the recogniser releases the interpreter lock; what it "
        "costs the window is measured by experiments/bench_latency.py",
        (
            "tts",
            "Bare YES/NO control tokens spoken",
        ): "no model is asked to judge anything yet, and the mouth reads replies and questions only",
        ("memory_cpu", "~15 MB per 2 min with glibc"): "a slope needs an hour: experiments/soak.py measures "
        "it, with MALLOC_ARENA_MAX or without",
    }
)

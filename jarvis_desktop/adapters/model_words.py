"""The manifest's texts for people, listed so that the catalogue holds their translations."""


def N_(text: str) -> str:  # noqa: N802 - gettext's name for "translated later"
    """``text`` itself; the catalogue's check finds it here."""
    return text


MANIFEST_TEXTS = frozenset(
    {
        N_('Hears "Hey Jarvis".'),
        N_("Free for non-commercial use; whoever passes it on keeps these terms."),
        N_("Understands speech; small and quick (Whisper base)."),
        N_("Understands speech, better in Korean and slower than base (Whisper small)."),
        N_(
            "Understands speech best; wants a graphics card or at least eight fast cores "
            "(Whisper large-v3-turbo)."
        ),
        N_("Understands Korean commands quickly without a graphics card (SenseVoice small)."),
        N_(
            "SenseVoice by FunASR; commercial use is allowed when the source and the name of the model "
            "are kept."
        ),
        N_("Speaks Korean and English with a natural voice (Supertonic 3)."),
        N_(
            "Not for harmful use, and those who hear it must be told that a computer speaks. "
            "Pass these terms on with the model."
        ),
        N_(
            "Answers and chooses tools without Ollama; the starter model "
            "(Qwen2.5-Coder 1.5B Instruct, Q4_K_M)."
        ),
        N_(
            "Answers and chooses tools without Ollama on machines with little memory; weak in Korean "
            "(Qwen2.5-Coder 0.5B Instruct, Q4_K_M)."
        ),
    }
)
"""Every ``purpose`` and ``notice`` of ``models/manifest.yaml``."""

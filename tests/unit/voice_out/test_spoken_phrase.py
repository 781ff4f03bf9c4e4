"""What is on the screen and what is said are two things."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.voice.heard_text import says_wake_phrase
from jarvis_desktop.core.voice.spoken_phrase import language_of, spoken_form


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("3을 더하면 7를 얻어요.", "삼을 더하면 칠을 얻어요."),
        ("API을 README.md에 씁니다.", "에이피아이를 리드미 엠디 파일에 씁니다."),
        ("/home/u/Jarvis/README.md를 지웠어요.", "리드미 엠디 파일을 지웠어요."),
        ("https://www.example.com/a?b=1 보세요", "example.com 링크 보세요"),
        ("**굵게** 😀 끝", "굵게 끝"),
        ("`rm -rf *; x`를 실행", "화면의 코드를 실행"),
        ("2 + 2 = 4", "2 plus 2 equals 4"),
        ("See [the docs](https://x.y/z) at src/core/voice/foo.py.", "See the docs at foo.py."),
        ("Open C:\\Users\\me\\notes.txt now", "Open notes.txt now"),
        ("It’s *fine* — really", "It's fine, really"),
        ("Write to me@mail.example.com", "Write to mail.example.com"),
        ("Commit a1b2c3d4e5f6 is in", "Commit is in"),
        ("3/4 and/or 1/2", "3/4 and/or 1/2"),
        ("<b>bold</b> &amp; more", "bold & more"),
        ("😀", ""),
        ("---", ""),
    ],
)
def test_a_sentence_is_said_without_what_only_eyes_need(written: str, said: str) -> None:
    assert spoken_form(written, Language.ENGLISH) == said


@pytest.mark.voice_bug("wake", "Satellite triggers itself")
@pytest.mark.voice_bug("wake", "Wakes on its own reply")
@pytest.mark.parametrize(
    "reply",
    [
        "My name is Jarvis.", "Say \"Hey, Jarvis\"!", "**Hey** *Jarvis*, hey-jarvis, HEY JARVIS",
        "헤이 자비스라고 말하세요.",
        "저는 자비스예요.", "hey\njarvis", "Okay Jarvis", "`hey jarvis`", "hey j\u200barvis",
    ],
)  # fmt: skip
def test_our_own_voice_never_says_what_wakes_us(reply: str) -> None:
    said = spoken_form(reply, Language.ENGLISH).lower()
    assert said
    assert "jarvis" not in said
    assert "자비스" not in said
    assert not says_wake_phrase(said)


@pytest.mark.voice_bug("tts", "No Korean voice")
@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("안녕", Language.KOREAN),
        ("Hello 안녕", Language.KOREAN),
        ("Hello", Language.ENGLISH),
        ("42", Language.KOREAN),
    ],
)
def test_hangul_is_always_read_by_the_korean_voice(text: str, language: Language) -> None:
    assert language_of(text, Language.KOREAN) is language
    if "안" in text:
        assert language_of(text, Language.ENGLISH) is Language.KOREAN


@given(st.text(max_size=200), st.sampled_from(list(Language)))
def test_any_text_can_be_said(text: str, language: Language) -> None:
    said = spoken_form(text, language)
    assert said == "" or any(sign.isalnum() for sign in said)
    assert "```" not in said
    assert "jarvis" not in said.lower()

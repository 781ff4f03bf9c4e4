"""A streamed reply becomes sentences to be spoken."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.voice.speakable import SentenceReader
from tests.fakes.texts import PlainTexts
from tests.unit.voice_out.catalog import KoreanTexts


def read(reply: str, chunk: int = 3) -> list[str]:
    reader = SentenceReader(PlainTexts())
    said = [line for at in range(0, len(reply), chunk) for line in reader.feed(reply[at : at + chunk])]
    return said + reader.flush()


CODE = f"I put {2} lines of code on the screen."
REPLIES: list[tuple[str, list[str]]] = [
    ("Pi is 3.14. Dr. Kim said 5:30 p.m.", ["Pi is 3.14.", "Dr. Kim said 5:30 p.m."]),
    ("At 5 p.m. We met.", ["At 5 p.m.", "We met."]),
    ("Use e.g. a cup. Done", ["Use e.g. a cup.", "Done"]),
    ("끝났습니다. 다음으로 갈게요.다음은 끝!", ["끝났습니다.", "다음으로 갈게요.", "다음은 끝!"]),
    ("오늘은 2026. 12. 1. 이에요", ["오늘은 이천이십육년 십이월 일일 이에요"]),
    ("<think>secret</think>hi", ["hi"]),
    ("<thinking>\nlong. story.\n</thinking>\nhi", ["hi"]),
    ("<think>never closed. secret", []),
    ('<tool_call>{"name": 1}</tool_call>done', ["done"]),
    ('[TOOL_CALLS] [{"name": 1}]', []),
    ('{"name": "open_app", "arguments": {"x": "a. b"}}', []),
    ('Sure. {"name": "x",\n"a": 1} Next.', ["Sure.", "Next."]),
    ("Here:\n```python\na = 1\nb = 2\n```\nDone.", ["Here", CODE, "Done."]),
    ("```\na\nb", [CODE]),
    ("text\n\n    a = 1\n    b = 2\n\nDone.", ["text", CODE, "Done."]),
    ("Traceback (most recent call last):\nValueError: x\n\nSorry.", [CODE, "Sorry."]),
    ("diff --git a b\n+x\n\nSorry.", [CODE, "Sorry."]),
    ("| a | b |\n|---|---|\n| 1 | 2 |\n\nAfter.", ["The table is on the screen.", "After."]),
    ("1. a\n2. b\n3. c\n4. d\n5. e\nEnd.", ["a", "b", "c", "The rest is on the screen.", "End."]),
    ("- a\n- b\n\n- c", ["a", "b", "c"]),
    ("- [ ] a\n  more of a\n- b", ["a", "more of a", "b"]),
    ("# Title\n> quoted\n***\ntext", ["Title", "quoted", "text"]),
    ("a < b and [1] too", ["a b and 1 too"]),
    ('Really?! Yes… "Good." Then', ["Really?!", "Yes", "Good.", "Then"]),
    ("", []),
    ("😀 ***", []),
]


@pytest.mark.voice_bug("tts", "Sentence splitter breaks on 3.14")
@pytest.mark.voice_bug("tts", "Thinking or tool content")
@pytest.mark.voice_bug("llm", "Raw JSON is spoken")
@pytest.mark.parametrize(("reply", "said"), REPLIES, ids=lambda value: str(value)[:40])
@pytest.mark.parametrize("chunk", [1, 3, 1000])
def test_a_reply_is_read_the_same_however_it_is_cut(reply: str, said: list[str], chunk: int) -> None:
    assert read(reply, chunk) == said


def test_the_first_sentence_is_there_before_the_reply_is_over() -> None:
    reader = SentenceReader(PlainTexts())
    assert reader.feed("The weather in Seoul is fine today, and it ") == [
        "The weather in Seoul is fine today"
    ]
    assert reader.feed("stays so. Tomorrow, it may or may not rain, ") == ["and it stays so."]


@pytest.mark.voice_bug("tts", "Sentence splitter breaks on 3.14")
def test_text_without_any_end_is_spoken_in_pieces() -> None:
    reader = SentenceReader(PlainTexts())
    said = reader.feed("word " * 80)
    assert said
    assert all(len(piece) <= 181 for piece in said)
    assert " ".join(said + reader.flush()).count("word") == 80


def test_korean_remarks_count_lines_in_korean() -> None:
    reader = SentenceReader(KoreanTexts())
    said = reader.feed("```\n" + "x\n" * 12 + "```\n")
    assert said == ["코드 열두 줄을 화면에 표시했어요."]


@given(st.text('ab .,!?\n`|#-*{}[]<>"think/123다요', max_size=120), st.integers(1, 7))
def test_chunks_never_change_what_is_shown_as_code_or_hidden(reply: str, chunk: int) -> None:
    assert "".join(read(reply, chunk)).replace(" ", "") == "".join(read(reply, chunk + 50)).replace(" ", "")


@given(st.text(max_size=300))
def test_any_reply_can_be_read(reply: str) -> None:
    for line in read(reply, 5):
        assert line.strip()


@given(st.text("abc. ", max_size=40), st.integers(1, 6))
def test_thinking_is_never_spoken_however_it_is_cut(thought: str, chunk: int) -> None:
    assert read(f"<think>{thought}</think>hi there", chunk) == ["hi there"]


@pytest.mark.parametrize("language", list(Language))
def test_an_empty_reply_says_nothing(language: Language) -> None:
    assert SentenceReader(PlainTexts(language)).flush() == []

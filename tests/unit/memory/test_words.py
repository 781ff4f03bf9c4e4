"""Texts become words that an index can hold, and queries that nothing in them can break."""

import sqlite3
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jarvis_desktop.core.memory.words import all_of, any_of, indexed, is_korean, pieces

SAID = "오늘 서울날씨가 어때? 청약홈에서 주택청약 공고를 찾아 GPT-5로 요약해줘. The weather in Seoul, 3월"


@pytest.fixture
def index() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE w USING fts5(words, tokenize = 'unicode61 remove_diacritics 0')")
    connection.execute("INSERT INTO w VALUES (?)", (indexed(SAID),))
    connection.execute("INSERT INTO w VALUES (?)", (indexed("전혀 다른 이야기, nothing of it"),))
    return connection


def found(index: sqlite3.Connection, query: str) -> list[int]:
    return [row[0] for row in index.execute("SELECT rowid FROM w WHERE w MATCH ?", (query,))]


@pytest.mark.parametrize(
    "word",
    [
        "날씨",
        "청약",
        "서울",
        "공고",
        "주택청약",
        "날씨가",
        "홈",
        "GPT",
        "gpt-5",
        "weath",
        "SEOUL",
        "3월",
        "요약 seoul",
    ],
)
def test_words_of_two_syllables_are_found_inside_longer_ones(index: sqlite3.Connection, word: str) -> None:
    assert found(index, all_of(word)) == [1]
    assert found(index, all_of(unicodedata.normalize("NFD", word))) == [1], "in any spelling of Unicode"


@pytest.mark.parametrize("word", ["씨날", "서울 부산", "울서", "eather"])
def test_what_was_not_said_is_not_found(index: sqlite3.Connection, word: str) -> None:
    assert found(index, all_of(word)) == []


def test_some_of_the_words_are_enough_where_all_are_not_said(index: sqlite3.Connection) -> None:
    assert found(index, any_of("지난번에 부산날씨를 물었지")) == [1]


@pytest.mark.parametrize(
    "query",
    [
        '"',
        '" OR "',
        "weather NOT seoul",
        "NEAR(a b)",
        "words:x",
        "-weather",
        "^a",
        "a*b",
        "(",
        '날씨" OR rowid:1',
        "\0",
    ],
)
def test_nothing_in_a_query_is_an_operator(index: sqlite3.Connection, query: str) -> None:
    for made in (all_of(query), any_of(query)):
        if made:
            found(index, made)


@given(st.text(max_size=40))
def test_whatever_is_asked_for_makes_a_query_that_can_be_asked(text: str) -> None:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE w USING fts5(words, tokenize = 'unicode61 remove_diacritics 0')")
    connection.execute("INSERT INTO w VALUES (?)", (indexed(text),))
    for query in (all_of(text), any_of(text)):
        if query:
            found(connection, query)
    connection.close()


@given(st.text(st.characters(min_codepoint=0xAC00, max_codepoint=0xD7A3), min_size=1, max_size=12), st.data())
def test_every_part_of_a_korean_word_finds_it(word: str, data: st.DataObject) -> None:
    begin = data.draw(st.integers(0, len(word) - 1))
    end = data.draw(st.integers(begin + 1, len(word)))
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE w USING fts5(words, tokenize = 'unicode61 remove_diacritics 0')")
    connection.execute("INSERT INTO w VALUES (?)", (indexed(f"앞말 {word} 뒷말"),))
    assert found(connection, all_of(word[begin:end])) == [1]
    connection.close()


def test_pieces_are_pairs_and_words() -> None:
    assert pieces("서울날씨 Weather a") == {"서울", "울날", "날씨", "weather"}


def test_korean_is_known_in_any_spelling() -> None:
    assert is_korean("ok 날씨")
    assert is_korean(unicodedata.normalize("NFD", "날씨"))
    assert not is_korean("weather 天気")

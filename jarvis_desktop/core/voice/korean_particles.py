"""The Korean particle that fits what was put in front of it: ``{name}을(를)`` of a template becomes 을 or 를.

A Korean particle has two forms, one behind a final consonant and one behind a vowel, so a template cannot
know which one fits the name that will stand there. It writes both, as Koreans do on forms, and the right one
is chosen here once the name is known.
"""

import re

from jarvis_desktop.core.voice.spoken_latin import FILE_KINDS, LETTERS, WORDS

_FORMS = {
    "을(를)": ("을", "를"),
    "를(을)": ("을", "를"),
    "은(는)": ("은", "는"),
    "는(은)": ("은", "는"),
    "이(가)": ("이", "가"),
    "가(이)": ("이", "가"),
    "과(와)": ("과", "와"),
    "와(과)": ("과", "와"),
    "(으)로": ("으로", "로"),
    "(이)": ("이", ""),
}
_BOTH = re.compile("|".join(re.escape(both) for both in _FORMS))
# Unicode keeps these for programs' own use (noncharacters), so no value has them.
_MARK_OF = {both: chr(0xFDD0 + at) for at, both in enumerate(_FORMS)}
_BOTH_OF = {mark: both for both, mark in _MARK_OF.items()}
_MARKED = re.compile(f"([{''.join(_BOTH_OF)}])")
_ASIDE = re.compile(r"\s*[(\[{][^()\[\]{}]*[)\]}]\s*$")
"""What stands in brackets behind a word; the particle goes by the word."""
_WORD = re.compile(r"[A-Za-z]+$")
_FILE = re.compile(r"\.([a-z0-9]+)$")
_DIGITS = dict(zip("0123456789", "영일이삼사오육칠팔구", strict=True))
_SIGNS = {"%": "퍼센트", "°": "도", "℃": "도", "+": "플러스", "₩": "원", "$": "달러", "*": "별표"}
_MOST_LETTERS = 5
"""A word in capitals is spelt out up to this length."""
_CLOSED = (
    re.compile(r"[lmn]$|ng$"),  # 모델, 프로그램, 카렌, 링
    re.compile(r"[aeiouy][lmn]e$|[bcdfgkptz]le$"),  # 파일, 홈, 머신, 구글, 테이블
    re.compile(r"(?:^|[^aeiouy])[aeiou](?:[bckpt]|ck|pp)$|ook$"),  # 웹, 백업, 깃, 블록, 앱, 북
)


class Template(str):
    """A text with open particles; ``format`` closes them."""

    __slots__ = ()

    def format(self, *args: object, **kwargs: object) -> str:
        """The text with its values in it, as they are, and each particle as the word before it wants."""
        marked = _BOTH.sub(lambda found: _MARK_OF[found[0]], self)
        done = ""
        for piece in _MARKED.split(marked.format(*args, **kwargs)):
            done += fitting(done, _BOTH_OF[piece]) if piece in _BOTH_OF else piece
        return done


def opened(text: str) -> str:
    """``text``; one with open particles closes them when it is formatted."""
    return Template(text) if _BOTH.search(text) else text


def fitting(before: str, both: str) -> str:
    """The form of ``both`` that fits behind ``before``; both where nobody can say how that is read."""
    final = final_consonant(before)
    if final is None:
        return both
    behind_consonant, behind_vowel = _FORMS[both]
    if both == "(으)로" and final == "ㄹ":  # 서울로
        return behind_vowel
    return behind_consonant if final else behind_vowel


def final_consonant(text: str) -> str | None:
    """The consonant with which the last word of ``text`` ends as Koreans read it: ㄹ, another one, or none.

    "ㄹ", "ㅇ" for any other, "" for a vowel; None where nothing in it can be read in Korean.
    """
    word = text
    while (shorter := _ASIDE.sub("", word)) != word and shorter.strip():
        word = shorter
    while word and not (word[-1].isalnum() or word[-1] in _SIGNS):
        word = word[:-1]
    if not word:
        return None
    last = word[-1]
    if "가" <= last <= "힣":
        return _final_of(last)
    if last in _DIGITS or last in _SIGNS:
        return _final_of((_DIGITS.get(last) or _SIGNS[last])[-1])
    return _latin(word) if last.isascii() else None


def _latin(word: str) -> str:
    kind = _FILE.search(word)
    if kind and kind[1] in FILE_KINDS:
        return _final_of(FILE_KINDS[kind[1]][-1])
    found = _WORD.search(word)
    assert found is not None
    written = found[0]
    lower = written.lower()
    if lower in WORDS:
        return _final_of(WORDS[lower][-1])
    spelt = len(lower) == 1 or (written.isupper() and len(lower) <= _MOST_LETTERS)
    if spelt or not re.search("[aeiouy]", lower):
        return _final_of(LETTERS[lower[-1]][-1])
    if not any(one.search(lower) for one in _CLOSED):
        return ""
    return "ㄹ" if re.search("le?$", lower) else "ㅇ"


def _final_of(syllable: str) -> str:
    final = (ord(syllable) - ord("가")) % 28
    return "" if not final else "ㄹ" if final == 8 else "ㅇ"

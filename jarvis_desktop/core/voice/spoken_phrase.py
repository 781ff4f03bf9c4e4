"""One sentence of a reply as it is said: no markup, no addresses, no emoji, numbers in words."""

import html
import re
import unicodedata

from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.voice.spoken_latin import JOINT, fitting_particles, korean_latin
from jarvis_desktop.core.voice.spoken_numbers import korean_numbers
from jarvis_desktop.core.voice.spoken_text import has_hangul

_IMAGE = re.compile(r"!\[([^\]]*)\]\([^)]*\)")
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,80}>|<\|[^|<>]{0,40}\|>")
_CODE = re.compile(r"`+([^`]+)`+")
_PLAIN_CODE = re.compile(r"[\w가-힣./~:@+-]+(?: [\w가-힣./~:@+-]+){0,3}")
_URL = re.compile(
    r"\b(?:https?|ftp|file)://(?:[^\s/@]*@)?(?:www\.)?([^\s/:?#)\]>]+)[^\s)\]>가-힣]*", re.IGNORECASE
)
_BARE_URL = re.compile(r"\bwww\.([\w.-]+\.[a-z]{2,})(?:/[^\s)\]>가-힣]*)?", re.IGNORECASE)
_EMAIL = re.compile(r"[\w.+-]+@([\w-]+(?:\.[\w-]+)+)")
_PATH = re.compile(
    r"(?<![\w/.~])(?:(?:~|\.{1,2})?/|[A-Za-z]:\\)[\w.@+~-]+(?:[/\\][\w.@+~-]+)*[/\\]?"
    r"|(?<![\w/.~])[\w.@+-]+(?:/[\w.@+-]+){2,}/?"
    r"|(?<![\w/.~])[\w@+-]+/[\w@+-]+\.[a-z]{1,5}\b"
)
_SECRET = re.compile(r"\b(?=[0-9a-fA-F-]*\d)(?=[0-9a-fA-F-]*[a-fA-F])[0-9a-fA-F]{7,}(?:-[0-9a-fA-F]{4,})*\b")
_DATE_LIKE = re.compile(r"^\d+(?:/\d+)+$")
_GREETED = re.compile(
    r"(?:\b(?:hey|hi|okay|ok|hello)|헤이|하이|오케이|헤|야)[\s,.!~\-*_]*(?:jarvis|자비스)(?:'s)?",
    re.IGNORECASE,
)
_NAMED = re.compile(r"jarvis(?:'s)?|자비스", re.IGNORECASE)
_DROPPED = re.compile(r"(?<!\d)~|~(?!\d)|[*_#`|<>{}\[\]()«»「」『』【】^\\=]+")
_APOSTROPHE = re.compile(r"(?<=[A-Za-z])[’ʼ](?=[A-Za-z])")
_QUOTES = re.compile(r"[\"“”„‘’]+|(?<![A-Za-z])'|'(?![A-Za-z])")
_DASH = re.compile(r"\s+[-–—]+\s+|[→⇒➜•·…]+|\s*[;:](?=\s|$)")
_SIGNS = re.compile(r"(?<=[\w)%]) ([=+×÷]) (?=[\w(])")
_SIGN_WORDS = {
    Language.KOREAN: {"=": "은", "+": "더하기", "×": "곱하기", "÷": "나누기"},
    Language.ENGLISH: {"=": "equals", "+": "plus", "×": "times", "÷": "divided by"},
}
_SPACES = re.compile(r"\s+")


def language_of(text: str, otherwise: Language) -> Language:
    """The language whose voice must read ``text``: Hangul is Korean, Latin letters alone are English."""
    if has_hangul(text):
        return Language.KOREAN
    return Language.ENGLISH if any("a" <= sign <= "z" for sign in text.lower()) else otherwise


def spoken_form(sentence: str, language: Language) -> str:
    """``sentence`` as it is said; empty when nothing of it can be said.

    language: the voice for a sentence without letters of its own.
    """
    language = language_of(sentence, language)
    text = _TAG.sub(" ", html.unescape(_LINK.sub(r"\1", _IMAGE.sub(r"\1", sentence))))
    text = _CODE.sub(lambda m: _code_words(m[1], language), text)
    text = _PATH.sub(_base_name, _EMAIL.sub(r"\1", _without_addresses(text, language)))
    text = _DASH.sub(", ", _APOSTROPHE.sub("'", _SECRET.sub(" ", text)))
    text = _SIGNS.sub(lambda m: f" {_SIGN_WORDS[language][m[1]]} ", text)
    text = _DROPPED.sub(" ", _QUOTES.sub("", _without_pictures(text)))
    # Last, when no mark or invisible sign can stand inside the phrase any more.
    text = _without_wake_phrase(text, language)
    if language is Language.KOREAN:
        text = _korean_words(text)
    return _tidied(text)


def _without_addresses(text: str, language: Language) -> str:
    link = r"\1 링크" if language is Language.KOREAN else r"\1"
    return _BARE_URL.sub(link, _URL.sub(link, text))


def _code_words(code: str, language: Language) -> str:
    if _PLAIN_CODE.fullmatch(code.strip()):
        return code.strip()
    return "화면의 코드" if language is Language.KOREAN else "the code on the screen"


def _base_name(match: re.Match[str]) -> str:
    path = match[0]
    if _DATE_LIKE.match(path):
        return path
    end = "." if path.endswith(".") else ""
    return re.split(r"[/\\]", path.rstrip("/\\."))[-1] + end


def _without_wake_phrase(text: str, language: Language) -> str:
    """Our own voice must not say what wakes us: the microphone is open while it plays."""
    phrase, name = (
        ("호출어", "도우미") if language is Language.KOREAN else ("the wake phrase", "your assistant")
    )
    return _NAMED.sub(name, _GREETED.sub(phrase, text))


def _without_pictures(text: str) -> str:
    kept = (
        sign
        for sign in text
        if unicodedata.category(sign) not in {"So", "Sk", "Cs", "Co", "Cn", "Cc", "Cf"}
        or sign in "°℃\n\t" + JOINT
    )
    return "".join(kept)


def _korean_words(text: str) -> str:
    # The joint marks where a particle has to be chosen anew: behind a number and behind a Latin word.
    joined = re.sub(r"(?<=\d)(?=[가-힣])", JOINT, text)
    joined = re.sub(rf"{JOINT}(?!(?:을|를|은|는|이|가|과|와|으로|로)(?:[^가-힣]|$))", "", joined)
    return fitting_particles(korean_latin(korean_numbers(joined)))


def _tidied(text: str) -> str:
    text = _SPACES.sub(" ", text)
    text = re.sub(r"\s+([,.!?])", r"\1", text)
    text = re.sub(r"([,.!?])(?:\s*,)+", r"\1", text).strip(" ,")
    return text if any(sign.isalnum() for sign in text) else ""

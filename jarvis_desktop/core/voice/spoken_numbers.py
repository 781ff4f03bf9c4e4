"""Numbers of a Korean sentence in the words that people say: 파일 세 개, 삼십 초, 삼 점 일사.

English needs none of this: its voices read digits well.
"""

import re

_DIGITS = "영일이삼사오육칠팔구"
_SMALL = ("", "십", "백", "천")
_LARGE = ("", "만", "억", "조")
_TENS = ("", "열", "스물", "서른", "마흔", "쉰", "예순", "일흔", "여든", "아흔")
_ONES = ("", "한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉")
_MOST = 10**16

_NATIVE_UNITS = (
    "시간", "군데", "사람", "그루", "켤레", "송이", "자루", "가지", "마리", "봉지", "방울", "그릇", "조각",
    "차례", "줄",
    "개", "명", "번", "장", "시", "살", "권", "병", "잔", "대", "채", "곳", "달", "건", "통", "편", "벌",
    "배", "척",
)  # fmt: skip
# Words that begin like a native unit and count in Sino-Korean, or are no unit at all.
_NOT_NATIVE = "개월|개년|개국|달러|번지|번호|시스템|시작|시즌|대학|장면|배럴|건물|편지|통신"
_NATIVE = re.compile(rf"(?<![\d.,])(\d{{1,2}}) ?(?!{_NOT_NATIVE})({'|'.join(_NATIVE_UNITS)})")
_UNITS = {
    "%": "퍼센트", "％": "퍼센트", "TB": "테라바이트", "GB": "기가바이트", "MB": "메가바이트",
    "KB": "킬로바이트",
    "kB": "킬로바이트", "km": "킬로미터", "cm": "센티미터", "mm": "밀리미터", "kg": "킬로그램",
    "ms": "밀리초",
    "GHz": "기가헤르츠", "MHz": "메가헤르츠", "kHz": "킬로헤르츠", "Hz": "헤르츠", "dB": "데시벨",
    "px": "픽셀",
    "°C": "도", "℃": "도", "°": "도", "fps": "프레임", "m": "미터", "g": "그램", "s": "초", "$": "달러",
    "₩": "원",
}  # fmt: skip
_UNIT = re.compile(rf"(\d) ?({'|'.join(sorted(map(re.escape, _UNITS), key=len, reverse=True))})(?![A-Za-z])")
_MONEY = re.compile(r"([$₩])\s?(\d[\d,]*(?:\.\d+)?)")
_DATE = re.compile(r"(?<!\d)(\d{4})[-./] ?(\d{1,2})[-./] ?(\d{1,2})(?!\d)\.?")
_TIME = re.compile(r"(?<![\d:])([01]?\d|2[0-4]):([0-5]\d)(?![\d:])")
_RANGE = re.compile(rf"(\d+) ?[~∼–] ?(\d+) ?({'|'.join(_NATIVE_UNITS)}|분|초|일|월|년|원|%)")
_ONE_BY_ONE = re.compile(
    r"(?<!\d)(\d{2,4}-\d{3,4}-\d{4}|0\d+)(?![\d.])|((?:포트|코드|아이디|ID|id) ?[:#]? ?)(\d{3,})"
)
_NUMBER = re.compile(r"(?<![A-Za-z\d])(-)?(\d[\d,]*)((?:\.\d+)*)")
_MONTHS = {"육월": "유월", "십월": "시월"}


def sino(number: int) -> str:
    """``number`` in Sino-Korean: 0 is 영, 12345 is 만 이천삼백사십오.

    Raises:
        ValueError: negative, or too large to be said (10^16 and up).
    """
    if not 0 <= number < _MOST:
        raise ValueError(f"{number} is not between 0 and 10^16")
    if number == 0:
        return _DIGITS[0]
    groups: list[str] = []
    for large in _LARGE:
        number, group = divmod(number, 10_000)
        if group:
            # 만 for 10,000, but 일억 and 일조.
            words = "" if group == 1 and large == "만" else _below_ten_thousand(group)
            groups.append(words + large)
    return " ".join(reversed(groups))


def native(number: int) -> str:
    """``number`` as it stands before a native counter: 1 is 한, 20 is 스무, 21 is 스물한.

    Raises:
        ValueError: not between 1 and 99.
    """
    if not 1 <= number <= 99:
        raise ValueError(f"{number} is not between 1 and 99")
    tens, ones = divmod(number, 10)
    return "스무" if number == 20 else _TENS[tens] + _ONES[ones]


def one_by_one(digits: str) -> str:
    """Digits singly, 0 as 공: telephone numbers, codes, ports."""
    return " ".join("공" if digit == "0" else _DIGITS[int(digit)] for digit in digits if digit.isdigit())


def korean_numbers(sentence: str) -> str:
    """``sentence`` with every number in words."""
    text = _MONEY.sub(lambda m: f"{m[2]} {_UNITS[m[1]]}", sentence)
    text = _DATE.sub(lambda m: f"{m[1]}년 {int(m[2])}월 {int(m[3])}일", text)
    text = _TIME.sub(_time_words, text)
    text = _RANGE.sub(r"\1\3에서 \2\3", text)
    text = _ONE_BY_ONE.sub(lambda m: (m[2] or "") + one_by_one(m[1] or m[3]), text)
    text = _UNIT.sub(lambda m: f"{m[1]} {_UNITS[m[2]]}", text)
    text = _NATIVE.sub(lambda m: f"{native(int(m[1]))} {m[2]}" if int(m[1]) else m[0], text)
    text = _NUMBER.sub(_number_words, text)
    return re.sub(r"육월|십월(?![가-힣])", lambda m: _MONTHS[m[0]], text)


def _below_ten_thousand(group: int) -> str:
    words = ""
    for place, digit in enumerate(reversed(str(group))):
        if digit != "0":
            words = ("" if digit == "1" and place else _DIGITS[int(digit)]) + _SMALL[place] + words
    return words


def _time_words(match: re.Match[str]) -> str:
    hour, minute = int(match[1]), int(match[2])
    said = f"{native(hour) if hour else '영'} 시"
    return f"{said} {sino(minute)} 분" if minute else said


def _number_words(match: re.Match[str]) -> str:
    whole = match[2].replace(",", "")
    trailing = "," if match[2].endswith(",") else ""
    said = sino(int(whole)) if int(whole) < _MOST else one_by_one(whole)
    for part in match[3].split(".")[1:]:
        said += " 점 " + "".join(_DIGITS[int(digit)] for digit in part)
    return ("마이너스 " if match[1] else "") + said + trailing

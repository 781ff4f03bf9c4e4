"""Latin words inside a Korean sentence in Hangul, and the particle that fits a spoken word."""

import re
from collections.abc import Mapping
from string import ascii_lowercase
from types import MappingProxyType

_LETTER_NAMES = (
    "에이 비 씨 디 이 에프 지 에이치 아이 제이 케이 엘 엠 엔 오 피 큐 알 에스 티 유 브이 더블유 엑스 와이 지"
)
LETTERS = dict(zip(ascii_lowercase, _LETTER_NAMES.split(), strict=True))
_TABLE = """
db 디비 | readme 리드미 | docker 도커 | python 파이썬 | java 자바 | javascript 자바스크립트 |
typescript 타입스크립트 | linux 리눅스 | windows 윈도우 | mac 맥 | macos 맥 오에스 | ubuntu 우분투 |
debian 데비안 | git 깃 | github 깃허브 | gitlab 깃랩 | commit 커밋 | push 푸시 | pull 풀 |
merge 머지 | branch 브랜치 | main 메인 | master 마스터 | release 릴리스 | tag 태그 | clone 클론 |
diff 디프 | rebase 리베이스 | stash 스태시 | status 스테이터스 | log 로그 | test 테스트 |
tests 테스트 | build 빌드 | run 런 | server 서버 | client 클라이언트 | data 데이터 |
database 데이터베이스 | table 테이블 | query 쿼리 | index 인덱스 | json 제이슨 | yaml 야믈 |
xml 엑스엠엘 | html 에이치티엠엘 | css 씨에스에스 | file 파일 | files 파일 | folder 폴더 |
directory 디렉터리 | backup 백업 | download 다운로드 | upload 업로드 | install 인스톨 |
update 업데이트 | upgrade 업그레이드 | version 버전 | bash 배시 | shell 셸 | terminal 터미널 |
root 루트 | admin 어드민 | user 유저 | password 패스워드 | token 토큰 | key 키 | email 이메일 |
mail 메일 | web 웹 | browser 브라우저 | chrome 크롬 | firefox 파이어폭스 | google 구글 |
youtube 유튜브 | wifi 와이파이 | wi-fi 와이파이 | bluetooth 블루투스 | usb 유에스비 | cpu 씨피유 |
gpu 지피유 | ram 램 | ssd 에스에스디 | ok 오케이 | hello 헬로 | error 에러 | warning 워닝 | bug 버그 |
debug 디버그 | config 컨피그 | settings 세팅 | option 옵션 | package 패키지 | module 모듈 |
class 클래스 | function 함수 | library 라이브러리 | framework 프레임워크 | react 리액트 | node 노드 |
django 장고 | flask 플라스크 | rust 러스트 | go 고 | kotlin 코틀린 | swift 스위프트 | sql 에스큐엘 |
sqlite 에스큐엘라이트 | redis 레디스 | nginx 엔진엑스 | kubernetes 쿠버네티스 | aws 에이더블유에스 |
cloud 클라우드 | model 모델 | ollama 올라마 | whisper 위스퍼 | gemma 젬마 | qwen 큐엔 | llama 라마 |
prompt 프롬프트 | agent 에이전트 | chat 챗 | todo 투두 | memo 메모 | note 노트 | notes 노트 |
report 리포트 | project 프로젝트 | src 소스 | docs 독스 | tmp 템프 | temp 템프 | cache 캐시 |
env 이엔브이 | etc 이티씨 | home 홈 | desktop 데스크톱 | documents 다큐먼츠 | downloads 다운로드 |
reset 리셋 | force 포스 | origin 오리진 | make 메이크 | find 파인드 | new 뉴 | head 헤드 |
pictures 픽처 | music 뮤직 | video 비디오
"""
WORDS: Mapping[str, str] = MappingProxyType(
    dict(" ".join(entry.split()).split(" ", 1) for entry in _TABLE.split("|"))
)
FILE_KINDS = {
    "md": "엠디", "txt": "텍스트", "py": "파이", "json": "제이슨", "yaml": "야믈", "yml": "야믈",
    "csv": "씨에스브이",
    "pdf": "피디에프", "jpg": "제이피지", "png": "피엔지", "wav": "웨이브", "log": "로그",
    "html": "에이치티엠엘", "sh": "에스에이치",
    "zip": "집", "toml": "토믈", "js": "제이에스", "ts": "티에스", "docx": "워드", "xlsx": "엑셀",
    "conf": "컨프", "db": "디비",
}  # fmt: skip
_FILE_NAME = re.compile(rf"(?<![\w.])([\w\-]+)\.({'|'.join(FILE_KINDS)})(?: 파일)?(?![A-Za-z0-9])")
_WORD = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)?")
_MOST_LETTERS = 5
"""An unknown word in capitals is spelt out up to this length."""

_PAIRS = (
    ("을", "를"),
    ("은", "는"),
    ("이", "가"),
    ("과", "와"),
    ("으로", "로"),
    ("이라", "라"),
    ("이나", "나"),
)
_PARTICLES = {form: pair for pair in _PAIRS for form in pair}
_MARKED = re.compile(
    r"([가-힣A-Za-z])\u2060+(으로|이라|이나|을|를|은|는|이|가|과|와|로|라|나)(?=[는고도만]?(?:[^가-힣]|$))"
)
JOINT = "\u2060"
"""Set between a replaced word and what follows it; the particle behind it is chosen anew."""


def fitting_particles(text: str) -> str:
    """Particles behind a ``JOINT`` as the spoken last syllable wants them: API를, 삼을, 리드미를."""
    return _MARKED.sub(lambda m: m[1] + particle(m[1], m[2]), text).replace(JOINT, "")


def open_particles(text: str) -> str:
    """을(를), (으)로 … that ``korean_particles`` left open behind a ``JOINT``, to be chosen when spoken."""
    text = text.replace("(으)로", JOINT + "으로")
    return re.sub(r"(을|를|은|는|이|가|과|와)\((?:을|를|은|는|이|가|과|와)\)", JOINT + r"\1", text)


def particle(word: str, written: str) -> str:
    """The form of the particle ``written`` that fits behind ``word``.

    A Latin word is taken as Koreans read it: closed behind l, m and n, open otherwise.
    """
    closed_form, open_form = _PARTICLES[written]
    last = word[-1].lower()
    coda = (ord(last) - ord("가")) % 28 if "가" <= last <= "힣" else {"l": 8, "m": 16, "n": 4}.get(last, 0)
    if written in ("으로", "로") and coda == 8:  # behind ㄹ it is 로: 서울로
        return open_form
    return closed_form if coda else open_form


def korean_latin(sentence: str) -> str:
    """``sentence`` with known Latin words and acronyms in Hangul, each followed by a ``JOINT``.

    Unknown words stay: the Korean voice of espeak-ng reads Latin letters by English rules.
    """
    named = _FILE_NAME.sub(lambda m: f"{m[1]} {FILE_KINDS[m[2]]} 파일{JOINT}", sentence)
    return _WORD.sub(_hangul_word, named)


def _hangul_word(match: re.Match[str]) -> str:
    word = match[0]
    known = WORDS.get(word.lower())
    if known is None and word.isupper() and len(word) <= _MOST_LETTERS:
        known = "".join(LETTERS[letter] for letter in word.lower())
    return word if known is None else known + JOINT

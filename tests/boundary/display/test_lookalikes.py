"""Which words are marked, and why; and that ordinary text in many scripts is not."""

from __future__ import annotations

import pytest

from checkrail.boundary.display.visible_text import visible


def notes(text: str) -> dict[str, str]:
    """Each marked word and the reasons, without the list of characters."""
    return {span.text: span.note.partition(": ")[0] for span in visible(text) if span.kind == "lookalike"}


@pytest.mark.parametrize(
    ("text", "word", "reason"),
    [
        ("pay раypal now", "раypal", "mixes CYRILLIC and LATIN"),
        ("https://раypal.com/login", "раypal", "mixes CYRILLIC and LATIN"),
        ("αpple", "αpple", "mixes GREEK and LATIN"),
        ("Ꭰlice", "Ꭰlice", "mixes CHEROKEE and LATIN"),
        ("oрен ԛ", "oрен", "mixes CYRILLIC and LATIN"),
        ("fiіle_name", "fiіle", "mixes CYRILLIC and LATIN"),
        ("aαаա", "aαаա", "mixes ARMENIAN and CYRILLIC and GREEK and LATIN"),
        ("/etc/раsswd", "раsswd", "mixes CYRILLIC and LATIN"),
        ("аррӏе.com", "аррӏе", "CYRILLIC letters in a name of ASCII letters"),
        ("user@аррӏе.com", "аррӏе", "CYRILLIC letters in a name of ASCII letters"),
        ("C:\\Usеrs\\ехес.bat", "ехес", "CYRILLIC letters in a name of ASCII letters"),
        ("a=ορ", "ορ", "GREEK letters in a name of ASCII letters"),
        ("comノlogin.example", "ノ", "East Asian letters between ASCII ones"),
        ("example．com/a.b", "．", "looks like ASCII"),
        ("ｐａｙｐａｌ", "ｐａｙｐａｌ", "looks like ASCII"),
        ("𝐩𝐚𝐲", "𝐩𝐚𝐲", "looks like ASCII"),
        ("𝟏𝟎", "𝟏𝟎", "looks like ASCII"),
        ("１", "１", "looks like ASCII"),
        ("ｐay", "ｐay", "mixes FULLWIDTH and LATIN, looks like ASCII"),
        ("1٢3", "1٢3", "mixes digits of different systems"),
        ("1２", "1２", "mixes digits of different systems, looks like ASCII"),
        ("cafe\u0301", "cafe\u0301", "not in normal form C"),
        ("=\u0338", "=\u0338", "not in normal form C"),
        ("\u212a", "\u212a", "not in normal form C"),
        ("a\u037eb", "\u037e", "not in normal form C"),
        ("\u1112\u1161\u11ab", "\u1112\u1161\u11ab", "not in normal form C"),
    ],
)
def test_marked(text: str, word: str, reason: str) -> None:
    assert notes(text)[word] == reason


def test_a_hidden_character_does_not_divide_a_word() -> None:
    found = [(span.kind, span.text) for span in visible("р\u200bауpal, ра\u200bу.com 1\u200d٢")]
    assert found == [
        ("lookalike", "р"), ("hidden", "\\u{200B}"), ("lookalike", "ауpal"), ("text", ", "),
        ("lookalike", "ра"), ("hidden", "\\u{200B}"), ("lookalike", "у"), ("text", ".com "),
        ("lookalike", "1"), ("hidden", "\\u{200D}"), ("lookalike", "٢"),
    ]  # fmt: skip


@pytest.mark.parametrize("blank", [" ", "\n", "\t", "\r\n", "\x85", "\u00a0", "\u2009", "\u2028", "\u3000"])
def test_blanks_of_all_kinds_divide_words(blank: str) -> None:
    assert notes(f"слово{blank}word") == {}
    assert notes(f"слово{blank}a.word") == {}


def test_each_character_is_listed_once_and_the_list_is_bounded() -> None:
    (span,) = visible("раypаl")
    assert span.note.partition(": ")[2] == "U+0440 CYRILLIC SMALL LETTER ER, U+0430 CYRILLIC SMALL LETTER A"
    (span,) = visible("a" + "".join(map(chr, range(0x430, 0x450))))
    assert span.note.count("U+") == 16
    assert span.note.endswith(" and 16 more")
    (span,) = visible("a" + "".join(map(chr, range(0x430, 0x440))))
    assert " more" not in span.note
    assert span.note.isascii()


@pytest.mark.parametrize(
    "text",
    [
        "The quick brown fox, 1,234.56 (C:\\temp\\a_b.txt) https://example.com/?q=1#x user@example.org",
        "Straße, naïve façade, Łódź, İstanbul, Tiếng Việt có dấu; “quoted” don’t/won’t … €5.00 — ½ ²",
        "https://example.com/straße/café.html",
        "Съешь же ещё этих мягких французских булок. Санкт-Петербург, и/или, 2020г.",
        "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία.",
        "שָׁלוֹם עוֹלָם",
        "مَرْحَبًا بِالعَالَم ٠١٢٣",
        "नमस्ते दुनिया, क्षत्रिय १२३",
        "สวัสดีชาวโลก ที่นี่ กำลัง",
        "你好，世界！使用Python3.11写程序（见文档：https://example.com/a）。",
        "東京タワーはとても高い。Tシャツ、「カタカナ」とﾊﾝｶｸ、々々。user@example.comまで",
        "안녕하세요 세계. KBS뉴스 3시",
        "ქართული ენა, Հայերեն, ᏣᎳᎩ, ગુજરાતી, தமிழ், བོད་ཡིག, မြန်မာ, ខ្មែរ, አማርኛ",
        "👩 🇫🇷 ☃ → ≠ ∑ √2 × 3",
    ],
)
def test_ordinary_text_is_not_marked(text: str) -> None:
    assert [span for span in visible(text) if span.kind != "text"] == []

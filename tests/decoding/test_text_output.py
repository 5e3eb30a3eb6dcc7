import hashlib

from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.decoding.text_output import TextOutput

pieces = st.lists(st.binary(max_size=4) | st.sampled_from(["ab€", "€b", "😀"]).map(str.encode), max_size=6)


@settings(deadline=None, max_examples=300)
@given(pieces, st.lists(st.sampled_from(["ab", "€b", "b€b"]), max_size=2), st.booleans())
def test_nothing_is_lost_or_doubled(chunks: list[bytes], stop: list[str], fail: bool) -> None:
    output = TextOutput("fail" if fail else "replace", stop)
    sent, taken = "", b""
    for chunk in chunks:
        taken += chunk
        text = output.push(chunk)
        output.sent(text)
        sent += text
        if output.stop_string is not None or output.error is not None:
            break
    account = output.account()
    text = sent + account["held_text"]
    assert account["text_len"] == len(text)
    assert account["text_sha256"] == hashlib.sha256(text.encode()).hexdigest()
    pending = bytes.fromhex(account["held_hex"])
    if output.stop_string is not None:
        assert taken.decode("utf-8", "replace").startswith(text + output.stop_string)
    elif fail or output.replaced == 0:
        assert text.encode() + pending == taken
    else:
        assert text == taken[: len(taken) - len(pending)].decode("utf-8", "replace")


def test_close_whole_and_cut() -> None:
    for whole, text, held in ((True, "ab\ufffd", ""), (False, "ab", "e2")):
        output = TextOutput("replace", ["abc"])
        assert output.push(b"ab\xe2") == ""
        assert output.account()["held_text"] == "ab"
        assert output.close(whole=whole) == text
        output.sent(text)
        account = output.account()
        assert (account["held_text"], account["held_hex"], account["text_len"]) == ("", held, len(text))


def test_withheld_text_comes_before_held_text() -> None:
    output = TextOutput("replace", ["xy"])
    output.withhold(output.push(b"abx"))
    assert output.account()["held_text"] == "abx"
    assert output.length == 0

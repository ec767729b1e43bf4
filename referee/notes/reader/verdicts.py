"""Sentences that say how a game ended: plain ones, and others that only hold such words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from referee.game import End
from referee.game.file.ends import ends_in
from referee.notes.reader.tongues import in_english
from referee.rules import Termination

_FEW_WORDS = 12
"""Words of a sentence that may be the end of a game, at most."""

Names = Mapping[tuple[str, ...], str]
"""The words that name a side -> the side."""

_DOUBT = re.compile(
    r"\?|\b(?:not|never|if|would|could|(?:do|did|does|wo|ca|is|was)n't|don't|won't|can't|cannot|might|until|no|nearly"
    r"|almost|unless|declin\w+|refus\w+|nicht|kein\w*|wenn|ne|pas|jamais|niet|geen|não|nunca)\b",
    re.IGNORECASE,
)
_OFFERED = re.compile(
    r"\b(?:bietet?|angebot\w*|propose|offre|ofrezco|ofrece|offro|oferece|biedt?)\b|\boffer|\bsuggest|\bpropos"
    r"|\bthought about\b|\babout to\b|\bclos\w+ to\b",
    re.IGNORECASE,
)
_AGREED = re.compile(r"\b(?:accept\w*|agree\w*|drawn)\b|1/2", re.IGNORECASE)
_SILENT = re.compile(
    r"\b(?:did not|didn't|does not|has not|never) (?:answer|move|reply|write)\w*[^.!?]{0,80}?"
    r"\b(?:time(?: limit)?|limit|days?|weeks?)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"\s*(?:[.!;,:]+(?=\s|$)|\b(?:and|as|because|when|so|then|since)\b|\s-\s)\s*", re.IGNORECASE)
_LEAD = r"(?:(?:well|finally|now|here|today|at (?:this|that) point|after that) )?"
_WHEN = r"(?: (?:here|in round \d+|after .{1,40}|next day.*|by phone|by letter|on \w+day))?"
_GAME = r"(?: (?:the|this) (?:game|match))?"
_PLAIN = {
    Termination.RESIGNATION: rf"(?:W )?(?:has |have |had )?(?:resign(?:s|ed)?|resignation|concede[sd]?|gives? up"
    rf"|gave up|gives? in|gave in|surrender(?:s|ed)?){_GAME}(?: by W)?",
    Termination.TIMEOUT: rf"(?:W )?(?:has |have |had )?(?:lost|loses|lose){_GAME} (?:on|by) time"
    r"|(?:W )?(?:ran|runs) out of time|(?:W )?(?:is |was |has )?timed out|(?:W's? )?flag (?:fell|has fallen)"
    r"|time ?out(?: by W)?"
    r"|(?:W )?(?:exceeds|exceeded|overstepped) (?:the |their |his |her )?time(?: limit)?",
    Termination.AGREEMENT: r"(?:a )?(?:draw|tie|drawn|remis|1/2(?: ?- ?1/2)?)"
    r"|(?:a )?(?:draw|tie|remis) (?:was |is )?(?:agreed|accepted)"
    r"|(?:we|they|both)? ?(?:agreed?|settled?) (?:to |on |for )?(?:a )?(?:draw|tie)|agreed (?:draw|tie)"
    r"|(?:draw|drawn) by (?:mutual )?agreement"
    r"|(?:the )?game (?:is |was )?(?:drawn|a draw)|(?:the )?game (?:ended|ends) (?:in|as|with) a draw|agreement",
}
_WINNER = rf"W (?:has |have )?(?:wins?|won){_GAME}(?: (?:on|by) (?:time|resignation|timeout))?(?: against W)?"
_LOSER = rf"W (?:has |have )?(?:lost|loses|lose){_GAME}(?: against W)?"
_ADJUDICATED = re.compile(r"\badjudicat(?:ed|ion)\b", re.IGNORECASE)
_REPEATED = re.compile(r"\b(?:repetition|threefold)\b", re.IGNORECASE)
_COURTESY = re.compile(
    r"\b(?:thank\w*|thx|gg|(?:good|nice|great|fine|hard|close) (?:game|fight)|well played|good luck|have fun|bye"
    r"|cheers|regards|your (?:move|turn|go)|to (?:move|play|be continued)|over to you|danke|merci|gracias|grazie"
    r"|obrigad[oa]|bedankt)\b",
    re.IGNORECASE,
)
_OBJECT = r"(?!\s+(?:an?|my|your|his|her|their|the (?!game|match|party))\b)"
_TIME = r"\bon time\b|\btime(?: is|'s| was) (?:up|over)\b"
_LOOSE = re.compile(
    rf"\b(?:wins?|won|lost|loses)\b{_OBJECT}|\b(?:beats?|defeat(?:s|ed))\b|\bis the winner\b|\b(?:win|victory) for\b"
    rf"|\bforfeit(?:s|ed)?\b|\bdefault(?:s|ed)?\b|{_TIME}",
    re.IGNORECASE,
)
_WIN_FOR = re.compile(r"(?:win|victory) for (?:the )?(\w+)", re.IGNORECASE)


class EndVerdict(NamedTuple):
    """The ends that a sentence may speak of, the likeliest first; `is_plain` if it says nothing else."""

    ends: tuple[End, ...]
    is_plain: bool


def plain_words(text: str) -> str:
    """A text in English, with `did not answer in time` and the like as a loss on time."""
    return _SILENT.sub("lost on time", in_english(text))


def is_doubtful(text: str) -> bool:
    """True for a question, and for a text that denies something or is not certain of it."""
    return _DOUBT.search(text) is not None


def may_be_end(text: str) -> bool:
    """True for a sentence in any language that may be the end of a game: no comment, thanks, question or offer."""
    words = re.findall(r"[^\W\d_]{2,}", text)
    is_comment = not text[0].isalnum() or _COURTESY.search(text) is not None
    return 0 < len(words) <= _FEW_WORDS and not (is_comment or is_doubtful(text) or _OFFERED.search(text))


def speaks_of_end(text: str) -> bool:
    """True if a part of a text says that a game is over, in no question, and without `not`, `if` or an offer."""
    parts = re.split(r"(?<=[.!?;,])\s+|\bbut\b|\s-\s", plain_words(text))
    return any(
        bool(ends_in(part) or _LOOSE.search(part)) and not (is_doubtful(part) or _is_offer(part, text))
        for part in parts
    )


def _is_offer(text: str, together: str) -> bool:
    return _OFFERED.search(text) is not None and _AGREED.search(together) is None


def end_verdict(
    names: Names, text: str, author: str | None, sides: Sequence[str], together: str
) -> EndVerdict | None:
    """Find the ends that a sentence of an author, if known, may speak of; `together` is all after the last move.

    None if it speaks of none, or in a question or an offer.
    """
    text = " ".join(plain_words(text).split())
    if is_doubtful(text):
        return None
    if _REPEATED.search(text):
        return EndVerdict(tuple(End(Termination.REPETITION, side) for side in sides), is_plain=True)
    if _ADJUDICATED.search(text):
        return _adjudicated(names, text, author, sides)
    if _OFFERED.search(text) and _AGREED.search(text):
        return EndVerdict((End(Termination.AGREEMENT),), is_plain=True)
    plain = [_plain(names, clause.strip(" .!\"'()"), author, sides) for clause in _CLAUSE.split(text)]
    if found := sorted(filter(None, plain), key=len):
        return EndVerdict(found[0], is_plain=True)
    if _is_offer(text, together) or not speaks_of_end(text):
        return None
    return EndVerdict(tuple(_loose(names, text, author, sides)), is_plain=False)


@lru_cache(64)
def _patterns(words: tuple[str, ...]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    known = [*words, "i", "we", "you"]
    side = "|".join(sorted(map(re.escape, known), key=len, reverse=True))
    forms = [(str(how), said) for how, said in _PLAIN.items()] + [("winner", _WINNER), ("loser", _LOSER)]
    found = []
    for how, said in forms:
        whole = said.replace("W", f"(?:{side})")
        found.append((how, re.compile(rf"{_LEAD}(?:{whole}){_WHEN}", re.IGNORECASE)))
    return tuple(found)


def _plain(names: Names, clause: str, author: str | None, sides: Sequence[str]) -> tuple[End, ...]:
    words = tuple(" ".join(name) for name in names if len("".join(name)) > 1)
    how = next((how for how, pattern in _patterns(words) if clause and pattern.fullmatch(clause)), None)
    if how is None:
        return ()
    if how == Termination.AGREEMENT:
        return (End(Termination.AGREEMENT),)
    side = _side_in(names, clause, author, sides)
    if how in (Termination.RESIGNATION, Termination.TIMEOUT):
        if re.fullmatch(rf"{_LEAD}you\b.*", clause, re.IGNORECASE) and side is None:
            return ()
        return tuple(End(Termination(how), one) for one in ([side] if side else sides))
    if side is None or len(sides) != 2:
        return ()
    loser = _other(sides, side) if how == "winner" else side
    told = [one for one in ends_in(clause) if one in (Termination.RESIGNATION, Termination.TIMEOUT)]
    if re.search(r"\b(?:on|by) time\b", clause, re.IGNORECASE):
        told = [Termination.TIMEOUT]
    return tuple(End(one, loser) for one in told or (Termination.RESIGNATION, Termination.TIMEOUT))


def _adjudicated(names: Names, text: str, author: str | None, sides: Sequence[str]) -> EndVerdict:
    """An adjudication: won by the side that the sentence names as the winner, or drawn."""
    if re.search(r"\b(?:draw|drawn|tie)\b", text, re.IGNORECASE):
        return EndVerdict((End(Termination.ADJUDICATION),), is_plain=True)
    found = _WIN_FOR.search(text) or re.search(r"\b(\w+) (?:wins?|won)\b", text, re.IGNORECASE)
    initial = names.get((found[1].casefold(),)) if found and found[1].isupper() else None
    winner = initial or (_side_in(names, found[1], author, sides) if found else None)
    if winner is not None and len(sides) == 2:
        return EndVerdict((End(Termination.ADJUDICATION, _other(sides, winner)),), is_plain=True)
    losers: Sequence[str | None] = (None,) if len(sides) != 2 else sides if found else (None, *sides)
    return EndVerdict(tuple(End(Termination.ADJUDICATION, one) for one in losers), is_plain=True)


def _loose(names: Names, text: str, author: str | None, sides: Sequence[str]) -> Iterator[End]:
    """The possible ends in a sentence that says more than that."""
    hows = [one for one in ends_in(text) if one not in (Termination.ADJUDICATION, Termination.REPETITION)]
    side = _side_in(names, text, author, sides)
    if not hows and re.search(_TIME, text, re.IGNORECASE):
        hows = [Termination.TIMEOUT]
    for how in hows or (Termination.RESIGNATION, Termination.TIMEOUT):
        if how is Termination.AGREEMENT:
            yield End(how)
        else:
            yield from (End(how, one) for one in sorted(sides, key=lambda one: one != side))


def _other(sides: Sequence[str], side: str) -> str:
    return sides[1 - sides.index(side)]


def _side_in(names: Names, text: str, author: str | None, sides: Sequence[str]) -> str | None:
    """The first side that a sentence names, by a name of more than a letter; `I` and `you` are the author's words."""
    words = re.findall(r"[^\W_]+", text.casefold())
    for place, word in enumerate(words):
        if author in sides and word in ("i", "we", "you") and len(sides) == 2:
            return _other(sides, str(author)) if word == "you" else author
        for length in (3, 2, 1):
            label = tuple(words[place : place + length])
            if label in names and len("".join(label)) > 1:
                return names[label]
    return None

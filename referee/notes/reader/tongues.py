"""Words of other languages for sides, boards and ends of games, and what they are in English."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from referee.rules.frozen import Frozen

SIDES = Frozen(
    {
        "south": "süd süden sued sueden sud sur zuid sul syd południe юг",
        "north": "nord norden norte noord północ север",
        "blue": "blau bleu azul blu blauw blå niebieski niebieskie синий синие",
        "red": "rot rouge rojo rojas rosso rood vermelho röd rød czerwony красный красные",
        "white": "weiß weiss blanc blancs blanco blancas bianco wit brancas vit hvid hvit",
        "black": "schwarz noir noirs negro negras nero zwart pretas svart sort",
    }
)
"""The word for a side in English -> in other languages."""

AMBIGUOUS = frozenset({"sur", "sort", "wit", "rot", "vit", "sul"})
"""Words for sides that may be others: they name one only with a colon behind them, or alone in a line or cell."""

_PHRASES = {
    "columns": r"spalten|colonnes|columnas|colonne|kolommen|colunas|kolumner|kolumn|столбцов",
    "rows": r"reihen|zeilen|rangées|rangees|lignes|filas|righe|rijen|linhas|fileiras|rader|рядов",
    "I resign": r"ich gebe auf|j'abandonne|me rindo|abandono|mi arrendo|ik geef op|eu desisto|desisto|jag ger upp"
    r"|сдаюсь",
    "resigns": r"gibt(?: die partie)? auf|hat(?: die partie)? aufgegeben|gab auf|aufgegeben|a abandonné|abandonne"
    r"|se rinde|ha abandonado|abandona|abandonó|si arrende|abbandona|ha abbandonato|geeft op|heeft opgegeven"
    r"|opgegeven|desiste|desistiu|abandonou|ger upp|gav upp|giver op|gir opp|opgiver|luovuttaa|poddaje się"
    r"|poddał się|vzdává|сда[её]тся|сдал(?:ся|ась)|投了|认输",
    "resignation": r"aufgabe|abandon|rendición|abbandono|opgave|desistência",
    "draw": r"(?:wir |sie )?einig(?:en|ten) (?:uns|sich) auf (?:ein )?(?:remis|unentschieden)"
    r"|remis (?:vereinbart|angenommen)"
    r"|(?:partie )?nulle(?: acceptée| par accord mutuel| par accord| d'un commun accord)?|match nul"
    r"|(?:tablas|empate)(?: por acuerdo| por acordo| de mutuo acuerdo| acordadas?)?"
    r"|patta(?: d'accordo| concordata)?|pareggio"
    r"|remise(?: overeengekomen)?|gelijkspel|unentschieden|oavgjort|uafgjort|uavgjort|tasapeli"
    r"|remíza|ничья|引き分け|和棋",
    "wins": r"hat(?: die partie)? gewonnen|gewinnt|gewann|a gagné|gagne|ha ganado|ganó|gana|ha vinto"
    r"|(?<=\w )vince|heeft gewonnen|wint|ganhou|venceu|ganha|vence|vann|vinner|vinder|vandt|vant|voittaa|wygrywa"
    r"|wygrał\w?|выигр(?:ал|ала|ывает)|победил\w?",
    "loses": r"hat(?: die partie)? verloren|verliert|verlor|a perdu|perd|ha perdido|perdió|pierde|ha perso|perde"
    r"|perdeu|verliest|heeft verloren|förlorar|taber|taper|häviää|przegrywa|przegrał\w?|проиграл\w?",
    "on time": r"durch zeit(?:überschreitung)?|auf zeit|au temps|por tiempo|per il tempo|op tijd|por tempo"
    r"|på tid",
    "by resignation": r"durch aufgabe|par abandon|por abandono|per abbandono|por desistência",
}
"""Phrases about boards and ends of games: English -> other languages, as a pattern."""

_SUPPOSITIONS = (
    r"would|could|might|maybe|perhaps|(?:I|we|you|he|she|they)[' ]?d|(?:what|how) (?:about|if)|thinking (?:of|about)"
    r"|thought (?:of|about)|(?:was|am|were|I[' ]?m) (?:going|tempted|about) to|(?:wanted|intended|meaning) to"
    r"|(?:should|shall) (?:I|we)|(?:almost|nearly) (?:played|moved|went|took)",
    r"würd(?:e|en|est)|wuerd(?:e|en|est)|könnt(?:e|en|est)|koennt(?:e|en|est)|wär(?:e|en)|waere|hätt(?:e|en)|haette"
    r"|vielleicht|eventuell|möglicherweise|was ist mit|(?:denke|dachte) an|überlege|wollte",
    r"\w{2,}erai[st]|pourrai[st]|voudrai[st]|mettrai[st]|aurai[st]|peut[- ]être|et si|que dirais"
    r"|je pensais|j[' ]allais",
    r"\w{2,}ría[sn]?|jugaria|podria|pondria|haria|habria|quizás?|quizas|tal vez|a lo mejor|qu[eé] tal|y si|iba a"
    r"|pensaba",
    r"\w{2,}erei|potrei|farei|vorrei|forse|magari|e se",
    r"zou(?:den)?|misschien|wat als",
    r"jogaria|poderia|faria|talvez|e se",
    r"skulle|kanske|kanskje|måske",
    r"może|\w+(?:ł|ła)bym|бы|может быть|возможно",
)
"""Words of a sentence about what could be played, a language each."""

_SUPPOSED = re.compile(rf"(?<!\w)(?:{'|'.join(_SUPPOSITIONS)})(?!\w)", re.IGNORECASE)


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE), said) for said, words in _PHRASES.items())


def in_english(text: str) -> str:
    """A text with the words of other languages for boards and ends of games in English."""
    for pattern, english in _patterns():
        text = pattern.sub(english, text)
    return text


def is_supposition(words: str) -> bool:
    """True for the words of a sentence about what could be played, in any of the languages."""
    return _SUPPOSED.search(words) is not None


def foreign_sides(sides: Mapping[str, str]) -> dict[str, str]:
    """The words of other languages -> the side, for words of the sides in English."""
    return {word: sides[english] for english, words in SIDES.items() if english in sides for word in words.split()}

"""The people of the story, each drawn by the look that `benchwright.yaml` gives them."""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from PIL import Image

from .canvas import Canvas

WIDTH, HEIGHT = 180, 190
FEET = 184
MIDDLE = 80
INK = "#2b2430"


class Look(NamedTuple):
    """Colours and build."""

    skin: str
    hair: str
    top: str
    legs: str
    shoes: str
    voice: str
    """Colour of the name and of the highlight."""
    skirt: bool = False
    broad: float = 0
    short: float = 0
    """By how much the head sits lower than an adult's."""


LOOKS = {
    "Vesna": Look("#e3b48f", "#5b4334", "#24375f", "#6a5a4c", "#d9a520", "#7fb2ff", broad=1),
    "Joonas": Look("#f0c8a4", "#c99b52", "#c8cfc4", "#4d5566", "#3a3333", "#9fe0b0", broad=-3),
    "Kasimir": Look("#dca583", "#e8e6e0", "#4b6b80", "#3f5666", "#33302e", "#ffb27a", broad=3, short=3),
    "Sunniva": Look("#ecc19b", "#b9803f", "#2f8f83", "#3d4b73", "#e9e4da", "#ff8f8f", broad=-4, short=12),
    "Henrike": Look("#edcdb4", "#f2f2f0", "#77638f", "#5a4a6c", "#332c38", "#d0a8ff", True, -1, 6),
    "Dorte": Look("#eab893", "#8d4a2f", "#b4544f", "#8f3f3f", "#3a2c2a", "#ffd36b", True, 6, 5),
    "Radovan": Look("#d8ab86", "#1f1c20", "#e2d7bf", "#4a4652", "#241f22", "#e8dcc0", broad=1),
    "Emeric": Look("#c58f68", "#4a4038", "#6f7d3f", "#3c4248", "#20242a", "#c7d86a", broad=2),
    "Mirela": Look("#b9825c", "#241a1a", "#e28a3b", "#394a57", "#5a2f2a", "#8fe05f", broad=-2, short=4),
}


@cache
def figure(name: str, talking: bool) -> Image.Image:
    """A person facing us, feet at `FEET`, middle at `MIDDLE`."""
    canvas, look = Canvas(WIDTH, HEIGHT, clear=True), LOOKS[name]
    BEHIND.get(name, nothing)(canvas, look)
    body(canvas, look)
    head(canvas, look, talking)
    DETAILS[name](canvas, look)
    return canvas.image()


def nothing(canvas: Canvas, look: Look) -> None:
    """Most people stand in front of nothing."""


def shade(colour: str, by: float = 0.8) -> str:
    return "#" + "".join(f"{int(int(colour[i : i + 2], 16) * by):02x}" for i in (1, 3, 5))


def body(canvas: Canvas, look: Look) -> None:
    shoulder, half = 72 + look.short, 20 + look.broad
    for side in (-1, 1):
        if not look.skirt:
            canvas.line([(MIDDLE + side * 9, 128), (MIDDLE + side * 10, FEET - 8)], look.legs, 14)
        else:
            canvas.line([(MIDDLE + side * 8, 160), (MIDDLE + side * 8, FEET - 6)], look.skin, 7)
        canvas.rect(MIDDLE + side * 11 - 9, FEET - 10, 18, 10, look.shoes, 4)
    if look.skirt:
        hem = half + 8
        canvas.poly(
            [(MIDDLE - half + 2, 118), (MIDDLE + half - 2, 118), (MIDDLE + hem, 164), (MIDDLE - hem, 164)], look.legs
        )
    for side in (-1, 1):
        canvas.line(
            [(MIDDLE + side * (half - 3), shoulder + 7), (MIDDLE + side * (half + 6), 120)], shade(look.top), 11
        )
        canvas.oval(MIDDLE + side * (half + 7), 126, 6, 6.5, look.skin)
    canvas.rect(MIDDLE - half, shoulder - 3, 2 * half, 133 - shoulder, look.top, 11)


def head(canvas: Canvas, look: Look, talking: bool) -> None:
    y = 46 + look.short
    canvas.rect(MIDDLE - 6, y + 12, 12, 16, shade(look.skin, 0.88), 4)
    canvas.oval(MIDDLE, y, 17.5, 19, look.skin)
    for side in (-1, 1):
        canvas.oval(MIDDLE + side * 17.5, y + 2, 3, 4.5, shade(look.skin, 0.93))
        canvas.oval(MIDDLE + side * 6.5, y - 1, 1.9, 2.4, INK)
        canvas.line([(MIDDLE + side * 3.5, y - 6.5), (MIDDLE + side * 10, y - 7)], shade(look.hair, 0.7), 1.6)
    canvas.line([(MIDDLE, y), (MIDDLE + 1.5, y + 4.5), (MIDDLE - 1, y + 5)], shade(look.skin, 0.75), 1.2)
    if talking:
        canvas.oval(MIDDLE, y + 10.5, 4.6, 3.6, "#7a2b2b")
    else:
        canvas.bow(MIDDLE, y + 5.5, 5.5, 35, 145, 1.4, "#7a3b36")


def hair(canvas: Canvas, look: Look, low: float = 0) -> None:
    """A cap of hair; `low` lets it reach further down beside the face."""
    y = 46 + look.short
    canvas.pie(MIDDLE, y - 2, 19.5, 20, 186, 354, look.hair)
    if low:
        for side in (-1, 1):
            canvas.rect(MIDDLE + side * 16.5 - 4, y - 6, 8, low, look.hair, 4)


def vesna(canvas: Canvas, look: Look) -> None:
    hair(canvas, look, 10)
    canvas.oval(MIDDLE + 2, 25, 8, 6.5, look.hair)
    canvas.rect(MIDDLE - 10, 66, 20, 9, shade(look.top, 1.25), 4)
    for y in (84, 92, 100):
        canvas.line([(MIDDLE - 18, y), (MIDDLE + 18, y)], shade(look.top, 1.35), 1.2)
    canvas.rect(MIDDLE - 20, 124, 40, 6, shade(look.top, 0.7), 3)
    for side in (-1, 1):
        canvas.rect(MIDDLE + side * 11 - 9, 160, 18, 24, look.shoes, 4)
        canvas.rect(MIDDLE + side * 11 - 9, 160, 18, 4, shade(look.shoes, 0.75), 2)


def joonas(canvas: Canvas, look: Look) -> None:
    hair(canvas, look)
    canvas.poly([(MIDDLE - 17, 36), (MIDDLE + 16, 33), (MIDDLE + 8, 26), (MIDDLE - 12, 27)], look.hair)
    canvas.line([(MIDDLE + 13, 38), (MIDDLE + 25, 44)], "#e0b030", 2.4)
    canvas.poly([(MIDDLE - 8, 69), (MIDDLE, 80), (MIDDLE + 8, 69)], "#ffffff")
    for side in (-1, 1):
        canvas.rect(MIDDLE + side * 13 - 4.5, 69, 9, 61, "#7c8f5a", 4)
        canvas.rect(MIDDLE + side * 10 - 9, 160, 18, 6, "#ff7a1a", 2)
        canvas.rect(MIDDLE + side * 10 - 9, 162, 18, 1.6, "#ffe9c9")
    canvas.rect(MIDDLE - 35, 108, 20, 24, "#8a3b2e", 2)
    canvas.rect(MIDDLE - 32, 112, 14, 4, "#e9d9b0")


def kasimir(canvas: Canvas, look: Look) -> None:
    y = 49
    for side in (-1, 1):
        canvas.rect(MIDDLE + side * 16 - 4, y - 8, 7, 14, look.hair, 3)
    canvas.pie(MIDDLE, y - 7, 21, 15, 180, 360, "#4a4036")
    canvas.rect(MIDDLE - 23, y - 10, 46, 5, "#3a322a", 2.5)
    canvas.pie(MIDDLE - 5, y + 9, 7, 5, 180, 360, look.hair)
    canvas.pie(MIDDLE + 5, y + 9, 7, 5, 180, 360, look.hair)
    for side in (-1, 1):
        canvas.rect(MIDDLE + side * 13 - 3.5, 73, 7, 36, "#2f4452", 2)
    canvas.rect(MIDDLE - 16, 104, 32, 26, "#2f4452", 4)
    canvas.line([(MIDDLE - 10, 72), (MIDDLE - 12, 88), (MIDDLE - 13, 95)], "#fff3c4", 1.4)
    canvas.line([(MIDDLE + 10, 72), (MIDDLE + 12, 88), (MIDDLE + 13, 95)], "#fff3c4", 1.4)
    for side in (-1, 1):
        canvas.oval(MIDDLE + side * 7, 97, 6.3, 5.6, "#d8f1ff")
        canvas.ring(MIDDLE + side * 7, 97, 6.6, 1.5, "#1d1a1a")
    canvas.line([(MIDDLE - 1, 96), (MIDDLE + 1, 96)], "#1d1a1a", 1.5)


def sunniva(canvas: Canvas, look: Look) -> None:
    y = 58
    hair(canvas, look, 16)
    canvas.line([(MIDDLE + 17, y + 4), (MIDDLE + 20, y + 20), (MIDDLE + 17, y + 38)], look.hair, 7)
    canvas.rect(MIDDLE + 13.5, y + 36, 8, 4, "#ffffff", 2)
    canvas.pie(MIDDLE, y - 5, 20, 19, 180, 360, "#d92b2b")
    canvas.rect(MIDDLE - 20, y - 9, 40, 5, "#a81e1e", 2)
    canvas.rect(MIDDLE - 29, y - 8, 24, 5, "#d92b2b", 2.5)
    canvas.oval(MIDDLE, y - 24, 3, 2.4, "#a81e1e")
    canvas.line([(MIDDLE, 84), (MIDDLE, 130)], shade(look.top, 0.7), 1.6)
    canvas.bow(MIDDLE + 26, 128, 8, 0, 360, 3, "#d8c08a")


def henrike(canvas: Canvas, look: Look) -> None:
    hair(canvas, look, 8)
    canvas.oval(MIDDLE, 31, 8.5, 7, look.hair)
    canvas.poly([(MIDDLE - 8, 75), (MIDDLE, 86), (MIDDLE + 8, 75)], "#f4ead8")
    canvas.line([(MIDDLE, 88), (MIDDLE, 128)], shade(look.top, 0.7), 1.6)
    canvas.rect(MIDDLE + 5, 93, 11, 12, shade(look.top, 0.78), 2)
    canvas.line([(MIDDLE + 10.5, 82), (MIDDLE + 10.5, 96)], "#2fbf4a", 3)
    canvas.line([(MIDDLE - 30, 126), (MIDDLE - 34, FEET - 2)], "#6a4326", 3.4)
    canvas.bow(MIDDLE - 35, 122, 6, 170, 380, 3.4, "#6a4326")
    canvas.oval(MIDDLE - 27, 127, 6, 6, look.skin)


def dorte(canvas: Canvas, look: Look) -> None:
    y = 51
    hair(canvas, look, 12)
    canvas.pie(MIDDLE, y - 4, 20.5, 19, 184, 356, "#f2e8d5")
    for x in (-11, -3, 5, 12):
        canvas.oval(MIDDLE + x, y - 13 + abs(x) * 0.3, 1.8, 1.8, "#c64b4b")
    for side in (-1, 1):
        canvas.oval(MIDDLE + side * 11, y + 6, 3.4, 2.4, "#e08a78")
    canvas.rect(MIDDLE - 15, 96, 30, 62, "#f7f2e6", 5)
    canvas.line([(MIDDLE - 14, 98), (MIDDLE - 10, 76)], "#f7f2e6", 3.4)
    canvas.line([(MIDDLE + 14, 98), (MIDDLE + 10, 76)], "#f7f2e6", 3.4)
    canvas.poly([(MIDDLE - 41, 122), (MIDDLE - 27, 120), (MIDDLE - 25, 152), (MIDDLE - 43, 149)], "#dfe9f5")
    for y in (130, 140):
        canvas.line([(MIDDLE - 41, y), (MIDDLE - 26, y)], "#3d74c2", 2)
    canvas.line([(MIDDLE + 33, 126), (MIDDLE + 40, 92)], "#9aa3ad", 3)
    canvas.oval(MIDDLE + 41, 88, 7, 6, "#9aa3ad")
    canvas.oval(MIDDLE + 41, 86.5, 5, 3.4, "#6f7882")


def radovan(canvas: Canvas, look: Look) -> None:
    hair(canvas, look)
    canvas.poly(
        [(MIDDLE - 18, 40), (MIDDLE - 18, 33), (MIDDLE + 14, 28), (MIDDLE + 19, 40), (MIDDLE + 4, 33)], look.hair
    )
    canvas.poly([(MIDDLE - 21, 110), (MIDDLE + 21, 110), (MIDDLE + 26, 164), (MIDDLE - 26, 164)], look.top)
    canvas.poly([(MIDDLE - 7, 68), (MIDDLE + 7, 68), (MIDDLE, 98)], "#ffffff")
    canvas.poly([(MIDDLE - 2.5, 71), (MIDDLE + 2.5, 71), (MIDDLE + 3, 90), (MIDDLE, 95), (MIDDLE - 3, 90)], "#2456a8")
    canvas.line([(MIDDLE - 8, 69), (MIDDLE, 100), (MIDDLE, 162)], shade(look.top, 0.75), 1.8)
    canvas.line([(MIDDLE + 8, 69), (MIDDLE, 100)], shade(look.top, 0.75), 1.8)
    for y in (112, 128):
        canvas.oval(MIDDLE + 6, y, 1.8, 1.8, "#7d7059")
    canvas.rect(MIDDLE - 44, 104, 25, 34, "#6d3b1f", 3)
    canvas.line([(MIDDLE - 42, 114), (MIDDLE - 21, 114)], "#4a2712", 1.8)
    canvas.oval(MIDDLE - 31.5, 115, 2.4, 2.4, "#e0b94f")
    canvas.oval(MIDDLE - 26, 127, 6, 6.5, look.skin)


def emeric(canvas: Canvas, look: Look) -> None:
    hair(canvas, look, 6)
    cape, dark = look.top, shade(look.top, 0.78)
    canvas.poly([(MIDDLE - 13, 66), (MIDDLE + 13, 66), (MIDDLE + 42, 150), (MIDDLE - 42, 150)], cape)
    canvas.pie(MIDDLE, 150, 42, 7, 0, 180, cape)
    for points in (
        [(MIDDLE, 74), (MIDDLE, 155)],
        [(MIDDLE - 12, 92), (MIDDLE - 23, 152)],
        [(MIDDLE + 12, 92), (MIDDLE + 23, 152)],
    ):
        canvas.line(points, dark, 1.8)
    canvas.oval(MIDDLE, 68, 17, 6, dark)
    canvas.pie(MIDDLE, 41, 22, 23, 180, 360, cape)
    canvas.bow(MIDDLE, 41, 21, 180, 360, 3, dark)
    canvas.rect(MIDDLE - 24, 38, 48, 4.5, dark, 2)
    canvas.oval(MIDDLE + 21, 121, 5.5, 6, look.skin)
    canvas.rect(MIDDLE + 12, 98, 21, 27, "#8a5a33", 2)
    canvas.rect(MIDDLE + 14, 101, 17, 22, "#fbf7ea")
    for y in (106, 111, 116):
        canvas.line([(MIDDLE + 16, y), (MIDDLE + 29, y)], "#777777", 1)


def bicycle(canvas: Canvas, look: Look) -> None:
    green = "#2fa84f"
    for x in (74, 136):
        canvas.ring(x, 160, 24, 3, "#2a2a2e")
        canvas.oval(x, 160, 3, 3, "#2a2a2e")
    canvas.line([(74, 160), (92, 126), (124, 126), (136, 160)], green, 4.5)
    canvas.line([(92, 126), (104, 160), (124, 126)], green, 4.5)
    canvas.line([(74, 160), (104, 160)], green, 4.5)
    canvas.line([(124, 126), (120, 112), (134, 110)], "#44444a", 3.5)
    canvas.line([(84, 118), (98, 118)], "#3a2a22", 5)


def mirela(canvas: Canvas, look: Look) -> None:
    hair(canvas, look, 24)
    canvas.pie(MIDDLE, 44, 19, 15, 186, 354, look.hair)
    canvas.rect(MIDDLE - 13, 70, 26, 9, "#f3e2a0", 4)
    canvas.rect(MIDDLE + 4, 74, 8, 28, "#f3e2a0", 3)
    canvas.rect(MIDDLE - 34, 108, 17, 22, "#fffdf4", 2)
    for y in (113, 118, 123):
        canvas.line([(MIDDLE - 31, y), (MIDDLE - 20, y)], "#8a8a8a", 1)
    canvas.line([(MIDDLE - 18, 122), (MIDDLE - 10, 106)], "#d4472f", 2.4)


BEHIND: dict[str, Callable[[Canvas, Look], None]] = {"Mirela": bicycle}
DETAILS: dict[str, Callable[[Canvas, Look], None]] = {
    "Vesna": vesna,
    "Joonas": joonas,
    "Kasimir": kasimir,
    "Sunniva": sunniva,
    "Henrike": henrike,
    "Dorte": dorte,
    "Radovan": radovan,
    "Emeric": emeric,
    "Mirela": mirela,
}

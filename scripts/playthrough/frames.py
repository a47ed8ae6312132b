"""What a frame shows: the scene with its people, and over it caption, menu, signals and where in the play we are."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from .canvas import HEIGHT, WIDTH, font
from .people import FEET, LOOKS, MIDDLE, figure
from .places import place
from .timeline import DOWN, UP, Film, Menu, Scene, Shot, Signal, Told

GROUND = 254
NIGHT, CREAM, WHITE, GOLD = (16, 20, 34), "#f3ead6", "#ffffff", "#ffd257"
GREEN, RED = "#7df0a0", "#ff8d7d"
PANEL, GREY = "#2b3350", "#9aa0b4"
CAPTION = (12, 280, WIDTH - 12, 352)
BANNER = 156
"""Left of it the banner says where in the play we are."""
Box = tuple[int, int, int, int]
"""Left, top, width, height in pixels."""


class Look(NamedTuple):
    """All that a frame depends on."""

    scene: Scene
    focus: str | None = None
    talking: bool = False
    shot: Shot | None = None
    signals: tuple[Signal, ...] = ()
    menu: Menu | None = None
    lit: bool = False


def frames(film: Film) -> Iterator[Image.Image]:
    """Every frame in turn; equal frames are the same picture."""
    opening, closing = film.steps[0].shots[0].start, film.steps[-1].shots[-1].end
    first, last = film.steps[0].shots[0].scene, film.steps[-1].shots[-1].scene
    yield from [card(first, film.title, "A playthrough")] * opening
    for step in film.steps:
        yield from told(step)
    yield from [card(last, "Here this playthrough ends", film.title)] * (film.frames - closing)


def told(step: Told) -> Iterator[Image.Image]:
    for shot in step.shots:
        for frame in range(shot.start, shot.end):
            mouth = frame - shot.start < shot.talking and (frame - shot.start) % 2 == 0
            shown = tuple(signal for signal in step.signals if signal.start <= frame < signal.end)
            yield picture(Look(shot.scene, focus(shot), mouth, shot, shown))
    if step.menu:
        for frame in range(step.menu.start, step.menu.end):
            yield picture(Look(step.shots[-1].scene, menu=step.menu, lit=frame >= step.menu.lit))


def focus(shot: Shot) -> str | None:
    """Who speaks; or who acts, where a line begins with the name of somebody present."""
    first = shot.speaker or shot.text.split()[0]
    return first if first in shot.scene.people else None


@cache
def picture(look: Look) -> Image.Image:
    image = stage(look.scene, look.focus, look.talking, bool(look.shot and look.shot.speaker)).copy()
    if look.menu:
        menu(image, look.scene.protagonist, look.menu, look.lit)
    if look.shot:
        caption(image, look.shot)
    banner(image, look.scene)
    for signal, box in zip(look.signals, boxes(look.signals), strict=True):
        badge(image, signal.text, box)
    return image


@cache
def stage(scene: Scene, actor: str | None, talking: bool, speech: bool) -> Image.Image:
    """The people of a scene side by side; a mark over who acts or speaks, a bright edge round who speaks."""
    image = place(scene.place, scene.light).copy()
    for name, x in zip(scene.people, slots(len(scene.people)), strict=True):
        person = figure(name, talking and name == actor)
        at = (x - MIDDLE, GROUND - FEET)
        shadow(image, x)
        if name == actor and speech:
            glow(image, person, at, LOOKS[name].voice)
        image.paste(person, at, person)
        if name == actor:
            mark(image, x, at[1] + 14 + LOOKS[name].short, LOOKS[name].voice)
    return image


def slots(count: int) -> list[int]:
    """Where the middle of each of several people stands."""
    gap = min(190, 500 // max(count - 1, 1))
    return [round(WIDTH / 2 + gap * (index - (count - 1) / 2)) for index in range(count)]


def shadow(image: Image.Image, x: int) -> None:
    ImageDraw.Draw(image, "RGBA").ellipse([x - 30, GROUND - 5, x + 30, GROUND + 4], (0, 0, 0, 60))


def glow(image: Image.Image, person: Image.Image, at: tuple[int, int], colour: str) -> None:
    edge = person.getchannel("A").filter(ImageFilter.MaxFilter(7)).filter(ImageFilter.GaussianBlur(0.8))
    image.paste(colour, (at[0], at[1], at[0] + person.width, at[1] + person.height), edge)


def mark(image: Image.Image, x: int, y: int, colour: str) -> None:
    """A small arrow over a head."""
    ImageDraw.Draw(image).polygon([(x - 9, y - 14), (x + 9, y - 14), (x, y - 2)], colour, NIGHT)


def darker(image: Image.Image, by: float) -> Image.Image:
    return ImageChops.multiply(image.convert("RGB"), Image.new("RGB", image.size, (int(255 * by),) * 3))


def caption(image: Image.Image, shot: Shot) -> None:
    """The line in its box; speech in quotation marks, under the speaker's name."""
    draw = ImageDraw.Draw(image, "RGBA")
    draw.rounded_rectangle(CAPTION, 10, (*NIGHT, 226))
    words = f"“{shot.text}”" if shot.speaker else shot.text
    lines = wrap(words, CAPTION[2] - CAPTION[0] - 36, 20)
    middle = (CAPTION[1] + CAPTION[3]) / 2 + (3 if shot.speaker else 0)
    for index, line in enumerate(lines):
        y = middle + 26 * (index - (len(lines) - 1) / 2)
        draw.text((WIDTH / 2, y), line, WHITE if shot.speaker else CREAM, font(20), anchor="mm")
    if shot.speaker:
        label(draw, shot.speaker, LOOKS[shot.speaker].voice)


def label(draw: ImageDraw.ImageDraw, name: str, colour: str) -> None:
    width = round(font(17, "Bold").getlength(name)) + 24
    draw.rounded_rectangle([26, 266, 26 + width, 290], 8, colour)
    draw.text((26 + width / 2, 277.5), name, NIGHT, font(17, "Bold"), anchor="mm")


def wrap(words: str, width: int, size: int) -> list[str]:
    """Lines of about equal length, as few as fit."""
    face = font(size)
    count = int(-(-face.getlength(words) // width))
    while True:
        limit = face.getlength(words) / count
        while limit <= width:
            lines = fill(words, limit, size)
            if len(lines) <= count:
                return lines
            limit += 4
        count += 1


def fill(words: str, width: float, size: int) -> list[str]:
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        if font(size).getlength(longer) <= width or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def menu(image: Image.Image, protagonist: str, menu: Menu, lit: bool) -> None:
    """The options on one panel over the scene; when lit, the chosen one alone stands out."""
    draw, top = ImageDraw.Draw(image), menu_top(menu)
    draw.rounded_rectangle([56, top - 44, WIDTH - 56, top + 48 * len(menu.options) + 2], 12, NIGHT)
    draw.text((WIDTH / 2, top - 21), f"{protagonist} decides", LOOKS[protagonist].voice, font(22, "Bold"), anchor="mm")
    for index, (words, box) in enumerate(zip(menu.options, options(menu), strict=True)):
        chosen = lit and index == menu.choice
        x, y, width, height = box
        draw.rounded_rectangle([x, y, x + width, y + height], 9, GOLD if chosen else PANEL)
        colour = NIGHT if chosen else GREY if lit else WHITE
        face = font(19, "Bold" if chosen else "Medium")
        draw.text((x + width / 2, y + height / 2 - 0.5), words, colour, face, anchor="mm")
        if chosen:
            draw.polygon([(x + 14, y + 11), (x + 14, y + height - 11), (x + 26, y + height / 2)], NIGHT)


def menu_top(menu: Menu) -> int:
    return HEIGHT // 2 + 14 - 24 * len(menu.options)


def options(menu: Menu) -> list[Box]:
    """Where each option stands."""
    return [(70, menu_top(menu) + 48 * index, 500, 38) for index in range(len(menu.options))]


def banner(image: Image.Image, scene: Scene) -> None:
    draw = ImageDraw.Draw(image, "RGBA")
    words = f"Chapter {scene.chapter} · {scene.protagonist}"
    draw.rounded_rectangle([12, 10, 30 + font(15).getlength(words), 34], 8, (*NIGHT, 190))
    draw.text((21, 21.5), words, CREAM, font(15), anchor="lm")


def boxes(signals: Sequence[Signal]) -> list[Box]:
    """Where each signal's badge stands: from the upper right corner to the left, then in rows below."""
    placed: list[Box] = []
    right, top = WIDTH - 12, 10
    for signal in signals:
        width = round(badge_width(signal.text))
        if right - width < BANNER:
            right, top = WIDTH - 12, top + 38
        placed.append((right - width, top, width, 32))
        right -= width + 8
    return placed


def parts(text: str) -> tuple[str, str, str]:
    """Label, arrow and names of a signal."""
    arrow = UP if UP in text else DOWN
    before, _, after = text.partition(arrow)
    return before.strip(), arrow, after.strip()


def badge_width(text: str) -> float:
    before, _, after = parts(text)
    return 50 + font(18, "Bold").getlength(before) + (font(18).getlength(after) + 8 if after else 0)


def badge(image: Image.Image, text: str, box: Box) -> None:
    """A signal: its label, an arrow drawn green for up and red for down, and between whom."""
    draw, (x, y, width, height) = ImageDraw.Draw(image, "RGBA"), box
    before, arrow, after = parts(text)
    colour = GREEN if arrow == UP else RED
    draw.rounded_rectangle([x, y, x + width - 1, y + height - 1], 9, (*NIGHT, 235), colour, 2)
    draw.text((x + 12, y + height / 2), before, colour, font(18, "Bold"), anchor="lm")
    tip = x + 18 + font(18, "Bold").getlength(before)
    low, high = (y + height - 10, y + 9) if arrow == UP else (y + 10, y + height - 9)
    draw.polygon([(tip, low), (tip + 16, low), (tip + 8, high)], colour)
    draw.text((tip + 24, y + height / 2), after, WHITE, font(18), anchor="lm")


def card(scene: Scene, title: str, below: str) -> Image.Image:
    image = darker(stage(scene, None, False, False), 0.55)
    draw = ImageDraw.Draw(image)
    draw.text((WIDTH / 2, 158), title, WHITE, font(44 if len(title) < 20 else 32, "Bold"), anchor="mm")
    draw.text((WIDTH / 2, 204), below, GOLD, font(22), anchor="mm")
    return image

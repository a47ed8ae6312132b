"""Flat drawing: shapes given in pixels of the film, drawn three times as large and shrunk for smooth edges."""

from collections.abc import Sequence
from functools import cache

from PIL import Image, ImageDraw, ImageFont

SCALE = 3
WIDTH, HEIGHT = 640, 360
FONTS = "/usr/share/fonts/truetype/lato/Lato-{}.ttf"

Point = tuple[float, float]
Colour = str | tuple[int, ...]


@cache
def font(size: int, face: str = "Medium") -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(FONTS.format(face), size)


class Canvas:
    """A picture in the making. Opaque ones blend translucent colours; transparent ones (`clear`) do not."""

    def __init__(self, width: int = WIDTH, height: int = HEIGHT, clear: bool = False) -> None:
        self.size = (width, height)
        self._image = Image.new("RGBA" if clear else "RGB", (width * SCALE, height * SCALE))
        self._draw = ImageDraw.Draw(self._image, "RGBA")

    def image(self) -> Image.Image:
        return self._image.resize(self.size, Image.Resampling.LANCZOS)

    def rect(self, x: float, y: float, width: float, height: float, fill: Colour, round: float = 0) -> None:
        box = [x * SCALE, y * SCALE, (x + width) * SCALE - 1, (y + height) * SCALE - 1]
        self._draw.rounded_rectangle(box, round * SCALE, fill)

    def poly(self, points: Sequence[Point], fill: Colour) -> None:
        self._draw.polygon([(x * SCALE, y * SCALE) for x, y in points], fill)

    def oval(self, x: float, y: float, rx: float, ry: float, fill: Colour) -> None:
        self._draw.ellipse([(x - rx) * SCALE, (y - ry) * SCALE, (x + rx) * SCALE, (y + ry) * SCALE], fill)

    def ring(self, x: float, y: float, radius: float, width: float, colour: Colour) -> None:
        box = [(x - radius) * SCALE, (y - radius) * SCALE, (x + radius) * SCALE, (y + radius) * SCALE]
        self._draw.ellipse(box, None, colour, int(width * SCALE))

    def bow(self, x: float, y: float, radius: float, start: float, end: float, width: float, colour: Colour) -> None:
        """Part of a circle; angles in degrees, clockwise from three o'clock."""
        box = [(x - radius) * SCALE, (y - radius) * SCALE, (x + radius) * SCALE, (y + radius) * SCALE]
        self._draw.arc(box, start, end, colour, max(1, int(width * SCALE)))

    def pie(self, x: float, y: float, rx: float, ry: float, start: float, end: float, fill: Colour) -> None:
        box = [(x - rx) * SCALE, (y - ry) * SCALE, (x + rx) * SCALE, (y + ry) * SCALE]
        self._draw.pieslice(box, start, end, fill)

    def line(self, points: Sequence[Point], colour: Colour, width: float = 1) -> None:
        """A line with round ends."""
        scaled = [(x * SCALE, y * SCALE) for x, y in points]
        self._draw.line(scaled, colour, max(1, int(width * SCALE)), joint="curve")
        if width > 2:
            for x, y in (points[0], points[-1]):
                self.oval(x, y, width / 2, width / 2, colour)

    def fade(self, top: str, bottom: str, y: float, end: float) -> None:
        """A gradient over the whole width."""
        rows = int((end - y) * SCALE)
        ramp = Image.linear_gradient("L").resize((1, rows)).resize((self._image.width, rows))
        upper, lower = (Image.new("RGB", ramp.size, colour) for colour in (top, bottom))
        self._image.paste(Image.composite(lower, upper, ramp), (0, int(y * SCALE)))

    def text(self, x: float, y: float, words: str, size: int, colour: Colour, face: str = "Bold") -> None:
        """Lettering that belongs to the scene, centred."""
        self._draw.text((x * SCALE, y * SCALE), words, colour, font(size * SCALE, face), anchor="mm")

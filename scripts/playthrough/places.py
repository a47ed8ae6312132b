"""Where the story happens: a flat drawing for each place, in the light of the hour. People stand along y = 254."""

from collections.abc import Callable
from functools import cache

from PIL import Image

from .canvas import HEIGHT, WIDTH, Canvas

SKIES = {
    "dawn": ("#7fb0cf", "#fbd7a8"),
    "day": ("#8fc8e8", "#e6f4f5"),
    "rain": ("#74848f", "#b9c4c9"),
    "dusk": ("#3c4374", "#ef9e6d"),
    "night": ("#0b1530", "#2c4470"),
}
SEAS = {
    "dawn": ("#7fa9b8", "#3f7389"),
    "day": ("#6fb3cc", "#2f7f9f"),
    "rain": ("#7d929b", "#4a636e"),
    "dusk": ("#a8736b", "#3c4a6e"),
    "night": ("#24406a", "#0f2142"),
}
HOUSES = ("#c8553d", "#e9c46a", "#f2efe6", "#5b8e7d", "#d98f5c", "#8fa7bf", "#b5495b", "#f0dfb8")


@cache
def place(name: str, hour: str) -> Image.Image:
    canvas = Canvas()
    PLACES[name](canvas, hour)
    return canvas.image()


def sky(canvas: Canvas, hour: str, horizon: float) -> None:
    canvas.fade(*SKIES[hour], 0, horizon)
    if hour == "night":
        for index in range(40):
            canvas.oval(index * 173 % WIDTH, index * 61 % int(horizon - 30), 0.9, 0.9, "#dfe8ff")
    if hour in ("night", "dusk"):
        canvas.oval(430, 60, 19, 19, "#fdf3cf")
        canvas.oval(438, 55, 16, 16, "#202c56" if hour == "night" else "#6b5880")
    if hour == "dawn":
        canvas.oval(470, horizon - 12, 26, 26, "#fff0c9")
    if hour == "day":
        for x, y in ((120, 46), (390, 34), (540, 66)):
            canvas.oval(x, y, 34, 9, "#ffffffc0")
            canvas.oval(x + 18, y - 7, 20, 10, "#ffffffc0")


def sea(canvas: Canvas, hour: str, horizon: float, shore: float) -> None:
    canvas.fade(*SEAS[hour], horizon, shore)
    for index in range(26):
        x, y = index * 97 % WIDTH, horizon + 5 + index * 37 % int(shore - horizon - 6)
        canvas.line([(x, y), (x + 22, y)], "#ffffff38", 1.3)


def hills(canvas: Canvas, hour: str, horizon: float) -> None:
    far = {"dawn": "#8197a5", "day": "#7fa394", "rain": "#7a8891", "dusk": "#574f78", "night": "#142445"}[hour]
    canvas.poly([(0, horizon), (0, horizon - 34), (90, horizon - 56), (200, horizon - 22), (330, horizon)], far)
    canvas.poly([(380, horizon), (480, horizon - 26), (570, horizon - 48), (640, horizon - 30), (640, horizon)], far)


def rain(canvas: Canvas, hour: str) -> None:
    if hour == "rain":
        for index in range(70):
            x, y = index * 131 % WIDTH, index * 71 % 250
            canvas.line([(x, y), (x - 4, y + 13)], "#ffffff55", 1.1)


def planks(canvas: Canvas, top: float, light: str, dark: str) -> None:
    canvas.rect(0, top, WIDTH, HEIGHT - top, light)
    y, step = top, 7.0
    while y < HEIGHT:
        canvas.line([(0, y), (WIDTH, y)], dark, 1.6)
        y, step = y + step, step * 1.25


def houses(canvas: Canvas, left: float, right: float, base: float, hour: str) -> None:
    lit = "#ffe08a" if hour in ("night", "dusk") else "#54697a"
    x, index = left, 0
    while x < right:
        width, tall = 40 + index * 13 % 17, 44 + index * 29 % 33
        canvas.rect(x, base - tall, width, tall, HOUSES[index % len(HOUSES)])
        canvas.poly([(x - 3, base - tall), (x + width / 2, base - tall - 22), (x + width + 3, base - tall)], "#5a3a3a")
        for column in (0.2, 0.6):
            for row in range(int(tall // 24)):
                canvas.rect(x + width * column, base - tall + 8 + row * 22, 8, 11, lit)
        x, index = x + width + 3, index + 1


def ferry(canvas: Canvas, x: float, water: float) -> None:
    """The moored boat, bow to the right."""
    canvas.rect(x + 40, water - 74, 66, 48, "#f7f3ea", 3)
    canvas.rect(x + 34, water - 80, 78, 8, "#c8553d", 3)
    for step in range(3):
        canvas.rect(x + 48 + step * 18, water - 66, 13, 15, "#6f9db5", 2)
    canvas.poly([(x, water - 30), (x + 170, water - 36), (x + 142, water + 6), (x + 12, water + 6)], "#24507a")
    canvas.poly([(x, water - 30), (x + 170, water - 36), (x + 166, water - 28), (x + 1, water - 22)], "#f7f3ea")
    canvas.text(x + 82, water - 10, "HOVRA", 13, "#f7f3ea")


def boat(canvas: Canvas, hour: str) -> None:
    """On deck: wheelhouse, rail, life ring and engine box."""
    sky(canvas, hour, 150)
    hills(canvas, hour, 150)
    sea(canvas, hour, 150, 226)
    rain(canvas, hour)
    for y in (178, 200):
        canvas.line([(140, y), (640, y)], "#f4efe2", 4)
    for x in range(170, 640, 58):
        canvas.line([(x, 176), (x, 226)], "#f4efe2", 4)
    planks(canvas, 222, "#a87b50", "#8a6240")
    canvas.rect(14, 56, 132, 170, "#f4efe2", 3)
    canvas.rect(4, 46, 152, 14, "#c8553d", 4)
    canvas.rect(28, 76, 64, 50, "#ffdf8e" if hour in ("night", "dusk") else "#7fa9bd", 3)
    canvas.line([(60, 76), (60, 126)], "#f4efe2", 3)
    canvas.rect(104, 78, 32, 148, "#8a5a3a", 3)
    canvas.oval(130, 152, 2.4, 2.4, "#e8c860")
    canvas.ring(59, 168, 18, 8, "#e2472f")
    for start in (20, 110, 200, 290):
        canvas.bow(59, 168, 18, start, start + 26, 8, "#ffffff")
    canvas.rect(496, 186, 118, 52, "#4f6a58", 4)
    canvas.rect(490, 180, 130, 9, "#3d5546", 3)
    canvas.text(555, 213, "ENGINE", 13, "#c9d8c2")
    if hour in ("night", "dusk"):
        canvas.rect(0, 222, WIDTH, 138, "#0b153088" if hour == "night" else "#0b153044")
        canvas.oval(166, 88, 46, 46, "#ffe9a033")
        canvas.oval(166, 88, 22, 22, "#ffe9a066")
        canvas.oval(166, 88, 7, 7, "#fff6cf")


def cafe_front(canvas: Canvas, hour: str) -> None:
    canvas.rect(452, 62, 188, 158, "#f0dfb8")
    canvas.poly([(440, 64), (470, 30), (640, 30), (640, 64)], "#7a4a3c")
    canvas.rect(474, 112, 74, 62, "#ffe3a0" if hour in ("night", "dusk", "rain") else "#8fb4bf", 2)
    canvas.line([(511, 112), (511, 174)], "#ffffff", 3)
    canvas.rect(570, 110, 44, 110, "#8a3b2e", 2)
    for index in range(8):
        x = 466 + index * 12
        canvas.poly([(x, 96), (x + 12, 96), (x + 10, 114), (x - 2, 114)], "#c8443a" if index % 2 else "#ffffff")
    canvas.rect(478, 72, 86, 19, "#3d2b28", 3)
    canvas.text(521, 81, "CAFÉ", 14, "#ffe3a0")


def landing(canvas: Canvas, hour: str) -> None:
    """The quay of Ostervik: houses, the café, the ferry."""
    sky(canvas, hour, 190)
    hills(canvas, hour, 172)
    houses(canvas, 176, 440, 192, hour)
    cafe_front(canvas, hour)
    sea(canvas, hour, 190, 222)
    canvas.rect(182, 192, 458, 34, "#98958c")
    ferry(canvas, -6, 208)
    canvas.rect(0, 218, WIDTH, 142, "#b3aea3")
    for x in range(-20, 660, 74):
        canvas.line([(x, 218), (x - 30, 360)], "#9a958a", 1.6)
    canvas.line([(0, 262), (WIDTH, 262)], "#9a958a", 1.6)
    for x in (205, 330, 432):
        canvas.rect(x, 198, 15, 24, "#3b3d42", 5)
    rain(canvas, hour)


def cafe(canvas: Canvas, hour: str) -> None:
    """Inside Dorte's café: window table, counter, the shelf with the tea tin."""
    canvas.fade("#e7c48b", "#d9a766", 0, 222)
    canvas.rect(0, 168, WIDTH, 56, "#8f5d3b")
    for x in range(0, WIDTH, 32):
        canvas.line([(x, 168), (x, 224)], "#7b4d30", 1.6)
    canvas.rect(30, 52, 152, 100, "#f7efdf", 3)
    canvas.rect(37, 59, 138, 86, SKIES[hour][1])
    canvas.rect(37, 112, 138, 33, SEAS[hour][1])
    canvas.poly([(37, 114), (90, 92), (175, 114)], "#7fa394")
    canvas.poly([(120, 120), (166, 118), (158, 132), (126, 132)], "#24507a")
    canvas.line([(106, 59), (106, 145)], "#f7efdf", 4)
    canvas.rect(24, 184, 108, 8, "#5c3a28", 2)
    canvas.line([(78, 190), (78, 226)], "#5c3a28", 6)
    canvas.rect(52, 172, 16, 12, "#ffffff", 3)
    canvas.rect(330, 62, 270, 7, "#6b4229")
    canvas.rect(330, 108, 270, 7, "#6b4229")
    for index in range(9):
        canvas.rect(342 + index * 20, 92, 13, 16, ("#ffffff", "#9cc5d3", "#d98c7a")[index % 3], 3)
    canvas.rect(540, 76, 34, 32, "#2f6b4f", 3)
    canvas.rect(537, 73, 40, 7, "#24543e", 2)
    canvas.text(557, 94, "K", 19, "#ffe3a0")
    for index in range(11):
        canvas.rect(340 + index * 18, 42, 10, 20, ("#b5495b", "#e9c46a", "#5b8e7d")[index % 3], 2)
    canvas.rect(214, 10, 84, 58, "#2e3a36", 3)
    for index, words in enumerate(("TODAY", "pea soup", "cake")):
        canvas.text(256, 22 + index * 17, words, 12 if index else 13, "#f0ead8")
    canvas.rect(0, 222, WIDTH, 138, "#9c7b5c")
    for x in range(-60, 700, 70):
        canvas.line([(x, 222), (x - 40, 360)], "#8a6b4e", 1.6)
    canvas.rect(316, 176, 324, 62, "#6b3f2a", 3)
    canvas.rect(308, 168, 332, 11, "#c99561", 3)
    for x in (180, 420):
        canvas.line([(x, 0), (x, 26)], "#3a2a22", 2)
        canvas.pie(x, 40, 24, 18, 180, 360, "#b5453a")
        canvas.oval(x, 41, 8, 4, "#fff2c0")


def office(canvas: Canvas, hour: str) -> None:
    """Joonas's office above the harbour: ledgers, desk, window."""
    canvas.fade("#a9b8a8", "#93a594", 0, 222)
    canvas.rect(0, 214, WIDTH, 10, "#6c5a48")
    canvas.rect(0, 222, WIDTH, 138, "#7d6550")
    for x in range(-60, 700, 64):
        canvas.line([(x, 222), (x - 40, 360)], "#6b5443", 1.6)
    canvas.rect(236, 40, 164, 116, "#f4f0e4", 3)
    canvas.rect(244, 48, 148, 100, SKIES[hour][1])
    canvas.rect(244, 112, 148, 36, SEAS[hour][1])
    canvas.poly([(300, 118), (352, 116), (344, 130), (306, 130)], "#24507a")
    canvas.rect(314, 102, 22, 15, "#f7f3ea", 2)
    canvas.line([(318, 48), (318, 148)], "#f4f0e4", 4)
    canvas.rect(34, 36, 150, 182, "#6b4a33", 3)
    for row in range(4):
        canvas.rect(42, 44 + row * 43, 134, 36, "#4a3324")
        for index in range(11 - row % 2):
            tall = 26 + (index * 7 + row * 5) % 8
            colour = ("#8a3b2e", "#2f5d50", "#c9a24a", "#3c4f72", "#d8cfb8")[(index + row * 2) % 5]
            canvas.rect(45 + index * 12, 80 + row * 43 - tall, 10, tall, colour, 1)
    canvas.rect(452, 44, 74, 92, "#fbf6e6", 2)
    canvas.text(489, 60, "FERRY", 14, "#24507a")
    canvas.text(489, 78, "TIMES", 12, "#24507a")
    for y in range(92, 130, 8):
        canvas.line([(462, y), (516, y)], "#b0a890", 1.6)
    canvas.rect(430, 176, 196, 12, "#7a4a2c", 3)
    canvas.rect(442, 186, 172, 52, "#5f3820", 2)
    canvas.rect(470, 164, 66, 12, "#2f5d50", 2)
    canvas.rect(474, 160, 58, 6, "#fdf8e8", 1)
    canvas.line([(586, 176), (586, 146), (570, 130)], "#3a3a3e", 3)
    canvas.pie(566, 138, 18, 16, 180, 360, "#2f7a55")
    canvas.oval(566, 139, 7, 4, "#fff2c0")


def shed(canvas: Canvas, hour: str) -> None:
    """The boat shed beside the café."""
    sky(canvas, hour, 190)
    hills(canvas, hour, 182)
    sea(canvas, hour, 182, 226)
    cafe_front(canvas, hour)
    canvas.rect(30, 96, 270, 126, "#a63d2f")
    for x in range(30, 300, 15):
        canvas.line([(x, 96), (x, 222)], "#8c3227", 1.6)
    canvas.poly([(12, 98), (165, 22), (318, 98)], "#4a3a3a")
    canvas.rect(92, 124, 146, 98, "#7a2b22")
    canvas.line([(165, 124), (165, 222)], "#f4efe2", 3)
    for left in (92, 165):
        canvas.line([(left, 124), (left + 73, 222)], "#f4efe2", 3)
        canvas.line([(left + 73, 124), (left, 222)], "#f4efe2", 3)
    canvas.rect(178, 99, 112, 21, "#f4efe2", 2)
    canvas.text(234, 109.5, "BOAT SHED", 13, "#7a2b22")
    canvas.rect(0, 220, WIDTH, 140, "#a79d86")
    canvas.pie(386, 224, 52, 24, 180, 360, "#2f6f8f")
    canvas.line([(334, 224), (438, 224)], "#f4efe2", 4)
    for index in range(50):
        canvas.oval(index * 89 % WIDTH, 232 + index * 47 % 120, 3, 1.5, "#94896f")


def breakwater(canvas: Canvas, hour: str) -> None:
    """The stone arm that shelters the harbour, with the lighthouse."""
    sky(canvas, hour, 168)
    hills(canvas, hour, 168)
    houses(canvas, 0, 150, 172, hour)
    sea(canvas, hour, 168, 230)
    canvas.poly([(566, 74), (598, 74), (608, 212), (556, 212)], "#f4efe2")
    canvas.poly([(563, 110), (601, 110), (603, 140), (561, 140)], "#c8443a")
    canvas.poly([(559, 172), (605, 172), (608, 202), (557, 202)], "#c8443a")
    canvas.rect(568, 52, 28, 22, "#fff0b0", 2)
    canvas.pie(582, 52, 20, 16, 180, 360, "#3b3d42")
    canvas.poly([(568, 60), (568, 68), (-20, 124), (-20, 16)], "#fff0b026")
    canvas.poly([(0, 226), (90, 208), (640, 202), (640, 360), (0, 360)], "#6f6d73")
    for index in range(30):
        x, y = (index * 64 + index // 10 * 32) % 680 - 30, 214 + index // 10 * 46
        canvas.rect(x, y + index * 5 % 3 * 3, 58, 24, ("#7d7a80", "#65636a", "#8a878c")[index % 3], 7)


def garden(canvas: Canvas, hour: str) -> None:
    """Behind Henrike's house on the hill: roses, well, a table for two."""
    sky(canvas, hour, 160)
    hills(canvas, hour, 150)
    sea(canvas, hour, 148, 176)
    canvas.rect(0, 168, WIDTH, 192, "#7fa35c")
    for x in range(214, 640, 26):
        canvas.rect(x, 142, 9, 54, "#f7f3ea", 3)
    for y in (152, 176):
        canvas.rect(208, y, 440, 7, "#f7f3ea")
    canvas.rect(0, 52, 196, 164, "#e6d3a8")
    canvas.poly([(-10, 54), (40, 8), (180, 8), (214, 54)], "#8a4a3a")
    canvas.rect(22, 84, 60, 56, "#8fb4bf", 2)
    canvas.line([(52, 84), (52, 140)], "#ffffff", 3)
    canvas.line([(22, 112), (82, 112)], "#ffffff", 3)
    canvas.rect(118, 96, 50, 120, "#2f7a55", 2)
    canvas.oval(160, 158, 3, 3, "#ffe3a0")
    for x, y, size in ((214, 206, 26), (262, 214, 20), (402, 200, 24), (446, 208, 28), (616, 206, 26)):
        canvas.oval(x, y, size, size * 0.9, "#3f7a45")
        for index in range(7):
            canvas.oval(
                x - size * 0.7 + index * 31 % int(size * 1.5), y - size * 0.6 + index * 17 % size, 4, 4, "#e0475b"
            )
    canvas.rect(500, 190, 74, 42, "#8c8a86", 4)
    for x in (506, 562):
        canvas.line([(x, 190), (x, 142)], "#6b4a33", 5)
    canvas.poly([(490, 146), (537, 116), (584, 146)], "#8a4a3a")
    canvas.rect(300, 206, 76, 6, "#f7f3ea", 2)
    canvas.line([(338, 210), (338, 238)], "#f7f3ea", 5)
    for x in (316, 350):
        canvas.rect(x, 196, 12, 10, "#5b8ec0", 3)
    for index in range(40):
        x, y = index * 113 % WIDTH, 244 + index * 53 % 110
        canvas.line([(x, y), (x + 2, y - 6)], "#5f8a45", 1.6)


def jetty(canvas: Canvas, hour: str) -> None:
    """The landing stage of Hovra, the island."""
    sky(canvas, hour, 168)
    sea(canvas, hour, 160, 232)
    canvas.poly([(0, 168), (0, 96), (110, 66), (230, 104), (372, 168)], "#5f7f62")
    houses(canvas, 40, 130, 158, hour)
    canvas.poly([(0, 160), (380, 166), (330, 178), (0, 182)], "#8d8a7c")
    ferry(canvas, 438, 204)
    for x in (40, 196, 352, 508, 614):
        canvas.rect(x, 190, 15, 50, "#5c4633", 3)
        canvas.rect(x, 190, 15, 6, "#e9e2d0", 2)
    planks(canvas, 228, "#967656", "#785c42")
    rain(canvas, hour)


def engine_room(canvas: Canvas, hour: str) -> None:
    """Below deck: pipes, the new gauge, a ladder, one lamp."""
    canvas.fade("#3b2f2f", "#54403a", 0, 226)
    for x in range(0, WIDTH, 80):
        canvas.rect(x, 0, 9, 226, "#45363470")
    canvas.oval(320, 46, 190, 120, "#ffd27a22")
    canvas.oval(320, 46, 100, 70, "#ffd27a33")
    canvas.line([(320, 0), (320, 26)], "#1d1717", 3)
    canvas.oval(320, 38, 11, 14, "#fff2c0")
    for y, colour in ((74, "#b5653a"), (100, "#7f8a90"), (126, "#b5653a")):
        canvas.line([(0, y), (200, y), (220, y + 40), (640, y + 40)], colour, 11)
    canvas.oval(415, 84, 45, 45, "#c9a24a")
    canvas.oval(415, 84, 38, 38, "#fdf8e8")
    for index in range(9):
        canvas.bow(415, 84, 34, 150 + index * 30, 154 + index * 30, 7, "#2b2430")
    canvas.line([(415, 84), (395, 62)], "#d92b2b", 3.4)
    canvas.oval(415, 84, 4, 4, "#2b2430")
    canvas.rect(190, 158, 250, 74, "#3f5a4c", 6)
    for index in range(4):
        canvas.rect(204 + index * 58, 136, 42, 32, "#57786a", 4)
        canvas.oval(225 + index * 58, 132, 9, 6, "#8aa598")
    for x in (64, 112):
        canvas.line([(x, 0), (x, 236)], "#8d8f92", 6)
    for y in range(20, 236, 26):
        canvas.line([(64, y), (112, y)], "#8d8f92", 5)
    canvas.rect(0, 226, WIDTH, 134, "#4b4a4f")
    for x in range(-60, 700, 34):
        canvas.line([(x, 226), (x + 60, 360)], "#414046", 2)
        canvas.line([(x + 60, 226), (x, 360)], "#414046", 2)


PLACES: dict[str, Callable[[Canvas, str], None]] = {
    "boat": boat,
    "landing": landing,
    "cafe": cafe,
    "office": office,
    "shed": shed,
    "breakwater": breakwater,
    "garden": garden,
    "jetty": jetty,
    "engine room": engine_room,
}

"""The play that is filmed: where each scene stands, by what light, and what is chosen there; and everyone's voice."""

from typing import NamedTuple


class Filmed(NamedTuple):
    """One scene of the play."""

    place: str
    light: str
    choice: str
    """Empty where the film ends before the decision."""


PLAY = (
    Filmed("boat", "dawn", "Lift the engine hatch despite Kasimir's protest"),
    Filmed("landing", "day", "Leave Radovan to Kasimir's sharp tongue"),
    Filmed("cafe", "day", "Ask Dorte about the tin"),
    Filmed("cafe", "day", "Laugh along with the window tables"),
    Filmed("boat", "rain", "Report the leak to Henrike"),
    Filmed("boat", "night", "Whisper the true figure to Kasimir"),
    Filmed("office", "day", "Show Henrike the missing sum"),
    Filmed("shed", "dawn", "Send Mirela off and follow Kasimir"),
    Filmed("cafe", "dusk", "Buy cake and pretend blindness"),
    Filmed("breakwater", "dusk", "Ask Kasimir where the notes came from"),
    Filmed("garden", "day", "Offer Henrike time to repay quietly"),
    Filmed("boat", "dusk", "Tell Vesna about the missing nine thousand"),
    Filmed("jetty", "rain", "Keep Emeric talking until Kasimir comes"),
    Filmed("jetty", "rain", "Admit that the sheet worries Vesna"),
    Filmed("engine room", "day", "Hold the lamp closer for Kasimir"),
    Filmed("boat", "day", "Name Sunniva as second reader"),
    Filmed("jetty", "day", ""),
)


class Voice(NamedTuple):
    """How espeak-ng speaks for somebody."""

    name: str
    pitch: int
    """0 to 99."""
    speed: int
    """Words a minute."""


VOICES = {
    "Vesna": Voice("en-us+f3", 35, 145),
    "Joonas": Voice("en-us+m3", 62, 145),
    "Kasimir": Voice("en-us", 18, 130),
    "Sunniva": Voice("en-us+f2", 80, 140),
    "Henrike": Voice("en-us+f2", 30, 125),
    "Dorte": Voice("en-us+f3", 45, 140),
    "Radovan": Voice("en-us+m1", 50, 140),
    "Emeric": Voice("en-us+m2", 35, 135),
    "Mirela": Voice("en-us+f2", 60, 145),
}
"""Slow American voices: a small speech recogniser understood 63 % of their words, and 43 % of fast British ones."""

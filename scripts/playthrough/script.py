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
    "Vesna": Voice("en-gb+f3", 35, 160),
    "Joonas": Voice("en-gb+m3", 60, 165),
    "Kasimir": Voice("en-gb+m7", 22, 145),
    "Sunniva": Voice("en-gb+f2", 78, 170),
    "Henrike": Voice("en-gb-x-rp+f4", 28, 140),
    "Dorte": Voice("en-gb-scotland+f5", 55, 165),
    "Radovan": Voice("en-gb-x-rp+m1", 38, 155),
    "Emeric": Voice("en-gb-scotland+m4", 30, 145),
    "Mirela": Voice("en-us+f1", 66, 175),
}

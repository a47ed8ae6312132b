"""Speech by espeak-ng, a voice for each person, on one track as long as the film."""

import subprocess
import wave
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import numpy.typing as npt

from .script import VOICES
from .timeline import FPS, Film

RATE = 22050
"""Samples a second, as espeak-ng writes them."""
PEAK = 0.7
Samples = npt.NDArray[np.float64]


class Speaker:
    """Speaks every sentence once and keeps it."""

    def __init__(self) -> None:
        self._said: dict[tuple[str, str], Samples] = {}

    def say(self, speaker: str, words: str) -> Samples:
        """Samples from -1 to 1, without the silence around."""
        if (speaker, words) not in self._said:
            self._said[speaker, words] = espeak(speaker, words)
        return self._said[speaker, words]

    def seconds(self, speaker: str, words: str) -> float:
        return len(self.say(speaker, words)) / RATE


def espeak(speaker: str, words: str) -> Samples:
    voice = VOICES[speaker]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "speech.wav"
        options = ["-v", voice.name, "-p", str(voice.pitch), "-s", str(voice.speed), "-w", str(path)]
        subprocess.run(["espeak-ng", *options, "--", words], check=True)
        with wave.open(str(path)) as sound:
            raw = sound.readframes(sound.getnframes())
    samples = np.frombuffer(raw, dtype="<i2").astype(float)
    loud = np.flatnonzero(np.abs(samples) > 200)
    samples = samples[loud[0] : loud[-1]]
    return PEAK * samples / np.abs(samples).max()


def track(film: Film, speaker: Speaker) -> npt.NDArray[np.int16]:
    """The film's sound: silence but for what is spoken."""
    sound = np.zeros(film.frames * RATE // FPS)
    for step in film.steps:
        for shot in step.shots:
            if shot.speaker:
                said = speaker.say(shot.speaker, shot.text)
                start = shot.start * RATE // FPS
                sound[start : start + len(said)] = said
    return (sound * 32767).astype(np.int16)

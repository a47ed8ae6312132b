"""Renders the demo's playthrough video: project/demo/playthrough.mp4, its subtitles (.srt) and its log (.log.json).

Needs this package with bink, PyAV, Pillow (`pip install -e . av pillow`), espeak-ng for the speech and the Lato fonts
(`apt-get install espeak-ng fonts-lato`). Takes about a minute. What is played stands in playthrough/script.py, how it
is drawn in places.py and people.py beside it; nothing is downloaded. With the same tools the files come out the same,
byte for byte; the log names the tools.

    python scripts/demo_video.py [--out DIR]
"""

import argparse
import hashlib
import json
import subprocess
from pathlib import Path

import av
import PIL
from playthrough import canvas, encode, frames, speech, texts, timeline

DEMO = Path(__file__).resolve().parent.parent / "project" / "demo"


def render(out: Path) -> timeline.Film:
    """Writes the three files."""
    speaker = speech.Speaker()
    film = timeline.film(DEMO, speaker.seconds)
    video, subtitles = out / "playthrough.mp4", out / "playthrough.srt"
    encode.write(video, frames.frames(film), speech.track(film, speaker))
    subtitles.write_text(texts.subtitles(film), encoding="utf-8")
    files = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in (video, subtitles)}
    logged = json.dumps(texts.log(film, files, tools()), ensure_ascii=False, indent=1)
    (out / "playthrough.log.json").write_text(logged + "\n", encoding="utf-8")
    return film


def tools() -> dict[str, str]:
    """The versions on which the bytes depend; of the font, the beginning of its SHA-256."""
    espeak = subprocess.run(["espeak-ng", "--version"], check=True, capture_output=True, text=True).stdout
    lato = hashlib.sha256(Path(canvas.FONTS.format("Medium")).read_bytes()).hexdigest()[:12]
    return {"av": av.__version__, "pillow": PIL.__version__, "espeak-ng": espeak.split()[3], "lato": lato}


def main() -> None:
    parser = argparse.ArgumentParser(description="Renders the demo's playthrough video, subtitles and log.")
    parser.add_argument("--out", type=Path, default=DEMO, help="folder to write to (default: project/demo)")
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    film = render(out)
    size = (out / "playthrough.mp4").stat().st_size
    print(f"{out / 'playthrough.mp4'}: {film.frames / timeline.FPS:.1f} s, {size / 1000:.0f} kB")


if __name__ == "__main__":
    main()

"""The page in a headless Chromium, by keyboard alone. Skips where there is no browser, and runs with `-m live`."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .world import KEY, Served, fill, served

playwright = pytest.importorskip("playwright.sync_api")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = """--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
--disable-component-update --disable-sync""".split()  # noqa: SIM905
pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]
ITEMS = 3


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield started
        started.close()


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path / "store.sqlite", fill(tmp_path / "store.sqlite", ITEMS)) as site:
        yield site


@pytest.fixture
def page(browser: Any, site: Served) -> Iterator[Any]:
    """The page of e1, which must log no error but refusals that a test provokes."""
    context = browser.new_context(viewport={"width": 1200, "height": 900})
    opened = context.new_page()
    errors: list[str] = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    opened.goto(f"http://127.0.0.1:{site.port}/enter?token={site.tokens['e1']}")
    opened.wait_for_selector(".choices")
    yield opened
    context.close()
    assert errors == []


def saved(page: Any, word: str = "saved") -> None:
    """Wait until the page says so. A strict policy forbids `wait_for_function`."""
    for _ in range(100):
        if page.inner_text("#saved").startswith(word):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"{page.inner_text('#saved')!r}, not {word!r}")


def press(page: Any, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)
        page.wait_for_timeout(30)


def chosen(page: Any) -> list[str]:
    return [text.split("\n")[-1] for text in page.locator(".choices button[aria-pressed=true]").all_inner_texts()]


def key_digit(site: Served, page: Any) -> str:
    """The digit under which this page shows the key."""
    shown = page.locator(".choices button").all_inner_texts()
    return str(next(n for n, text in enumerate(shown, 1) if f"Beta does thing {KEY[1]}." in text))


def stage(page: Any, word: str) -> None:
    page.wait_for_selector(f".primary:has-text('{word}')")


def test_both_stages_to_the_end_of_the_queue_by_keyboard(site: Served, page: Any):
    for number in range(ITEMS):
        assert page.locator("fieldset").count() == 0
        assert "Reference answer" not in page.content()
        press(page, key_digit(site, page), "v", "Control+Enter")
        stage(page, "Submit")
        assert "Reference answer" in page.inner_text("#task")
        press(page, "1", "1", "1", "1", "Control+Enter")
        if number < ITEMS - 1:
            stage(page, "Lock answer")
    page.wait_for_selector("h1:has-text('All done here')")
    task = [task for task in site.desk.queue.tasks.values() if task.mode == "verification"]
    assert all(site.desk.queue.done_by(one.id) == ["e1"] for one in task)
    assert page.inner_text("#modes").startswith(f"Verify {ITEMS}/{ITEMS}")


def test_a_reload_half_way_loses_nothing(page: Any):
    press(page, "2", "f")
    page.locator("textarea").first.focus()
    page.keyboard.type("half a thought, 1 2 3 a x u")
    page.keyboard.press("Escape")
    saved(page)
    before = chosen(page)
    page.reload()
    page.wait_for_selector(".choices")
    assert chosen(page) == before
    assert len(before) == 1
    assert page.locator("textarea").first.input_value() == "half a thought, 1 2 3 a x u"
    assert page.locator("[aria-label='How sure?'] [aria-pressed=true]").inner_text().startswith("fairly sure")


def test_a_reload_at_once_loses_nothing_either(page: Any):
    """Without waiting for anything to be saved: the page sends what is left as it goes."""
    press(page, "3")
    page.on("dialog", lambda dialog: dialog.accept())
    before = chosen(page)
    page.reload()
    page.wait_for_selector(".choices")
    page.wait_for_timeout(300)
    page.reload()
    page.wait_for_selector(".choices")
    assert chosen(page) == before


def test_undo_by_key(page: Any):
    press(page, "1")
    saved(page)
    first = chosen(page)
    press(page, "2")
    saved(page)
    assert chosen(page) != first
    press(page, "u")
    page.wait_for_timeout(300)
    saved(page)
    assert chosen(page) == first


def test_a_conflict_is_shown_and_work_goes_on(site: Served, page: Any):
    press(page, "1")
    saved(page)
    other = site.person()
    other.cookie = "; ".join(f"{one['name']}={one['value']}" for one in page.context.cookies())
    state = other.next("verification")
    assert other.save(state, ids=[state["shown"][2]]).status == 200
    press(page, "2")
    page.wait_for_selector(".notice")
    assert "another page of yours has saved" in page.inner_text(".notice")
    assert page.locator(".choices button").nth(2).get_attribute("aria-pressed") == "true"
    press(page, "2")
    saved(page)
    assert page.locator(".choices button").nth(1).get_attribute("aria-pressed") == "true"
    assert page.locator(".notice").count() == 0


def test_keys_do_nothing_while_somebody_types(page: Any):
    page.locator("textarea").first.focus()
    page.keyboard.type("123 axu ? v")
    page.keyboard.press("Escape")
    saved(page)
    assert chosen(page) == []
    assert not page.locator("#keys").is_visible()
    page.locator("h1").click()
    press(page, "?")
    assert page.locator("#keys").is_visible()


@pytest.mark.parametrize(("width", "scheme"), [(1200, "light"), (390, "light"), (1200, "dark"), (320, "dark")])
def test_nothing_is_wider_than_the_screen(browser: Any, site: Served, tmp_path: Path, width: int, scheme: str):
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{site.port}/enter?token={site.tokens['e2']}")
    page.wait_for_selector(".choices")
    press(page, "1", "g", "Control+Enter")
    stage(page, "Submit")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.screenshot(path=tmp_path / "page.png", full_page=True)
    context.close()


def test_script_in_texts_runs_nowhere(browser: Any, site: Served):
    context = browser.new_context()
    page = context.new_page()
    page.on("dialog", lambda dialog: pytest.fail(f"a dialog: {dialog.message}"))
    page.goto(f"http://127.0.0.1:{site.port}/enter?token={site.tokens['e3']}")
    page.wait_for_selector(".choices")
    page.locator("textarea").first.fill("<img src=x onerror=alert(1)><script>alert(2)</script>")
    saved(page)
    page.reload()
    page.wait_for_selector(".choices")
    assert page.locator("textarea").first.input_value().startswith("<img src=x")
    assert page.locator("img[src=x]").count() == 0
    context.close()

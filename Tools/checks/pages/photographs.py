"""The search for photographs on the page, and the view of one."""

from .panels import CIRCLES

NAMES = "[...document.querySelectorAll('.photo .name')].map((name) => name.innerText)"
MARKUP = "<img src=x onerror=alert(1)>.png"
# Where the photograph lies in the window: left, top, width.
PLACE = "(({x, y, width}) => [x, y, width].map(Math.round))(document.querySelector('#full').getBoundingClientRect())"


def search(setting, tab, words):
    tab.click("#query", times=1 if tab.is_phone else 3)
    tab.type(words)
    tab.press("Enter")
    tab.wait(f"document.querySelector('#found').innerText.includes({words!r})")
    results = setting.server.results("api/search", query=[words], top=24)
    names = [result["path"].rsplit("/", 1)[1] for result in results]
    setting.equal(f"found for {words}", tab.evaluate(NAMES), names)
    return names


def opened(tab, name):
    tab.wait(f"document.querySelector('#viewer').open && document.querySelector('#viewer-name').innerText === {name!r}")
    tab.wait("document.querySelector('#save').href && document.querySelector('#full').naturalWidth")
    return tab.evaluate(PLACE)


def photographs(setting):
    tab = setting.open(panel="#photos")
    setting.look(tab, "photographs-empty")
    names = search(setting, tab, "three red circles")
    setting.equal("the most alike", names[0], CIRCLES.name)
    tab.wait("document.querySelectorAll('.sheet img').length >= 5")
    setting.look(tab, "photographs")

    tab.click(".sheet li:nth-child(2) .photo")
    fitted = opened(tab, names[1])
    setting.look(tab, "photograph")
    tab.press("+")
    tab.press("+")
    zoomed = tab.evaluate(PLACE)
    setting.expect(zoomed[2] > 1.8 * fitted[2], f"+ zooms from {fitted} to {zoomed}")
    tab.press("ArrowRight")
    setting.expect(tab.evaluate(PLACE)[0] < zoomed[0], "the right arrow does not move a photograph that is zoomed")
    setting.look(tab, "photograph-zoomed")
    tab.press("0")
    setting.equal("place after 0", tab.evaluate(PLACE), fitted)

    # The point under the mouse stays where it is.
    left, top, width = fitted
    point = {"x": left + width // 4, "y": top + width // 4}
    tab.mouse("mouseWheel", **point, deltaX=0, deltaY=-600)
    tab.wait(f"{PLACE}[2] > {width}")
    now = tab.evaluate(PLACE)
    share = (point["x"] - now[0]) / now[2]
    setting.expect(abs(share - 0.25) < 0.02, f"the wheel zooms about {share:.2f} of the width, not about 0.25")
    tab.mouse("mousePressed", 640, 400, button="left", buttons=1, clickCount=1)
    tab.mouse("mouseMoved", 600, 380, button="left", buttons=1)
    tab.mouse("mouseReleased", 600, 380, button="left", clickCount=1)
    moved = tab.evaluate(PLACE)
    setting.expect(abs(moved[0] - now[0] + 40) <= 1, f"dragged by 40, it moves from {now} to {moved}")
    tab.click("#fit")
    setting.equal("place after Fit", tab.evaluate(PLACE), fitted)
    tab.click("#stage", times=2)
    tab.wait(f"{PLACE}[2] > {2 * width}")
    tab.click("#stage", times=2)
    tab.wait(f"{PLACE}[2] === {width}")

    tab.press("ArrowRight")
    opened(tab, names[2])
    tab.press("Home")
    opened(tab, names[0])
    setting.expect(tab.evaluate("document.querySelector('#previous').disabled"), "there is one before the first")
    tab.press("Escape")
    tab.wait("!document.querySelector('#viewer').open")
    tab.wait(f"document.activeElement.querySelector('.name')?.innerText === {names[0]!r}")
    tab.press("ArrowRight")
    tab.wait(f"document.activeElement.querySelector('.name')?.innerText === {names[1]!r}")
    tab.press("Enter")
    opened(tab, names[1])
    tab.click("#alike")
    tab.wait(f"document.querySelector('#found').innerText.includes({names[1]!r})")
    setting.equal("most like itself", tab.evaluate(NAMES)[0], names[1])
    tab.click("#fitting")
    tab.click("#query", times=3)
    tab.type("three red circles")
    tab.press("Enter")
    tab.wait("document.querySelector('#found').innerText.includes('three red circles')")
    fitting = setting.server.results("api/search", query=["three red circles"], top=24, min_score="auto")
    # The model of scenes knows too few words to tell what does not fit, and the page says so.
    setting.equal("fitting, by a model of few words", len(fitting), len(names))
    tab.wait("document.querySelector('#found').innerText.includes('Nothing is left out')")
    setting.equal("fitting", tab.evaluate(NAMES), [result["path"].rsplit("/", 1)[1] for result in fitting])
    tab.click("#query", times=3)
    tab.type("three red circles, -three red squares, -a red circle, nothing of the kind")
    tab.press("Enter")
    tab.wait("document.querySelector('#found').innerText.includes('nothing of the kind')")
    tab.click("#fitting")
    tab.wait(f"document.querySelectorAll('.photo').length === {len(names)}")
    tab.choose("#search-form .button", CIRCLES)
    tab.wait(f"document.querySelector('#found').innerText.includes({CIRCLES.name!r})")
    setting.equal("by a picture", tab.evaluate(NAMES)[0], CIRCLES.name)


def markup(setting):
    tab = setting.open(panel="#photos")
    names = search(setting, tab, "a purple umbrella")
    setting.expect(MARKUP in names, "the photograph whose name is markup is not found")
    tab.click(f".sheet li:nth-child({names.index(MARKUP) + 1}) .photo")
    opened(tab, MARKUP)
    tab.press("Escape")
    tab.click("#nav a[href='#picture']")
    tab.choose("#choose-button", CIRCLES)
    tab.click("#add")
    tab.type("<b>bold</b>, <script>alert(1)</script>")
    tab.press("Enter")
    tab.wait("document.querySelectorAll('#picture-result .bars li').length === 2")
    made = tab.evaluate("document.querySelectorAll('main b, main script').length")
    setting.equal("elements made of labels", made, 0)
    # The policy refuses what the page itself would never do.
    for attempt in ("document.body.innerHTML = '<p>'", "document.write('<p>')"):
        refused = tab.evaluate(f"(() => {{ try {{ {attempt}; return false; }} catch (error) {{ return error instanceof TypeError; }} }})()")
        setting.expect(refused, f"{attempt} is allowed")
    tab.refusals = ("Trusted", "trusted")


PHOTOGRAPHS = {"photographs": photographs, "markup": markup}

"""The page on a phone, with keys, with other models, and without its server."""

from .panels import CIRCLES, ROOT
from .photographs import PLACE, opened, search
from .server import Server

PANELS = "[...document.querySelectorAll('#nav a')].map((link) => link.hash)"


def phone(setting):
    for scheme in ("light", "dark"):
        tab = setting.open(scheme=scheme, phone=True)
        tab.wait("document.querySelector('.button.camera').checkVisibility()")
        setting.equal("camera", tab.evaluate("document.querySelector('#camera').getAttribute('capture')"), "environment")
        tab.choose(".button.camera", CIRCLES)
        tab.click("#add")
        tab.type("three red circles, a label that goes on and on until it does not fit into the width of a phone any more, ")
        tab.wait("document.querySelector('#picture-result .bars li')")
        setting.look(tab, f"phone-{scheme}-picture", whole=True)
        tab.click("#nav a[href='#text']")
        tab.click("#words")
        tab.type("Quite good")
        tab.click("#text-form button[type=submit]")
        tab.wait("document.querySelector('#text-result .bars li')")
        setting.look(tab, f"phone-{scheme}-text", whole=True)
        tab.click("#nav a[href='#photos']")
        names = search(setting, tab, "a green square")
        tab.wait("document.querySelectorAll('.sheet img').length >= 2")
        setting.look(tab, f"phone-{scheme}-photographs")
        tab.click(".sheet li:nth-child(1) .photo")
        fitted = opened(tab, names[0])
        setting.look(tab, f"phone-{scheme}-photograph")
        for start, end, name in ((300, 120, names[1]), (120, 300, names[0])):
            tab.touch("touchStart", [{"x": start, "y": 400}])
            tab.touch("touchMove", [{"x": end, "y": 410}])
            tab.touch("touchEnd", [])
            setting.equal("place after a swipe", opened(tab, name)[2], fitted[2])
        tab.touch("touchStart", [{"x": 150, "y": 400, "id": 0}, {"x": 240, "y": 400, "id": 1}])
        tab.touch("touchMove", [{"x": 60, "y": 400, "id": 0}, {"x": 330, "y": 400, "id": 1}])
        tab.touch("touchEnd", [])
        pinched = tab.evaluate(PLACE)
        setting.expect(pinched[2] > 2 * fitted[2], f"two fingers zoom from {fitted} to {pinched}")
        tab.evaluate("history.back()")
        tab.wait("!document.querySelector('#viewer').open")
        setting.equal("panel after going back", tab.evaluate("location.hash"), "#photos")
        tab.click("#nav a[href='#models']")
        setting.look(tab, f"phone-{scheme}-models", whole=True)
        tab.click("#badge summary")
        setting.look(tab, f"phone-{scheme}-badge")


def dark(setting):
    tab = setting.open(scheme="dark")
    tab.choose("#choose-button", CIRCLES)
    tab.click("#add")
    tab.type("three red circles, a green square,")
    tab.wait("document.querySelector('#picture-result .bars li')")
    setting.look(tab, "dark-picture", whole=True)
    tab.click("#nav a[href='#photos']")
    search(setting, tab, "a green square")
    tab.wait("document.querySelectorAll('.sheet img').length >= 5")
    setting.look(tab, "dark-photographs")
    tab.click("#nav a[href='#models']")
    setting.look(tab, "dark-models", whole=True)


def keyboard(setting):
    """From the first key to an answer without a mouse."""
    with Server(setting.arguments.program, "--model", ROOT / "Weights" / "sentiment") as server:
        tab = setting.open(server)
        tab.press("Tab")
        setting.equal("the first stop", tab.evaluate("document.activeElement.className"), "skip")
        tab.press("Enter")
        setting.equal("after it", tab.evaluate("document.activeElement.id"), "main")
        tab.press("Tab")
        setting.equal("then", tab.evaluate("document.activeElement.id"), "words")
        tab.type("good")
        tab.press("Tab")
        tab.press("Enter")
        tab.wait("document.querySelector('#text-result .bars li')")


def keys(setting):
    file = setting.folder / "keys"
    file.write_text("sesame\n")
    file.chmod(0o600)
    arguments = ("--model", ROOT / "Weights" / "sentiment", "--api-key-file", file)
    with Server(setting.arguments.program, *arguments, key="sesame") as server:
        tab = setting.open(server)
        tab.refusals = ("401",)
        tab.wait("document.querySelector('#key')?.open")
        setting.look(tab, "key")
        tab.type("open")
        tab.press("Enter")
        tab.wait("document.querySelector('#key-problem').innerText.includes('does not take')")
        tab.press("Escape")
        setting.expect("asks for a key" in tab.text("#notice"), "who gives no key is not told why there is nothing")
        tab.click("#notice-button")
        tab.wait("document.querySelector('#key')?.open")
        tab.type("sesame")
        tab.press("Enter")
        tab.wait("document.querySelector('#nav a')")
        kept = tab.evaluate("[sessionStorage.getItem('apus-key'), JSON.stringify(localStorage), document.cookie]")
        setting.equal("kept", kept, ["sesame", "{}", ""])
        tab.open(server.address)
        tab.wait("document.querySelector('#nav a')")
        tab.click("#forget")
        tab.wait("document.querySelector('#key')?.open")
        setting.equal("kept", tab.evaluate("sessionStorage.getItem('apus-key')"), None)


def tasks(setting):
    setting.equal("panels", setting.open().evaluate(PANELS), ["#picture", "#text", "#photos", "#models"])
    for model, panels in (("sentiment", ["#text", "#models"]), ("scenes", ["#picture", "#models"])):
        with Server(setting.arguments.program, "--model", ROOT / "Weights" / model) as server:
            setting.equal(f"panels with {model}", setting.open(server).evaluate(PANELS), panels)


def gone(setting):
    arguments = ("--model", ROOT / "Weights" / "sentiment")
    with Server(setting.arguments.program, *arguments) as server:
        tab = setting.open(server, panel="#text")
        tab.refusals = ("ERR_CONNECTION_REFUSED", "ERR_CONNECTION_RESET", "ERR_EMPTY_RESPONSE")
        server.stop()
        tab.click("#words")
        tab.type("good")
        tab.press("Enter", control=True)
        setting.equal("told", tab.text("#text-result .failure"), "The server does not answer.")
        tab.click("#nav a[href='#models']")
        tab.wait("document.querySelector('#notice').innerText.includes('does not answer')")
        setting.equal("state", tab.text(".model .state"), "not reached")
        setting.expect(not tab.evaluate("document.querySelector('#figures').checkVisibility()"), "models are called ready")
        setting.look(tab, "gone")
    with Server(setting.arguments.program, *arguments, port=server.port):
        tab.wait("!document.querySelector('#notice').checkVisibility()")
        setting.equal("state", tab.text(".model .state"), "ready")
        tab.click("#nav a[href='#text']")
        tab.click("#text-form button[type=submit]")
        tab.wait("document.querySelector('#text-result .bars li')")


def busy(setting):
    """A server that is busy is asked again when it says so."""
    tab = setting.open(panel="#text")
    tab.refusals = ("429", "503")
    tab.hold("*/api/classify-text")
    tab.click("#words")
    tab.type("good")
    tab.press("Enter", control=True)
    tab.answer(429, {"error": "full"}, Retry_After="0.3", Content_Type="application/json")
    tab.pass_on()
    tab.wait("document.querySelector('#text-result .bars li')")
    tab.press("Enter", control=True)
    tab.answer(503, {"error": {"message": "The model is being opened."}})
    setting.equal("told", tab.text("#text-result .failure"), "The model is being opened.")
    # Who asks anew ends what was asked before, which is not shown when it comes all the same.
    late = {"model": "sentiment", "scoring": None, "results": [{"label": "late", "score": 1}], "uncertain": False}
    tab.evaluate("""(() => { const ask = window.fetch; window.aborted = [];
      window.fetch = (path, request) => { request.signal?.addEventListener("abort", () => aborted.push(path)); return ask(path, {...request, signal: null}); }; })()""")
    tab.press("Enter", control=True)
    first = tab.held()
    tab.type(" and better")
    tab.press("Enter", control=True)
    setting.equal("ended", tab.evaluate("aborted"), ["api/classify-text"])
    tab.pass_on()
    tab.wait("document.querySelector('#text-result .bars li')")
    tab.paused.put(first)
    tab.answer(200, late, Content_Type="application/json")
    tab.evaluate("new Promise((done) => setTimeout(done, 300))")
    setting.expect("late" not in tab.text("#text-result"), "an answer that comes late is shown")


def headers(setting):
    """Only the page's own script and styles run, and no other site may show it."""
    status, fields, page = setting.server.get("")
    setting.equal("status", status, 200)
    policy = fields["Content-Security-Policy"]
    for part in ("default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "require-trusted-types-for 'script'"):
        setting.expect(part in policy, f"the policy lacks {part}")
    setting.expect("unsafe" not in policy and "*" not in policy, f"the policy is open: {policy}")
    status, _, data = setting.server.get("", headers={"If-None-Match": fields["ETag"]})
    setting.equal("status of what is known", (status, len(data)), (304, 0))
    setting.expect(b"http://" not in page.replace(b"http://www.w3.org/2000/svg", b"") and b"https://" not in page, "the page names other sites")
    photo = setting.server.results("api/search", query=["a circle"])[0]["id"]
    for path in (f"api/photos/{photo}", f"api/photos/{photo}/thumbnail"):
        status, fields, data = setting.server.get(path)
        setting.equal(path, (status, fields["X-Content-Type-Options"]), (200, "nosniff"))
        status, _, data = setting.server.get(path, headers={"If-None-Match": fields["ETag"]})
        setting.equal(f"{path}, known", (status, len(data)), (304, 0))
    for path in ("api/photos/0", "api/photos/x", "api/photos/..%2f..%2fetc%2fpasswd", "api/photos/%2Fetc%2Fpasswd/thumbnail",
                 "api/photos/-1", "api/photos/99999999999999999999"):
        setting.equal(path, setting.server.get(path)[0], 404)


BEHAVIOUR = {
    "phone": phone, "dark": dark, "keyboard": keyboard, "keys": keys, "tasks": tasks, "gone": gone, "busy": busy, "headers": headers,
}

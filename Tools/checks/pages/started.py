"""What a server was started with, on the page: labels, how they are read, times of loading. And that an answer is in sight."""

from .panels import CIRCLES, ROOT, SQUARE, rows, shown
from .server import Server

SCENES = ROOT / "Weights" / "scenes"
LABELS = ["three red circles", "a spotted green square", "a purple umbrella"]
# Where the answer begins: on the screen, and on the page.
PLACE = """(() => { const {top} = document.querySelector('#picture-result').getBoundingClientRect();
  return [top, top + scrollY, innerHeight]; })()"""


def labelled(setting, *options):
    """A server whose pictures are judged by labels of its own."""
    file = setting.folder / "labels.txt"
    file.write_text("\n".join(LABELS) + "\n")
    return Server(setting.arguments.program, "--model", SCENES, "--zero-shot-labels", file, *options)


def labels(setting):
    with labelled(setting) as server:
        tab = setting.open(server)
        setting.equal("whose labels", tab.text("#server-labels-text"), "The server’s 3 labels")
        setting.expect(not tab.evaluate("document.querySelector('#own').checkVisibility()"), "labels are asked for")
        tab.click("#server-list summary")
        setting.equal("which they are", tab.text("#server-list-text"), " · ".join(LABELS))
        tab.choose("#choose-button", CIRCLES)
        results = server.results("api/zero-shot", CIRCLES)
        setting.equal("labels", sorted(result["label"] for result in results), sorted(LABELS))
        setting.equal("shares", shown(tab, "picture", rows(results)), rows(results))
        setting.look(tab, "server-labels", whole=True)

        # Those of the person in their place, and back.
        tab.click("#own-labels")
        own = [LABELS[0], "a dark night"]
        tab.click("#add")
        tab.type(", ".join(own))
        tab.press("Enter")
        judged = server.results("api/zero-shot", CIRCLES, labels=own)
        setting.equal("shares of own labels", shown(tab, "picture", rows(judged)), rows(judged))
        tab.click("#server-labels")
        setting.equal("shares after that", shown(tab, "picture", rows(results)), rows(results))


def readings(setting):
    """Only what the model was made for is called so: of a server that was told another reading, that is said."""
    told = ("--score", "softmax", "--logit-scale", "10")
    for options, words in (
        ((), ["", ", as the model was made for"]),
        (("--score", "softmax"), [", as this server is set up", ", as the model was made for"]),
        (told, [", as this server is set up", ""]),
    ):
        with labelled(setting, *options) as server:
            tab = setting.open(server)
            tab.choose("#choose-button", CIRCLES)
            tab.wait("document.querySelectorAll('input[name=scoring]').length === 2")
            names = ["One of them (softmax)", "Each by itself (sigmoid)"]
            found = tab.evaluate("[...document.querySelectorAll('input[name=scoring]')].map((i) => i.parentElement.innerText.trim())")
            setting.equal(f"readings with {' '.join(options) or 'nothing'}", found, [name + word for name, word in zip(names, words)])


def duration(milliseconds):
    """As the page writes it."""
    if milliseconds >= 10_000:
        return f"{milliseconds / 1000:,.1f}\u00a0s"
    return f"{milliseconds:,.{1 if milliseconds < 10 else 0}f}\u00a0ms"


def near(found, expected):
    """Whether two times are the same but for how a half is rounded."""
    number, unit = found.split("\u00a0")
    wanted, other = expected.split("\u00a0")
    return unit == other and abs(float(number.replace(",", "")) - float(wanted.replace(",", ""))) < 1.01


def loading(setting):
    with labelled(setting) as server:
        server.results("api/zero-shot", SQUARE)
        for _ in range(20):
            times = server.ask("api/models")["models"][0]["load_milliseconds"]
            tab = setting.open(server, panel="#models")
            tab.wait("document.querySelector('.model dl')")
            pairs = dict(tab.evaluate("[...document.querySelectorAll('.model dt')].map((t) => [t.innerText, t.nextSibling.innerText])"))
            # Forms of a model that nobody has asked for yet are opened behind, and add to its times.
            if times == server.ask("api/models")["models"][0]["load_milliseconds"]:
                break
        setting.expect(times["open"] >= 0 < times["prepare"] and times["first_run"] > 0, f"the server says {times}")
        whole, _, parts = pairs.get("Loading", "").partition(": files ")
        files, _, weights = parts.partition(", weights ")
        for what, text, expected in (
            ("loading", whole, times["open"] + times["prepare"]), ("files", files, times["open"]),
            ("weights", weights, times["prepare"]), ("first run", pairs.get("First run", ""), times["first_run"]),
        ):
            told = bool(text) and near(text, duration(expected))
            setting.expect(told, f"{what}: {text!r}, expected {duration(expected)!r}")
        setting.look(tab, "loading", whole=True)


def sight(setting):
    """On a phone the answer lies below what is seen, and comes into sight; who types is left where they are."""
    with labelled(setting) as server:
        for picture in (CIRCLES, SQUARE):
            tab = setting.open(server, phone=True)
            tab.choose(".button.camera", picture)
            tab.wait("document.querySelector('#picture-result .bars li')")
            # Once the picture is there, which moves what is below it.
            tab.wait("document.querySelector('#preview').complete")
            for _ in range(40):
                top, below, height = tab.evaluate(PLACE)
                if 0 <= top < 0.7 * height:
                    break
                tab.evaluate("new Promise((done) => setTimeout(done, 50))")
            setting.expect(0 <= top < 0.7 * height, f"the answer begins at {top:.0f} of {height} pixels")
            setting.expect(below > 0.7 * height, f"it begins at {below:.0f} of the page, and would be seen anyway")
            setting.look(tab, f"phone-sight-{picture.stem}")
        tab.click("#own-labels")
        tab.click("#add")
        tab.type("a green square, a blue triangle, ")
        tab.wait("document.querySelectorAll('#picture-result .bars li').length === 2")
        field = tab.evaluate("(() => { const {top, bottom} = document.activeElement.getBoundingClientRect(); return [document.activeElement.id, top, bottom]; })()")
        setting.expect(field[0] == "add" and 0 <= field[1] and field[2] <= height, f"who types is taken away from {field}")


STARTED = {"labels": labels, "readings": readings, "loading": loading, "sight": sight}

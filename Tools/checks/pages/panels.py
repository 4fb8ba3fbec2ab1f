"""Classifiers and models on the page."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
SAMPLES = ROOT / "Weights" / "scenes" / "samples"
CIRCLES, SQUARE = SAMPLES / "three-red-circles.png", SAMPLES / "a-spotted-green-square.png"
SHARES = "[...document.querySelectorAll('#{}-result .bars li')].map((row) => [row.children[0].innerText, row.children[1].innerText])"


def percent(share):
    """As the page writes it."""
    if 0.9995 < share < 1:
        return ">\u00a099.9\u00a0%"
    if 0 < share < 0.0005:
        return "<\u00a00.1\u00a0%"
    return f"{share * 100:.1f}\u00a0%"


def name(result):
    """What an English browser shows of a class: its name where the label file has one, else its label."""
    names = result.get("name") or {}
    return names if isinstance(names, str) else names.get("en", result["label"])


def rows(results, score="score"):
    ordered = sorted(results, key=lambda result: -result[score])
    return [[name(result), percent(result[score])] for result in ordered]


def shown(tab, panel, expected):
    """Waits for rows; what is there when they do not come."""
    expression = SHARES.format(panel)
    for _ in range(100):
        if (found := tab.evaluate(expression)) == expected:
            break
        tab.evaluate("new Promise((done) => setTimeout(done, 50))")
    return found


def picture(setting):
    labels = ["three red circles", "a green square", "a blue triangle"]
    tab = setting.open()
    setting.look(tab, "picture-empty")
    tab.choose("#choose-button", CIRCLES)
    tab.click("#add")
    tab.type(", ".join(labels))
    tab.press("Enter")
    results = setting.server.results("api/zero-shot", CIRCLES, labels=labels, top_k=3, model="scenes")
    setting.equal("shares", shown(tab, "picture", rows(results)), rows(results))
    setting.equal("verdict", tab.text("#picture-result .verdict"), labels[0])
    setting.look(tab, "picture", whole=True)

    tab.click("input[name=scoring]:not(:checked)")
    setting.expect(tab.evaluate(SHARES.format("picture")) != rows(results), "the other scores are the same")
    tab.click("#picture-result details summary")
    cells = tab.evaluate("[...document.querySelectorAll('tbody tr')].map((row) => row.children[1].innerText)")
    setting.equal("logits", cells, [f"{result['logit']:.3f}" for result in results])
    setting.look(tab, "picture-numbers", whole=True)

    # A label is changed where it stands, another removed.
    tab.click(".chip:nth-child(2) input", times=3)
    tab.type("a photo of rice")
    tab.press("Enter")
    tab.click("[aria-label='Remove a blue triangle']")
    labels = [labels[0], "a photo of rice"]
    tab.evaluate("document.querySelector('#picture-result').replaceChildren()")
    tab.click("#add")
    tab.type(labels[0] + ",")
    setting.equal("labels", tab.evaluate("[...document.querySelectorAll('.chip input')].map((i) => i.value)"), labels)
    tab.drop(SQUARE, 600, 500)
    setting.expect("a-spotted-green-square.png" in tab.text("#picture-name"), "a picture that was dropped is not shown")
    tab.wait("document.querySelector('#picture-result .bars li')")

    # What is no picture is refused in the server's words.
    tab.refusals = ("400",)
    tab.choose("#choose-button", ROOT / "LICENSE")
    setting.expect("not a picture" in tab.text("#picture-result .failure").lower(), "the server's words are not shown")
    tab.wait("document.querySelector('#preview-none').checkVisibility()")

    # A picture in the clipboard.
    tab.allow("clipboardReadWrite", "clipboardSanitizedWrite")
    tab.evaluate("""(async () => {
      const canvas = new OffscreenCanvas(64, 64);
      const context = canvas.getContext("2d");
      context.fillStyle = "green";
      context.fillRect(8, 8, 48, 48);
      const blob = await canvas.convertToBlob({type: "image/png"});
      await navigator.clipboard.write([new ClipboardItem({"image/png": blob})]);
    })()""")
    tab.click("#picture-title")
    tab.press("v", control=True, commands=["paste"])
    tab.wait("document.querySelector('#picture-name').innerText.includes('64 × 64')")
    tab.wait("document.querySelector('#picture-result .bars li')")


def uncertain(setting):
    """What is not sure, or does not fit, is said so."""
    tab = setting.open()
    tab.choose("#choose-button", SQUARE)
    labels = ["four orange mushrooms", "a purple umbrella"]
    tab.click("#add")
    tab.type(", ".join(labels))
    tab.press("Enter")
    tab.wait("document.querySelector('#picture-result .bars li')")
    setting.expect("None of these" in tab.text("#picture-result .unsure"), "labels that do not fit are taken for an answer")
    setting.equal("heard", tab.evaluate("document.querySelector('#say').innerText.split(':')[0]"), "None of these")
    setting.look(tab, "none-fits", whole=True)

    # What the server calls uncertain.
    results = [{"label": "a leaf", "score": 0.4}, {"label": "a stone", "score": 0.35}]
    answer = {"model": "scenes", "scoring": "softmax", "results": results, "uncertain": True, "milliseconds": {"total": 3}}
    tab.hold("*/api/zero-shot")
    tab.click("[aria-label='Remove a purple umbrella']")
    tab.answer(200, answer, Content_Type="application/json")
    tab.wait("document.querySelector('#picture-result .unsure strong').innerText === 'Not sure'")
    setting.expect("a leaf" not in tab.text("#picture-result .unsure"), "an answer that is not sure is given all the same")
    setting.look(tab, "uncertain", whole=True)


def classes(setting):
    leaf = next(iter(sorted((ROOT / "Tests" / "Fixtures").rglob("*.jpg"))))
    tab = setting.open()
    tab.evaluate("""(() => { const select = document.querySelector("#picture-model");
      select.value = [...select.options].find((option) => option.text.startsWith("rice")).value;
      select.dispatchEvent(new Event("change")); })()""")
    setting.expect(not tab.evaluate("document.querySelector('#labels').checkVisibility()"), "labels are asked for")
    tab.choose("#choose-button", leaf)
    model = tab.evaluate("document.querySelector('#picture-model').selectedOptions[0].text.split(':')[0]")
    results = setting.server.results("api/classify-image", leaf, model=model, top_k=10)
    setting.equal("shares", shown(tab, "picture", rows(results)), rows(results))
    setting.look(tab, "classes", whole=True)


def text(setting):
    words = "What a wonderful little engine, I love it."
    tab = setting.open()
    tab.click("#nav a[href='#text']")
    tab.click("#words")
    tab.type(words)
    tab.press("Enter", control=True)
    results = setting.server.results("api/classify-text", text=words)
    setting.equal("shares", shown(tab, "text", rows(results)), rows(results))
    setting.look(tab, "text")
    tab.click("#words", times=3)
    tab.type("A dreadful waste of two hours.")
    tab.click("#text-form button[type=submit]")
    results = setting.server.results("api/classify-text", text="A dreadful waste of two hours.")
    setting.equal("shares", shown(tab, "text", rows(results)), rows(results))
    setting.expect("beginning" not in tab.text("#text-result"), "a short text is called too long")
    tab.click("#words", times=3)
    tab.type("It goes on and on. " * 500)
    tab.click("#text-form button[type=submit]")
    tab.wait("document.querySelector('#text-result').innerText.includes('only the beginning')")


def models(setting):
    setting.server.results("api/classify-text", text="fine")
    tab = setting.open(panel="#models")
    state = setting.server.ask("api/models")
    setting.equal("models", tab.evaluate("[...document.querySelectorAll('.model h3')].map((e) => e.innerText)"),
                  [model["name"] for model in state["models"]])
    setting.expect("P95\u00a0" in tab.evaluate("document.querySelector('#cards').textContent"), "no latency is shown on one line")
    setting.expect("zero-shot image classification" in tab.text("#cards"), "the tasks are not said as people say them")
    setting.equal("badge", tab.text("#badge-text"), state["privacy"]["badge"])
    setting.look(tab, "models", whole=True)
    tab.click("#badge summary")
    told = tab.text("#badge-card")
    setting.expect(("has sealed itself" in told) == state["privacy"]["sealed"], f"the badge says: {told}")
    setting.look(tab, "badge")
    tab.press("Escape")
    tab.wait("!document.querySelector('#badge-card').checkVisibility()")

    # A model that is late, one that failed, and what the server says of them.
    state["models"][0].update(request_milliseconds={"p50": 41.0, "p95": 73.0}, target=50.0, requests=17, compliance=0.81)
    state["models"][1].update(state="failed", memory=0)
    state["alerts"] = [{"model": state["models"][0]["name"], "level": "critical", "message": "95 % take 73 ms"}]
    tab.hold("*/api/models")
    tab.answer(200, state, Content_Type="application/json")
    tab.wait("document.querySelector('#nav .count')")
    setting.expect("Critical, scenes: 95 % take 73 ms" in tab.text("#alerts"), "the alert is not shown")
    setting.expect("over the target of 50" in tab.text(".latency.late"), "a model that is late is not shown as such")
    setting.expect("81.0" in tab.text(".model"), "the share within the target is not shown")
    setting.equal("state", tab.text(".model:nth-child(2) .state"), "failed")
    setting.look(tab, "models-alert", whole=True)


PANELS = {"picture": picture, "uncertain": uncertain, "classes": classes, "text": text, "models": models}

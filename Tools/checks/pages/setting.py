"""Where a check is done: a browser, a server, and what was found to be wrong."""

from . import accessibility


class Setting:
    def __init__(self, browser, server, arguments, folder, index, rules):
        self.browser, self.server, self.arguments = browser, server, arguments
        self.folder, self.index, self.rules = folder, index, rules
        self.problems, self.tabs = [], []

    def expect(self, condition, problem):
        if not condition:
            self.problems.append(problem)

    def equal(self, what, found, expected):
        self.expect(found == expected, f"{what}: {found!r}, expected {expected!r}")

    def open(self, server=None, scheme="light", phone=False, panel=""):
        """The page in a tab of its own, once it shows what the server can do."""
        server = server or self.server
        tab = self.browser.tab()
        tab.origin = server.address
        # What the browser is known to say of refusals that a check provokes.
        tab.refusals = ()
        self.tabs.append(tab)
        tab.phone() if phone else tab.laptop()
        tab.scheme(scheme)
        tab.open(server.address + panel)
        if not server.key:
            tab.wait("document.querySelector('#nav a')")
        return tab

    def look(self, tab, name, whole=False):
        """Holds what is shown to the rules, and leaves a picture of it."""
        # A phone's window grows with a page that is too wide for it.
        width = tab.evaluate("Math.max(document.scrollingElement.scrollWidth, innerWidth)")
        self.expect(width <= tab.width, f"{name} is {width} pixels wide, of {tab.width}")
        if self.arguments.pictures:
            tab.picture(self.arguments.pictures / f"{name}.png", whole)
        if self.rules:
            self.problems += [f"{name}: {line}" for line in accessibility.violations(tab, self.rules)]

    def finish(self):
        for tab in self.tabs:
            others = [address for address in tab.requests if not address.startswith((tab.origin, "data:", f"blob:{tab.origin}"))]
            self.expect(not others, f"the page asked {others}")
            complaints = [line for line in tab.complaints if not any(known in line for known in tab.refusals)]
            self.expect(not complaints, f"the browser says: {complaints}")
            tab.close()
        return self.problems

"""axe-core's rules for a page as it is shown. They come from PyPI, and are no part of Apus."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

# A package of axe.min.js and of Python that is not used here.
PACKAGE, MODULE = "axe-playwright-python==0.1.8", "axe_playwright_python"


def rules(folder):
    """The text of axe-core; None where it is neither there nor to be had."""
    found = importlib.util.find_spec(MODULE)
    places = [Path(place) for place in (found.submodule_search_locations if found else [])] + [folder / MODULE]
    script = next((place / "axe.min.js" for place in places if (place / "axe.min.js").exists()), None)
    if not script:
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(folder), PACKAGE]
        if subprocess.run(command, capture_output=True).returncode:
            return None
        script = folder / MODULE / "axe.min.js"
    return script.read_text()


def violations(tab, script):
    """What the page does against the rules, a line for each element."""
    tab.evaluate(f"if (!window.axe) {{ {script} }}")
    found = tab.evaluate("""axe.run(document, {resultTypes: ["violations"]}).then((results) => results.violations.flatMap(
      (rule) => rule.nodes.map((node) => `${rule.id}: ${node.target.join(" ")}: ${node.failureSummary}`)))""")
    return [json.dumps(line) for line in found]

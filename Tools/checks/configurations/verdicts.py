"""A case: a folder with some changes, held against its library."""
import dataclasses
import pathlib
import tempfile

from . import folders, program
from .families import FAMILIES
from .references import TEXTS

EQUAL, REFUSED, LIBRARY_REFUSES, DIFFERENT = VERDICTS = ["equal", "refused", "library refuses", "DIFFERENT"]


@dataclasses.dataclass(frozen=True)
class Case:
    family: str
    changes: tuple

    def __str__(self):
        return f"{self.family}: " + ("; ".join(map(str, self.changes)) or "as it is")


@dataclasses.dataclass(frozen=True)
class Judge:
    apus: str
    pictures: list

    def __call__(self, case):
        """The case, what came of it and in what; no verdict where a change changes nothing."""
        verdict, detail = self._verdict(case)
        if verdict == DIFFERENT:
            case, detail = self._smallest(case, detail)
        return case, verdict, detail

    def _smallest(self, case, detail):
        """The case without the changes that it is as different without."""
        for change in case.changes:
            fewer = Case(case.family, tuple(other for other in case.changes if other is not change))
            verdict, other = self._verdict(fewer)
            if verdict == DIFFERENT:
                case, detail = fewer, other
        return case, detail

    def _verdict(self, case):
        family = FAMILIES[case.family]
        with tempfile.TemporaryDirectory() as parent:
            folder = pathlib.Path(parent) / "model"
            folders.made(family.source, family.prepare, folder)
            if not all([change.apply(folder) for change in case.changes]):
                return None, ""
            try:
                found = family.answer(self.apus, folder, self.pictures)
            except RuntimeError as error:
                return REFUSED, str(error).replace(f"{folder}/", "")
            try:
                wanted = family.reference(folder, self.pictures)
            except Exception as error:
                return LIBRARY_REFUSES, f"{type(error).__name__}: {error}".splitlines()[0]
            if _close(wanted.rows, found.rows):
                return EQUAL, ""
            return DIFFERENT, self._difference(folder, wanted, found)

    def _difference(self, folder, wanted, found):
        worst = max((abs(x - y) for p, q in zip(wanted.rows, found.rows) for x, y in zip(p, q)), default=-1)
        detail = f"off by {worst:.3g}"
        if wanted.ids:
            for text, mine, theirs in zip(TEXTS, program.ids(self.apus, folder), wanted.ids):
                if mine[:len(theirs)] != theirs:
                    return f"{detail}; ids of {text!r}: {mine} and {theirs}"
        return detail


def _close(a, b):
    if len(a) != len(b) or any(len(x) != len(y) for x, y in zip(a, b)):
        return False
    largest = max((abs(value) for row in a for value in row), default=0)
    return all(abs(x - y) <= 1e-4 * max(largest, 1e-6) for p, q in zip(a, b) for x, y in zip(p, q))

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
        """The case, what came of it and in what; no verdict where a change changes nothing. Of several changes, those
        that Apus refuses are left out one after the other."""
        if len(case.changes) > 1:
            kept = Case(case.family, ())
            for change in case.changes:
                longer = Case(case.family, (*kept.changes, change))
                if self._answers(longer):
                    kept = longer
            case = kept
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

    def _answers(self, case):
        with tempfile.TemporaryDirectory() as parent:
            folder = _folder(parent, case)
            try:
                return bool(folder and FAMILIES[case.family].answer(self.apus, folder, self.pictures))
            except RuntimeError:
                return False

    def _verdict(self, case):
        family = FAMILIES[case.family]
        with tempfile.TemporaryDirectory() as parent:
            folder = _folder(parent, case)
            if not folder:
                return None, ""
            try:
                found = family.answer(self.apus, folder, self.pictures)
            except RuntimeError as error:
                return REFUSED, str(error).replace(f"{folder}/", "")
            try:
                wanted = family.reference(folder, self.pictures)
            except Exception as error:  # Whatever a library raises, it gives no answer.
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


def _folder(parent, case):
    """The folder with the case's changes; None where one changes nothing."""
    family = FAMILIES[case.family]
    folder = pathlib.Path(parent) / "model"
    folders.made(family.source, family.prepare, folder)
    return folder if all([change.apply(folder) for change in case.changes]) else None


def _close(a, b):
    if len(a) != len(b) or any(len(x) != len(y) for x, y in zip(a, b)):
        return False
    largest = [max(map(abs, row), default=0) for row in a]
    floor = max(1e-6, 0.01 * max(largest, default=0))
    return all(abs(x - y) <= 1e-4 * max(floor, most) for p, q, most in zip(a, b, largest) for x, y in zip(p, q))

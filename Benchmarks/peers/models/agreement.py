"""How far results are from those of the model that files are made of: others must not be compared."""

import numpy as np

# Of the largest output, for files in float32.
TOLERANCE = 1e-4


def distance(actual, expected):
    """The largest difference, relative to the largest expected output, and the cosine."""
    difference = np.abs(actual - expected).max() / np.abs(expected).max()
    cosine = (actual * expected).sum() / np.linalg.norm(actual) / np.linalg.norm(expected)
    return float(difference), float(cosine)


def check(path, actual, expected, exact):
    """Prints how far a file's outputs are from those expected, and ends the program if they should not be."""
    difference, cosine = distance(actual, expected)
    print(f"{path.name}: largest difference {difference:.1e} of the largest output, cosine {cosine:.6f}")
    if not np.isfinite(actual).all() or exact and difference > TOLERANCE:
        raise SystemExit(f"{path.name}: more than {TOLERANCE:.0e}, so it is not kept")

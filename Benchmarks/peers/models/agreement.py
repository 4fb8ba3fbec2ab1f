"""Whether a file computes what PyTorch does from the same weights, or the comparison would be of different work."""

import numpy as np

# Of the largest output, for files in float32.
TOLERANCE = 1e-4


def check(path, actual, expected, exact):
    """Prints how far a file's outputs are from PyTorch's, and ends the program if they should not be."""
    expected = np.load(expected)
    difference = np.abs(actual - expected).max() / np.abs(expected).max()
    cosine = (actual * expected).sum() / np.linalg.norm(actual) / np.linalg.norm(expected)
    print(f"{path.name}: largest difference {difference:.1e} of the largest output, cosine {cosine:.6f}")
    if not np.isfinite(actual).all() or exact and difference > TOLERANCE:
        raise SystemExit(f"{path.name}: more than {TOLERANCE:.0e}, so it is not kept")

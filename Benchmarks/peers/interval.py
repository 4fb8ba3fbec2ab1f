"""How sure a ratio of two engines' times is."""

import numpy as np

# Of 100 repetitions of the race so many would end inside.
COVERAGE = 95
RESAMPLES = 2000

# What an engine's turns are worth together, by what one turn is worth.
STATISTICS = {"min": (np.min, np.min), "median": (np.median, np.median)}


def value(turns, kind):
    """One figure of an engine's turns, each the milliseconds of some runs."""
    of_turn, of_turns = STATISTICS[kind]
    return float(of_turns([of_turn(turn) for turn in turns]))


def ratio_interval(turns, peers, kind):
    """The ends between which the ratio to the best of `peers` lies when the rounds of the race are drawn anew.

    A round is drawn as a whole, with all engines' turns: what disturbed the machine then met all of them. This is the
    percentile bootstrap (Efron 1979).
    """
    of_turn, of_turns = STATISTICS[kind]

    def worth(turns):
        return np.array([of_turn(turn) for turn in turns])

    rounds = len(turns)
    drawn = np.random.default_rng(1).integers(0, rounds, (RESAMPLES, rounds))
    best = np.min([of_turns(worth(peer)[drawn], axis=1) for peer in peers], axis=0)
    ratios = of_turns(worth(turns)[drawn], axis=1) / best
    rest = (100 - COVERAGE) / 2
    low, high = np.percentile(ratios, [rest, 100 - rest])
    return float(low), float(high)

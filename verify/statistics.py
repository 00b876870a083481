"""Compares `arbiter sprt` with scipy: Elo, normalized Elo, their intervals, LOS and the LLR of random counts.

Usage: verify/statistics.py ARBITER CASES SEED. Needs scipy (pip install scipy). The formulas come from the papers that libs/stats
cites, but are implemented independently. Under a hypothesis of normalized Elo, the maximum likelihood is found among the
distributions with a given mean and variance, not by the linear problem that libs/stats solves. A third of the counts are
extreme: empty cells, a single nonempty cell, counts up to a thousand million.
"""

import json
import math
import random
import subprocess
import sys
from collections import Counter

import numpy
import scipy
from scipy.optimize import brentq, minimize_scalar
from scipy.stats import beta, norm

Z = norm.ppf(0.975)
EMPTY_CELL = 1e-3
# If a cell has a smaller share, the reference itself is inexact, and the LLR is not compared.
SMALLEST_SHARE = 1e-8
NELO = 800 / math.log(10)


def elo(score):
    if score <= 0:
        return -math.inf
    return math.inf if score >= 1 else -400 * math.log10(1 / score - 1)


def estimates(counts, games):
    """The estimates that need no hypothesis."""
    n = sum(counts)
    worths = numpy.linspace(0, 1, len(counts))
    if n == 0:
        return {"elo": (0, -math.inf, math.inf), "nelo": (0, -math.inf, math.inf), "los": 0.5}
    shares = numpy.array(counts) / n
    mean = float(shares @ worths)
    variance = float(shares @ (worths - mean) ** 2)
    if sum(count > 0 for count in counts) == 1:
        # Clopper and Pearson: the upper bound of the share of unseen results.
        unseen = 1 - beta.ppf(0.025, n, 1)
        interval = (mean * (1 - unseen), mean + unseen * (1 - mean))
        doubt = 0.5 ** (n + 1)
        los = 0.5 if mean == 0.5 else 1 - doubt if mean > 0.5 else doubt
        return {"elo": (elo(mean), elo(interval[0]), elo(interval[1])), "los": los}
    error = math.sqrt(variance / n)
    interval = (max(0, mean - Z * error), min(1, mean + Z * error))
    deviation = math.sqrt(variance)
    t = (mean - 0.5) / deviation
    skewness = float(shares @ ((worths - mean) / deviation) ** 3)
    kurtosis = float(shares @ ((worths - mean) / deviation) ** 4)
    t_error = math.sqrt(max(0, 1 - t * skewness + t * t * (kurtosis - 1) / 4) / n)
    scale = NELO / math.sqrt(games)
    return {
        "elo": (elo(mean), elo(interval[0]), elo(interval[1])),
        "nelo": (t * scale, (t - Z * t_error) * scale, (t + Z * t_error) * scale),
        "los": norm.cdf((mean - 0.5) / error),
    }


def lost_at(shares, worths, mean, variance):
    """The least log-likelihood lost per observation with this mean and variance; infinite if no distribution has them.

    It is the maximum of a concave function of two multipliers (Owen, "Empirical Likelihood", 2001), found by
    Newton's method with step halving.
    """
    deviation = math.sqrt(variance)
    demands = numpy.array([(worths - mean) / deviation, ((worths - mean) ** 2 - variance) / variance])
    multipliers, value = numpy.zeros(2), 0.0
    for _ in range(300):
        ratios = demands / (1 + multipliers @ demands)
        gradient, curvature = ratios @ shares, (ratios * shares) @ ratios.T
        step = numpy.linalg.lstsq(curvature, gradient, rcond=None)[0]
        size = 1.0
        while size > 1e-12:
            tried = 1 + (multipliers + size * step) @ demands
            if tried.min() > 0 and (better := shares @ numpy.log(tried)) > value:
                break
            size /= 2
        else:
            return value
        multipliers, gain, value = multipliers + size * step, better - value, better
        if value > 60:
            return math.inf
        if gain < 1e-16:
            return value
    return value


def divergence(shares, worths, t):
    """The least log-likelihood lost per observation if the lead is t standard deviations."""
    def at(logarithm):
        deviation = math.exp(logarithm)
        mean = 0.5 + t * deviation
        if not 0 < mean < 1 or deviation**2 >= mean * (1 - mean):
            return math.inf
        return lost_at(shares, worths, mean, deviation**2)

    grid = numpy.linspace(math.log(1e-7), math.log(0.5), 400)
    values = [at(x) for x in grid]
    best = int(numpy.argmin(values))
    near = grid[max(best - 1, 0)], grid[min(best + 1, len(grid) - 1)]
    result = minimize_scalar(at, bounds=near, method="bounded", options={"xatol": 1e-12, "maxiter": 500})
    return min(values[best], result.fun)


def divergence_of_mean(shares, worths, score):
    """The least log-likelihood lost per observation if the mean is the score."""
    demands = worths - score
    slope = lambda x: shares @ (demands / (1 + x * demands))
    low, high = -1 / demands.max(), -1 / demands.min()
    multiplier = brentq(slope, low * (1 - 1e-15), high * (1 - 1e-15), xtol=1e-300, rtol=1e-15, maxiter=1000)
    return shares @ numpy.log1p(multiplier * demands)


def llr(counts, games, elo0, elo1, model):
    filled = numpy.array([count or EMPTY_CELL for count in counts], dtype=float)
    shares, worths = filled / filled.sum(), numpy.linspace(0, 1, len(counts))

    def lost(bound):
        if model == "logistic":
            return divergence_of_mean(shares, worths, 1 / (1 + 10 ** (-bound / 400)))
        if bound == 0:
            return divergence_of_mean(shares, worths, 0.5)
        return divergence(shares, worths, bound / NELO * math.sqrt(games))

    return filled.sum() * (lost(elo0) - lost(elo1))


def number(value):
    return {"inf": math.inf, "-inf": -math.inf}.get(value, value)


def is_close(found, expected, relative, absolute=0.0):
    return found == expected or math.isclose(found, expected, rel_tol=relative, abs_tol=absolute)


def random_counts(rng, cells):
    kind = rng.randrange(6)
    if kind == 0:
        counts = [0] * cells
        counts[rng.randrange(cells)] = rng.choice([1, 2, 10, 1000, 10**6])
        return counts
    if kind == 1:
        return [rng.choice([0, 0, 1, 7, 10**4, 10**9]) for _ in range(cells)]
    most = rng.choice([10, 300, 20000])
    return [rng.randrange(most) for _ in range(cells)]


def main():
    program, cases, rng = sys.argv[1], int(sys.argv[2]), random.Random(int(sys.argv[3]))
    compared, worst, differences = Counter(), 0.0, 0
    for _ in range(cases):
        cells, option, games = rng.choice([(5, "--ptnml", 2), (3, "--wdl", 1)])
        counts = random_counts(rng, cells)
        told = counts if cells == 5 else counts[::-1]
        elo0 = rng.choice([0, -5, -1.75, 0.5, 10])
        elo1 = elo0 + rng.choice([1.5, 3, 5, 20])
        model = rng.choice(["normalized", "logistic"])
        bounds = ["--sprt", f"{elo0},{elo1}", "--model", model]
        command = [program, "sprt", "--json", option, ",".join(map(str, told)), *bounds]
        # Exit codes 1 and 3 mean that H0 was accepted or that the test goes on.
        ran = subprocess.run(command, capture_output=True, text=True)
        if ran.returncode not in (0, 1, 3):
            sys.exit(f"{' '.join(command)}: {ran.stderr}")
        found = json.loads(ran.stdout)
        expected = estimates(counts, games)
        pairs = []
        for name, key, short in (("elo", "elo", "elo"), ("normalized_elo", "nelo", "nelo")):
            if short in expected:
                values = [number(found[name][field]) for field in (key, "lower", "upper")]
                pairs += [(f"{name} {field}", *both) for field, both in zip(("", "lower", "upper"), zip(values, expected[short]))]
        pairs.append(("los", number(found["los"]), expected["los"]))
        wrong = [pair for pair in pairs if not is_close(pair[1], pair[2], 1e-7, 1e-9)]
        compared["figures"] += len(pairs)
        if sum(counts) and min(count or EMPTY_CELL for count in counts) >= SMALLEST_SHARE * sum(counts):
            reference = llr(counts, games, elo0, elo1, model)
            compared["LLRs"] += 1
            value = number(found["sprt"]["llr"])
            worst = max(worst, abs(value - reference) / max(1.0, abs(reference)))
            # Allows for rounding in the last digits of each observation's divergence.
            if not is_close(value, reference, 1e-6, 1e-14 * sum(counts) + 1e-6):
                wrong.append(("llr", value, reference))
        if wrong:
            differences += 1
            print(" ".join(command), *wrong, sep="\n  ")
    told = ", ".join(f"{count} {what}" for what, count in sorted(compared.items()))
    print(f"scipy {scipy.__version__}, seed {sys.argv[3]}: {cases} cases, {told}; LLRs differ by at most {worst:.1e}")
    print(f"{differences} differences")
    sys.exit(differences > 0)


main()

"""Compares what the program proves in interval arithmetic with balls of Arb: limits, the critical β at a
depth, and the condition of the bounds on a return.

usage: check.py OVERLAP EXPONENTS

OVERLAP is what antipode overlap --certify --depth 100 --json prints of a grid, EXPONENTS what exponents.go
does.
"""

import json
import sys

from flint import acb, arb, ctx

ctx.prec = 110
HALF = arb(1) / 2
NOTHING = acb(float("nan"))


def integral(f, a, b, bits=64):
    return acb.integral(f, a, b, rel_tol=arb(2) ** -bits, abs_tol=arb(2) ** -bits).real


def limits(dim, beta):
    """Balls of P(antipodal) from uniform starts: of ∫ G e^-h du / ∫ e^-h du over u = atanh z, by cells."""
    beta, k = arb(beta), arb(dim - 1) / 2

    def slope(u, _=False):
        z = u.tanh()
        return (dim - 2) / (beta * (1 - z)).cosh() + z

    def below(u, analytic):
        if not abs(u.imag) < 1.5:  # the cut of x^(k/2) is at π/2
            return NOTHING if analytic else acb(HALF, HALF)
        if u.real > 0:
            return 1 - (1 / (1 + (2 * u).exp())).beta_lower(k, k, regularized=True)
        return (1 / (1 + (-2 * u).exp())).beta_lower(k, k, regularized=True)

    def walk(u, step, mass, weighted):
        height = arb(0)
        while True:
            a, b = u, u + step

            def density(v, _=False):
                return (-(height + acb.integral(slope, a, v))).exp()

            mass += integral(density, a, b) * step.sgn()
            weighted += integral(lambda v, an: below(v, an) * density(v), a, b) * step.sgn()
            height += integral(slope, a, b)
            u, here = b, slope(acb(b)).real * step.sgn()
            if here > 0 and (rest := (-height).exp() / here) < mass * arb(2) ** -60:
                rest = rest.union(0)  # |h'| grows, and G is from 0 to 1
                return mass + rest, weighted + rest

    low, high = arb(-20), arb(20)
    for _ in range(30):
        middle = ((low + high) / 2).mid()
        low, high = (middle, high) if slope(acb(middle)).real < 0 else (low, middle)
    mass, weighted = walk(high, -arb(1) / 4, *walk(high, arb(1) / 4, arb(0), arb(0)))
    return weighted / mass


def poisson(mean):
    """The weights of a Poisson law, but for less than 1e-60."""
    middle = float(mean.mid())
    weights = [(-mean).exp()]
    for j in range(1, int(middle + 20 * middle**0.5 + 80)):
        weights.append(weights[-1] * mean / j)
    return weights


def exponent(dim, short, long):
    """A ball of twice the Lyapunov exponent of squares b² and c², from the series of the package comment."""
    x, y = 1 / (2 * short), 1 / (2 * long)
    k, whole = arb(dim - 1) / 2, arb(dim) / 2
    j_law, k_law = poisson(x), poisson(y)
    value = (y / x).log() + sum(w * (k + j).digamma() for j, w in enumerate(j_law))
    value -= sum(w * (whole + j).digamma() for j, w in enumerate(k_law))
    for n in range(1, 500):
        j_law = [w * x / (k + j + n - 1) for j, w in enumerate(j_law)]
        k_law = [w * (n - HALF) / (whole + j + n - 1) for j, w in enumerate(k_law)]
        term = sum(j_law) * sum(k_law)
        value -= term / n
        if term < arb(2) ** -90:
            return value + arb(0, 1e-25)
    raise ArithmeticError("the series does not end")


def squares(beta, unnormalized, sigma, depth, below, sum_is_short):
    """The squares b² and c² at 1-z = below."""
    h, lost = arb(sigma) ** 2 / depth, (-arb(beta) * below).expm1()
    total, difference = arb(1), -lost / (2 + lost)
    if unnormalized:
        total, difference = arb(beta).exp() / 2 * (2 + lost), -arb(beta).exp() / 2 * lost
    pair = h * total**2, h * difference**2
    return pair if sum_is_short else pair[::-1]


def chi(k, nu, mu):
    """E χ²^μ of k degrees and noncentrality ν, over 2^μ."""
    return (acb(k) / 2 + mu).gamma() / (acb(k) / 2).gamma() * (-nu / 2).hypgeom_1f1(-mu, acb(k) / 2)


def condition(cell, kappa, share):
    """A ball of the bound of E (ζ'/ζ)^κ at a share of the neighbourhood, by quadrature over the direction."""
    dim, zeta = cell["dim"], arb(cell["within"]) * share
    k, kappa = dim - 1, arb(kappa)
    short, long = squares(cell["beta"], cell["unnormalized"], cell["sigma"], cell["depth"],
                          zeta if cell["plus"] else 2 - zeta, not cell["plus"])
    power, p0, r = kappa * (1 - zeta / 2), zeta / (2 - zeta), arb(cell["within"]).root(4)
    rate = 4 * arb(2).log() * kappa * p0 / r**2
    width = 1 - 2 * rate * short

    def integrand(mu, moment):
        def at(theta, _):
            sine, cosine = theta.sin() ** 2, theta.cos()
            value = cosine ** (dim - 2) * (-sine / (2 * long)).exp() * chi(k, cosine**2 / long, mu)
            return value * chi(k, cosine**2 / short, power) * (rate / width * sine).exp() if moment else value
        return at

    def mean(mu, moment):
        # What is left out of high dimensions is cos^(d-2) e^(-ν/2 sin²), below 1e-40, times a moment.
        until = arb("0.05").acos() if dim > 8 else arb.pi() / 2
        return integral(integrand(mu, moment), 0, until, 40)

    usual = mean(HALF - power, True) / mean(HALF, False) * (short / long) ** power / width.sqrt()

    def ball(radius):
        return ((radius**2 / (2 * long)) ** (arb(dim) / 2) * (-((1 - radius) ** 2) / (2 * long)).exp()
                / (arb(dim) / 2 + 1).gamma())

    longest = max(float(((2 * short) ** kappa * chi(dim, acb(1 / short), kappa)).real.upper()), 1)
    directions = 4**kappa * ball(r) * r ** (-2 * kappa) * longest * dim / (dim - 2 * kappa)
    doubling = (2 / zeta).log()
    reach = 1 + (2 * short * (kappa + 4) * doubling).sqrt()
    lengths = (-4 * doubling).exp() + (kappa * doubling).exp() * ball(reach * (2 * p0).sqrt())
    return usual + directions + lengths


def main(overlap, exponents):
    proofs = 0
    for row in json.load(open(overlap)):
        dim, beta = row["dim"], row["beta"]
        p = limits(dim, beta) if row["p_antipodal_high"] > 0 else arb(0)
        low, high = arb(row["p_antipodal_low"]), arb(row["p_antipodal_high"])
        assert row["proved"] == "yes" and low <= p.lower() and p.upper() <= high, (row, p)
        assert float(p.rad()) < 1e-14 and float(high - low) <= 1e-12, (row, p)
        proofs += 1
    for row in {row["dim"]: row for row in json.load(open(overlap))}.values():
        low, high = row["beta_c_depth_low"], row["beta_c_depth_high"]
        below, above = (exponent(row["dim"], *squares(beta, False, 1, DEPTH, 2, True))
                        for beta in (low, high))
        assert row["beta_c_depth_proved"] == "yes" and below > 0 and above < 0, (row, below, above)
        proofs += 1
    for cell in json.load(open(exponents)):
        for share in 1e-3, 0.5, 1:
            bound, far = (condition(cell, kappa, share) for kappa in (cell["kappa"], 2.1 * cell["kappa"]))
            assert bound <= 1, (cell, share, bound)
            assert not far <= 1, ("the condition does not bind", cell, share, far)
        proofs += 1
    print(f"{proofs} proofs agree with balls of Arb")


DEPTH = 100

if __name__ == "__main__":
    main(*sys.argv[1:])

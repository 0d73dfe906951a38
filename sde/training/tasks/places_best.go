package tasks

import (
	"antipode/sphere/elementary"
)

// What a patch tells of the texture or mark of strength s that it may have is its inner product y with it,
// normal of variance 1 and with mean s or 0: a likelihood ratio in proportion to e^(sy). A class has the
// posterior A/B, where A is the sum of these over what the class may be due to, and B over everything. The
// mean of -log(A/B) is a difference of means of logarithms of sums of independent numbers, for which
//
//	E log B - E log A = ∫ (E e^(-tA) - E e^(-tB)) dt/t,
//
// and E e^(-tA) is a product of those of single terms.

// leastLoss has for A the patches with the texture of the class, for B those with any.
func (l PlaceLaw) leastLoss() float64 {
	return differenceOfLogarithms(l.Strength, func(own, other float64) float64 {
		classes := power(other, patches-1)
		return own * classes * (1 - power(other, patches*(l.Classes-1)))
	})
}

// leastLoss has for A the patches before one with the class's texture, which others than the marked one stand
// before with probability 1/Classes; for B all patches.
func (l NeighbourLaw) leastLoss() float64 {
	return differenceOfLogarithms(l.Strength, func(own, other float64) float64 {
		share := 1 / float64(l.Classes)
		return own * (power(1+float64(share*(other-1)), patches-1) - power(other, patches-1))
	})
}

// differenceOfLogarithms is the integral over log t of a function of E e^(-t e^(sy)) for y of mean s and of
// mean 0, which decays exponentially at both ends: as a power of t at 0, and with what is left of own.
func differenceOfLogarithms(strength float64, term func(own, other float64) float64) float64 {
	nodes, weights := rule(-farthest, strength+farthest)
	transform := func(t, mean float64) (sum float64) {
		for k, y := range nodes {
			rest := elementary.Exp(-elementary.Exp(min(t+float64(strength*y), 700)))
			sum += float64(float64(weights[k]*normalDensity(y-mean)) * rest)
		}
		return sum
	}
	const step = 1. / 8
	end := 40 + float64(strength*(strength+farthest))
	total := 0.0
	for t := -end; t <= end; t += step {
		total += float64(step * term(transform(t, strength), transform(t, 0)))
	}
	return total
}

func power(x float64, n int) float64 {
	p := 1.0
	for range n {
		p *= x
	}
	return p
}

package tasks

import (
	"antipode/sphere/elementary"
)

// A patch of a PlaceLaw may show a texture, and a patch of a NeighbourLaw a mark, of strength s. The
// sufficient statistic is the inner product y of the patch with the wave of this texture or mark; y is normal
// with variance 1 and mean s or 0. The likelihood ratio of showing and not showing it is proportional to
// e^(sy). The posterior of a class is A/B, where A is the sum of the likelihood ratios of all ways in which
// an image of the class may have arisen, and B is the sum of A over all classes. The mean loss of the best
// predictor, the mean of -log(A/B), is a difference of means of logarithms. As A and B are sums of
// independent random variables,
//
//	E log B - E log A = ∫ (E e^(-tA) - E e^(-tB)) dt/t,
//
// where the expectation E e^(-tA) is a product over the independent terms of A.

// leastLoss returns the least mean loss of a predictor of the class of an image of a PlaceLaw. The posterior
// of a class is A/B, where A is the sum of likelihood ratios over the patches, each of which may show the
// texture of the class, and B is the sum over all patches and all textures.
func (l PlaceLaw) leastLoss() float64 {
	return differenceOfLogarithms(l.Strength, func(own, other float64) float64 {
		classes := power(other, patches-1)
		return own * classes * (1 - power(other, patches*(l.Classes-1)))
	})
}

// leastLoss returns the least mean loss of a predictor of the class of an image of a NeighbourLaw. The
// posterior of a class is A/B, where A is the sum of likelihood ratios over the patches whose successor shows
// the texture of the class, and B is the sum over all patches. The successor of a patch that is not marked
// shows the texture of the class with probability 1/Classes.
func (l NeighbourLaw) leastLoss() float64 {
	return differenceOfLogarithms(l.Strength, func(own, other float64) float64 {
		share := 1 / float64(l.Classes)
		return own * (power(1+float64(share*(other-1)), patches-1) - power(other, patches-1))
	})
}

// differenceOfLogarithms integrates term over log t; the arguments own and other of term are E e^(-t e^(sy))
// for normal y of mean s and of mean 0, where s is the strength. The function term must decay exponentially
// in log t at both ends: like a power of t at 0, and like own at infinity.
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

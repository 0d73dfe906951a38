package exactlaw

import (
	"math"
	"testing"

	"antipode/overlap"
	"antipode/overlap/finitedepth"
	"antipode/sphere/must"
)

// The sign of interpolation errors varies, and a difference of two lattices may be small by chance: next
// to an edge, and in a whole neighbourhood where the law is flat. The reference probabilities are those
// of lattices so fine that two of them agree to 1e-10. An estimate from the difference at the edge alone
// and a fraction of the previous one was too small here by factors of up to 1.6, 27, 6, 8 and 3.4.
func TestHybridWhereDifferencesAreSmallByAccident(t *testing.T) {
	const softmax, unnormalized = overlap.Softmax, overlap.Unnormalized
	for _, c := range []struct {
		dim               int
		beta              float64
		attention         overlap.Attention
		epsilon           float64
		law               finitedepth.ScalarLaw
		depth, layers     int
		tolerance         float64
		antipodal, single float64
	}{
		{2, 2.0821312785952806, unnormalized, 1.3989421355648153, finitedepth.Rademacher, 219, 11, 1e-3,
			0.01495059627273, 0.00875072831235},
		{5, 17.504294328888943, unnormalized, 0.0004627625407347025, finitedepth.Gaussian, 3, 10, 4.88e-10,
			0, 0.03960359639856},
		{20, 2.7634421578559336, unnormalized, 0.4226409717082708, finitedepth.Rademacher, 50, 26, 1e-3,
			0, 0.00273375008572},
		{2, 10.111335530453454, softmax, 0.3603887356950465, finitedepth.Rademacher, 3, 1820, 2.5e-11,
			2.2507877575817e-06, 0.46365847127769},
		{2, 9.876276203536255, unnormalized, 0.017815577149361057, finitedepth.Rademacher, 13, 646, 1e-3,
			0.01423638845082, 0.48486635394381},
	} {
		r := hybridOf(t, c.dim, c.beta, c.attention, c.epsilon, c.law, c.depth)
		for _, accuracy := range []float64{1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7} {
			o := must.Get(r.Uniform(c.layers, c.tolerance, accuracy))(t)
			near(t, "P(antipodal)", o.Antipodal.Value, c.antipodal, o.Antipodal.Error)
			near(t, "P(single)", o.Single.Value, c.single, o.Single.Error)
			if !(o.Single.Error <= accuracy) {
				t.Errorf("d = %d, β = %v: errors %v for the accuracy %v", c.dim, c.beta, o, accuracy)
			}
		}
	}
}

// In the plane the starting angle is uniform. If no layer turns a token around, a path of the scalars
// takes all starts beyond some angle to an outcome. The first law above is the mean over all 2048 paths.
func TestHybridOfElevenLayersIsThatOfAllPaths(t *testing.T) {
	const beta, epsilon, depth, layers, tolerance = 2.0821312785952806, 1.3989421355648153, 219, 11, 1e-3
	edge := math.Atanh(1 - tolerance)
	below := func(goal float64) (sum float64) {
		for path := range 1 << layers {
			low, high := -40.0, 40.0 // bounds of log tan of half the angle, counted from opposite tokens
			for range 60 {
				u := 0.5 * (low + high)
				if after(u, beta, epsilon, depth, layers, path) < goal {
					low = u
				} else {
					high = u
				}
			}
			sum += 2 / math.Pi * math.Atan(math.Exp(low))
		}
		return sum / (1 << layers)
	}
	o := must.Get(hybridOf(t, 2, beta, overlap.Unnormalized, epsilon, finitedepth.Rademacher, depth).
		Uniform(layers, tolerance, 1e-8))(t)
	near(t, "P(antipodal)", o.Antipodal.Value, below(-edge), 1e-12+o.Antipodal.Error)
	near(t, "P(single)", o.Single.Value, 1-below(edge), 1e-12+o.Single.Error)
	if !(o.Single.Error < 1e-8) {
		t.Errorf("errors of %v", o)
	}
}

// after returns atanh of the overlap after a path of layers. The vectors X¹±X² of recursion (7) with
// unnormalized attention are multiplied by 1+w(p±q), and u is the logarithm of the ratio of their
// lengths.
func after(u, beta, epsilon float64, depth, layers, path int) float64 {
	for k := range layers {
		w := 1/float64(depth) + epsilon*float64(2*(path>>k&1)-1)/math.Sqrt(float64(depth))
		p, q := 0.5*math.Exp(beta), 0.5*math.Exp(beta*math.Tanh(u))
		u += math.Log((1 + w*(p+q)) / (1 + w*(p-q)))
	}
	return u
}

// A difference that is small by accident does not determine the estimated error: the one before counts too,
// and more so from a single overlap and where layers fold the line.
func TestErrorsOfHybridLaws(t *testing.T) {
	start := 0.2
	for _, c := range []struct {
		folds       bool
		start       *float64
		differences []float64
		want        float64
	}{
		{false, nil, []float64{1e-5}, 0.02},
		{false, nil, []float64{0.01}, 0.3},
		{true, &start, []float64{1e-5}, 0.02},
		{false, nil, []float64{1e-3, 1e-6}, 2.5e-4},
		{false, nil, []float64{1e-3, 5e-4}, 3e-3},
		{false, nil, []float64{8e-2, 1e-3, 1e-6}, 5e-3},
		{false, &start, []float64{1e-3, 1e-6}, 2e-3},
		{true, nil, []float64{1e-3, 1e-6}, 2e-3},
		{true, nil, []float64{8e-2, 1e-3, 7e-4}, 2.8e-3},
	} {
		h := &hybrid{folds: c.folds}
		got := h.estimate(problem{start: c.start}, 5, c.differences, 0)
		near(t, "error", got, c.want, 1e-8)
	}
}

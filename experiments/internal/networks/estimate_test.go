package networks

import (
	"math"
	"math/rand/v2"
	"testing"

	"antipode/overlap/propagation"
	"antipode/sde/network"
)

// different returns a block whose parameters all have different values.
func different(kind propagation.Kind, tokens float64) propagation.Block {
	return propagation.Block{
		Kind: kind, Beta: 0.7, SigmaV2: 0.3, SigmaW2: 0.5, SigmaB2: 0.02, AlphaSA: 0.8, AlphaMLP: 1.2,
		Activation: propagation.GELU, Tokens: tokens,
	}
}

// Of returns the network of a block: d times the variance of query weights is 0.7·√ln 20 = 1.2115728678. The
// input is exact as long as there are fewer tokens than dimensions.
func TestNetworkOfTheBlock(t *testing.T) {
	got := Of(different(propagation.GainPreNorm, 20), 0.25, 20, 21, 6)
	if !(math.Abs(got.QueryKey2-1.2115728678) <= 1e-9) {
		t.Errorf("d times the variance of queries %v", got.QueryKey2)
	}
	got.QueryKey2 = 0
	want := network.Network{
		Norm: network.PreNorm, GainControl: true, Activation: network.GELU, Tokens: 20, Dim: 21, Heads: 1,
		Layers: 6, Value2: 0.3, Hidden2: 0.5, Output2: 0.5, Bias2: 0.02, AlphaSA: 0.8, AlphaMLP: 1.2,
		Q: 1, P: 0.25, Input: network.Simplex,
	}
	if got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	got = Of(different(propagation.PostNorm, 20), 0.25, 20, 20, 6)
	if got.Input != network.Gaussian || got.Validate() != nil {
		t.Errorf("as many tokens as dimensions: %+v", got)
	}
}

func runsOfPairs(pairs ...[2]float64) (runs [][]network.Layer) {
	for _, p := range pairs {
		runs = append(runs, []network.Layer{{Q: math.NaN()}, {P: p[0], Q: p[1]}})
	}
	return runs
}

// The squared deviations of 1, 2, 4, 9 from their mean 4 have the sum 38: the standard error is √(38/12). The
// ratio of the sums 6 and 9 has the residuals -1/3, 2/3, -1/3: its standard error is √(6/9/6)/3.
func TestEstimates(t *testing.T) {
	runs := runsOfPairs([2]float64{1, 2}, [2]float64{2, 2}, [2]float64{4, 7}, [2]float64{9, 1})
	got := EstimateOf(runs, 1, func(l network.Layer) float64 { return l.P })
	if got.Value != 4 || !(math.Abs(got.Stderr-1.7795130420) <= 1e-10) {
		t.Errorf("%+v", got)
	}
	one := EstimateOf(runs[:1], 1, func(l network.Layer) float64 { return l.P })
	if one.Value != 1 || !math.IsNaN(one.Stderr) {
		t.Errorf("of one network %+v", one)
	}
	runs = runsOfPairs([2]float64{1, 2}, [2]float64{2, 2}, [2]float64{3, 5})
	got = RatioOf(runs, 1, func(l network.Layer) (x, y float64) { return l.P, l.Q })
	if !(math.Abs(got.Value-2./3) <= 1e-15) || !(math.Abs(got.Stderr-1./9) <= 1e-15) {
		t.Errorf("ratio %+v", got)
	}
}

// The standard errors of ratios are right: over 4000 repetitions with 20 correlated pairs each, the mean
// square of the errors of the ratios agrees with the mean of their squared standard errors within 10 %. The
// mean square has a relative standard deviation of 2.2 %, and the expansion to first order neglects about 2
// %.
func TestErrorsOfRatios(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	deviations, errors := 0.0, 0.0
	for range 4000 {
		var pairs [][2]float64
		for range 20 {
			common := r.NormFloat64()
			pairs = append(pairs, [2]float64{3 + common + 0.5*r.NormFloat64(),
				5 + 0.8*common + 0.5*r.NormFloat64()})
		}
		e := RatioOf(runsOfPairs(pairs...), 1, func(l network.Layer) (x, y float64) { return l.P, l.Q })
		deviations += (e.Value - 0.6) * (e.Value - 0.6)
		errors += e.Stderr * e.Stderr
	}
	if !(math.Abs(deviations/errors-1) <= 0.1) {
		t.Errorf("ratios deviate by %v of their standard errors", math.Sqrt(deviations/errors))
	}
}

// All layers of networks whose parameters all differ follow the theory of their block, in cosines and
// gradients: a wrong variance of the MLP or of the values would be noticed, as would a wrong temperature of
// attention.
func TestDifferentParametersFollowTheTheory(t *testing.T) {
	for kind := range propagation.Kind(len(propagation.KindNames)) {
		b := different(kind, 16)
		b.Beta = 1.1
		checkCosines(t, b, 32, 4, 32)
		checkGradients(t, b, 32, 3, 40)
	}
}

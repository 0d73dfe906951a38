//go:build long

package attention

import (
	"context"
	"math"
	"testing"

	"antipode/overlap/spectrum"
	"antipode/sde/matrices"
	"antipode/sphere/must"

	"gonum.org/v1/gonum/mat"
)

var widthsOfTests = []int{250, 500, 1000, 2000}

// attentionValues returns the two largest singular values of each sample of an attention matrix.
func attentionValues(t testing.TB, n matrices.Network, samples int) (results [][]float64) {
	t.Helper()
	for sample := range int64(samples) {
		large := must.Get(n.NewLarge(context.Background(), 1, sample, 0))(t)
		values := must.Get(large.AttentionValues(1, 2))(t)
		results = append(results, values)
	}
	return results
}

// s₁ and s₂√T for T = 250 to 2000: at each width they are within 5 standard errors of OutlierMean and
// EdgeMean, and their distances from the limits fall with the rates -1 and -2/3. EdgeMean neglects terms of
// order 1/T, for which 3/T is allowed.
func TestOutlierAndEdge(t *testing.T) {
	var sizes, outlier, outlierError, edge, edgeError []float64
	for k, tokens := range widthsOfTests {
		root := math.Sqrt(float64(tokens))
		results := attentionValues(t, matrices.Network{Tokens: tokens, Dim: 1, Layers: 1, Heads: 1},
			[]int{60, 40, 20, 6}[k])
		s1, error1 := meanOf(results, 0)
		s2, error2 := meanOf(results, 1)
		s2, error2 = s2*root, error2*root
		t.Logf("T = %d: s₁-1 = %.4g ± %.1g of %.4g, s₂√T = %.5g ± %.1g of %.5g", tokens, s1-1, error1,
			spectrum.OutlierMean(1, tokens)-1, s2, error2, spectrum.EdgeMean(1, tokens))
		if !(math.Abs(s1-spectrum.OutlierMean(1, tokens)) <= 5*error1+3/math.Pow(float64(tokens), 2)) {
			t.Errorf("T = %d: s₁ = %.8g ± %.1g, want %.8g", tokens, s1, error1,
				spectrum.OutlierMean(1, tokens))
		}
		if !(math.Abs(s2-spectrum.EdgeMean(1, tokens)) <= 5*error2+3/float64(tokens)) {
			t.Errorf("T = %d: s₂√T = %.6g ± %.1g, want %.6g", tokens, s2, error2,
				spectrum.EdgeMean(1, tokens))
		}
		sizes = append(sizes, float64(tokens))
		outlier, outlierError = append(outlier, s1-1), append(outlierError, error1)
		edge, edgeError = append(edge, 2-s2), append(edgeError, error2)
	}
	r := FitRate(sizes, outlier, outlierError, 1)
	t.Logf("rate of s₁-1: %+v", r)
	if !(r.Low < -1 && r.High > -1 && r.High-r.Low < 0.3) {
		t.Errorf("s₁-1 falls with the rate %+v, want -1", r)
	}
	// From T = 500 on, where terms of the next order are small.
	r = FitRate(sizes[1:], edge[1:], edgeError[1:], 1)
	t.Logf("rate of 2-s₂√T: %+v", r)
	if !(r.Low < -2./3 && r.High > -2./3) {
		t.Errorf("2-s₂√T falls with the rate %+v, want -2/3", r)
	}
}

// largeExcesses returns an estimate of sr(Σ_ℓ)-1 for ℓ = 1 and 2 from each sample.
func largeExcesses(t testing.TB, tokens, samples int, removeGap bool) (results [][]float64) {
	t.Helper()
	n := matrices.Network{Tokens: tokens, Dim: tokens, Layers: 2, Heads: 1, Gap: gapIf(!removeGap)}
	for sample := range int64(samples) {
		large := must.Get(n.NewLarge(context.Background(), 3, sample, 0))(t)
		var row []float64
		for layer := 1; layer <= 2; layer++ {
			excess, _, err := large.Excess(layer)
			if err != nil {
				t.Fatal(err)
			}
			row = append(row, excess)
		}
		results = append(results, row)
	}
	return results
}

// With the gap, sr(Σ_ℓ)-1 falls with the rates -1 and -3 for ℓ = 1 and 2, not with the paper's -3 and -7, and
// T^(2ℓ-1) (sr(Σ_ℓ)-1) tends to 3 and 5. The intervals of the rates have 95 % coverage.
func TestRateOfRankCollapse(t *testing.T) {
	var sizes []float64
	var means, errors [2][]float64
	for k, tokens := range widthsOfTests {
		results := largeExcesses(t, tokens, []int{48, 32, 16, 6}[k], false)
		sizes = append(sizes, float64(tokens))
		for l := range 2 {
			mean, standardError := meanOf(results, l)
			means[l], errors[l] = append(means[l], mean), append(errors[l], standardError)
			t.Logf("T = %d, layer %d: T^%d (sr-1) = %.4g ± %.2g", tokens, l+1, 2*l+1,
				mean*math.Pow(float64(tokens), float64(2*l+1)), standardError*math.Pow(float64(tokens),
					float64(2*l+1)))
		}
	}
	for l := range 2 {
		exponent, factor := spectrum.StableRankExcess(l+1, 1, 1)
		r := FitRate(sizes, means[l], errors[l], 1)
		t.Logf("rate in layer %d: %+v", l+1, r)
		if want := float64(exponent); !(r.Low < want && want < r.High && r.Low > float64(1-4*(l+1))) {
			t.Errorf("layer %d: rate %+v, want %g", l+1, r, want)
		}
		// The two largest widths are combined such that the correction of order 1/T cancels.
		scale := func(k int) float64 { return math.Pow(sizes[k], float64(-exponent)) }
		got := 2*scale(3)*means[l][3] - scale(2)*means[l][2]
		standardError := math.Hypot(2*scale(3)*errors[l][3], scale(2)*errors[l][2])
		t.Logf("constant in layer %d: %.4g ± %.2g, in theory %g", l+1, got, standardError, factor)
		if !(math.Abs(got-factor) <= 4*standardError) || standardError > 0.2*factor {
			t.Errorf("layer %d: constant %.4g ± %.2g, want %g", l+1, got, standardError, factor)
		}
	}
}

// The first two moments of the covariance without the gap, including the atom, for ℓ = 1 to 4 and γ from 1/4
// to 4. Two sizes, of which the smaller has T, D ≥ 60, are combined such that the correction of order 1/T
// cancels. 40 numbers within 4.5 standard errors: a false alarm in one of 3000 seeds.
func TestMomentsOfTheCovariance(t *testing.T) {
	for _, gamma := range []float64{0.25, 0.5, 1, 2, 4} {
		var means, errors [2][4][2]float64
		least := int(60 * max(1, gamma))
		for half, tokens := range []int{least, 2 * least} {
			n := matrices.Network{Tokens: tokens, Dim: int(float64(tokens) / gamma), Layers: 4, Heads: 1,
				Gap: matrices.RemoveMeans}
			var results [4][][]float64
			for sample := range int64(24) {
				signal := n.Start(6, sample)
				for l := range 4 {
					must.Do(t, signal.Advance())
					scale := math.Pow(gamma, float64(l+1)) / float64(tokens)
					first, second := traces(signal.X())
					results[l] = append(results[l],
						[]float64{first * scale, second * scale * math.Pow(gamma, float64(l+1))})
				}
			}
			for l := range 4 {
				for k := range 2 {
					means[half][l][k], errors[half][l][k] = meanOf(results[l], k)
				}
			}
		}
		for l := range 4 {
			mean, variance := spectrum.CovarianceMoments(l+1, gamma, math.Sqrt(gamma))
			for k, want := range []float64{mean, variance + mean*mean} {
				got := 2*means[1][l][k] - means[0][l][k]
				standardError := math.Hypot(2*errors[1][l][k], errors[0][l][k])
				if !(math.Abs(got-want) <= 4.5*standardError) || standardError > 0.3*want {
					t.Errorf("γ = %g, layer %d: moment %d is %.4g ± %.2g, want %.4g", gamma, l+1, k+1, got,
						standardError, want)
				}
			}
		}
	}
}

// traces returns tr XXᵀ and tr (XXᵀ)².
func traces(x *mat.Dense) (first, second float64) {
	var gram mat.Dense
	gram.Mul(x, x.T())
	norm := mat.Norm(&gram, 2)
	return mat.Trace(&gram), norm * norm
}

// meanOf returns the two values of MeanOf.
func meanOf(results [][]float64, k int) (mean, standardError float64) {
	m := MeanOf(results, k)
	return m.Value, m.Stderr
}

// gapIf returns the treatment of the gap that keeps it, or the one that removes it.
func gapIf(kept bool) matrices.Gap {
	if kept {
		return matrices.KeepGap
	}
	return matrices.RemoveMeans
}

package spectrum_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"antipode/overlap/internal/overlaptest"
	"antipode/overlap/spectrum"
)

// Laws and moments of spectra, over the whole domain, are as recorded.
func TestSpectraAreAsRecorded(t *testing.T) {
	random := rand.New(rand.NewPCG(79, 1))
	number := func(low, high float64) float64 { return overlaptest.Logarithmic(random, low, high) }
	var records []overlaptest.Record
	for range 40 {
		layers, gamma, sigma := 1+random.IntN(6), number(0.01, 50), number(0.2, 3)
		if random.IntN(4) == 0 {
			gamma = 1
		}
		tokens, dim, gap := 2+random.IntN(60), 1+random.IntN(60), random.IntN(2) == 0
		x := number(1e-3, 3)
		r := overlaptest.Record{Cell: fmt.Sprintf("%d layers γ=%.3g σ=%.3g T=%d D=%d gap %t x=%.3g", layers,
			gamma, sigma, tokens, dim, gap, x)}
		mean, variance := spectrum.CovarianceMoments(layers, gamma, sigma)
		r.Add(mean, variance, spectrum.EdgeMean(sigma, tokens), spectrum.OutlierMean(sigma, tokens),
			spectrum.RowVariance(tokens),
			spectrum.GradientBound(1+random.IntN(layers), layers, float64(tokens), gamma))
		exponent, factor := spectrum.GradientRate(layers, gamma, sigma, gap)
		r.Add(float64(exponent), factor)
		exponent, factor = spectrum.StableRankExcess(layers, gamma, sigma)
		r.Add(float64(exponent), factor)
		r.Add(spectrum.MeanGradients(tokens, dim, layers, sigma*sigma, gap)...)
		r.Add(spectrum.MeanTrace(tokens, dim, layers, sigma*sigma, gap)...)
		skipMean, skipVariance := spectrum.SkipMoments(layers, x, sigma, gamma)
		r.Add(skipMean, skipVariance)
		share, err := spectrum.StableRankShare(layers, gamma)
		r.AddBool(err == nil)
		r.Add(share)
		for _, scores := range []spectrum.Scores{spectrum.LinearScores(gamma, sigma),
			spectrum.ReLUScores(gamma, sigma), spectrum.SigmoidScores(gamma, sigma),
			spectrum.SoftmaxScores(gamma, sigma)} {
			r.Add(scores.Linear, scores.Rest, scores.Edge())
		}
		quarter, circle := spectrum.QuarterCircle{Sigma: sigma}, spectrum.Circle{Radius: sigma}
		r.Add(quarter.Density(x), quarter.Distribution(x), quarter.Edge(), circle.Distribution(x),
			circle.Density(complex(x, 0.1)))
		ratios := []float64{gamma}
		for range random.IntN(4) {
			ratios = append(ratios, []float64{gamma, 1, number(0.1, 10)}[random.IntN(3)])
		}
		r.Cell += fmt.Sprintf(" ratios %.3g", ratios)
		product, err := spectrum.NewProduct(sigma, ratios...)
		if r.AddBool(err == nil); err == nil {
			low, high := product.Support()
			r.Add(product.Atom(), product.Mean(), product.Variance(), low, high)
			for _, share := range []float64{-0.1, 0, 1e-4, 0.2, 0.7, 0.999, 1, 1.1} {
				if at := low + share*(high-low); at >= 0 {
					r.Add(product.Density(at), product.Distribution(at))
				}
			}
		}
		covariance, err := spectrum.Covariance(layers, gamma, sigma)
		if r.AddBool(err == nil); err == nil {
			low, high := covariance.Support()
			r.Add(covariance.Atom(), low, high)
			r.Add(covariance.Density(0.3*high), covariance.Distribution(0.3*high))
		}
		records = append(records, r)
	}
	overlaptest.CompareRecords(t, "testdata/spectra.txt", records)
}

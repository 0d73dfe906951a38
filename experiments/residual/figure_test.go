package residual

import (
	"math"
	"strings"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/figure/figuretest"
	"antipode/sde/residual"
	"antipode/sphere/must"
)

// The caption names the values that lie above the panel and those that are not finite, and nothing else.
func TestCaptionNamesWhatIsNotDrawn(t *testing.T) {
	row := func(values Values, scaling Scaling, depth int32, statistic Statistic, value float64) Row {
		return Row{Values: values, Scaling: scaling, Depth: depth, Statistic: statistic, Value: value}
	}
	rows := []Row{
		row(Identity, Inverse, 8, LogNorm, 0.7), row(Identity, Inverse, 16, LogNorm, 4.9),
		row(Identity, InverseRoot, 8, LogNorm, 2), row(Identity, InverseRoot, 16, LogNorm, 5.25),
		row(Identity, InverseRoot, 8, Cosine, 7), row(Identity, InverseRoot, 32, LogNorm, 31),
		row(Identity, InverseRoot, 64, LogNorm, math.NaN()),
		row(Identity, InverseRoot, 128, LogNorm, math.NaN()),
	}
	const want = "; above the left panel: identity, 1/√L at L = 16, 32, up to 31" +
		"; beyond float64: identity, 1/√L at L = 64, 128; right panel"
	if got := notDrawn(logNorms(rows), 5); !strings.HasPrefix(got, want) {
		t.Errorf("%s\nnot\n%s", got, want)
	}
	if got := notDrawn(logNorms(rows[:2]), 5); !strings.HasPrefix(got, "; right panel") {
		t.Error(got)
	}
}

// A regime has depth × horizon layers even if this product is slightly below a whole number in float64.
func TestLayersOfAHorizon(t *testing.T) {
	e := New()
	e.Depth, e.Horizon = []int{100}, 0.29 // the product is 28.999999999999996
	numbers := must.Get(e.sample(t.Context(), 1, 0))(t)
	tokens := residual.New(e.start(1, 0), int(e.Dim), e.Beta)
	for range 29 {
		tokens.AddField(0.01)
	}
	want := measure(tokens.X, int(e.Dim))
	if got := [kinds]float64(numbers[2*kinds:]); got != want { // first regime, after start and flow
		t.Errorf("after depth 100 × horizon 0.29: %v, after 29 layers %v", got, want)
	}
}

// Each regime has dots of its values with 95 % intervals, and its limit as a dashed line. A second panel has,
// for the two regimes whose limit is an equation, the differences from the limit that exceed two standard
// errors, with a line of order one through the first; the two depths from which the limit of the stochastic
// equation is extrapolated are left out.
func TestFigure(t *testing.T) {
	e := New()
	e.Depth = []int{8, 16, 32, 64}
	nan := math.NaN()
	row := func(values Values, scaling Scaling, depth int32, value, limit, difference, stderr float64) Row {
		return Row{Values: values, Scaling: scaling, Depth: depth, Statistic: LogNorm, Value: value,
			Stderr: 0.1,
			Limit:  limit, Error: difference, ErrorStderr: stderr}
	}
	drawn := figuretest.Draw(t, e, experimenttest.TableOf(t, e,
		row(Identity, Inverse, 8, 1, 1.5, -0.5, 0.1), row(Identity, Inverse, 16, 1.3, 1.5, -0.2, 0.2),
		row(Gaussian, InverseRoot, 8, 2, 2.5, 0.4, 0.01), row(Gaussian, InverseRoot, 16, 2.2, 2.5, 0.3, 0.01),
		row(Gaussian, InverseRoot, 32, 2.4, 2.5, 0.2, 0.01), row(Gaussian, Inverse, 8, 0.5, 0, 0.5, 0.01),
		row(Identity, InverseRoot, 8, 9, nan, nan, nan)))
	const half = 0.1959963984540054
	values := figuretest.Read(t, drawn, 0, "Mean ln|x| at the horizon; dashed: the limit", "depth L",
		"mean ln|x|")
	values.Has(figuretest.DotsOf(0, 8, 1, 1-half, 1+half, 16, 1.3, 1.3-half, 1.3+half))
	values.Has(figuretest.DotsOf(1, 8, 2, 2-half, 2+half, 16, 2.2, 2.2-half, 2.2+half, 32, 2.4, 2.4-half,
		2.4+half))
	dashed := func(k int) figure.Stroke {
		return figure.Stroke{Color: figure.SeriesColors[k], Width: 1, Dashes: []float64{5, 3}}
	}
	values.Has(figuretest.LineOf(dashed(0), 8/1.15, 1.5, 16*1.15, 1.5))
	values.Has(figuretest.LineOf(dashed(2), 8/1.15, 0, 8*1.15, 0))
	values.Count(7) // four regimes, three limits
	values.Logarithmic(true, false)
	values.Range(values.Y, 0.5-0.3*1.9-0.1, 2.4+2*(0.3*1.9+0.1)) // the regime without a limit does not count
	differences := figuretest.Read(t, drawn, 1, "Difference to the limit; dashed: order 1", "depth L",
		"|difference|")
	differences.Has(figuretest.DotsOf(0, 8, 0.5, 0.5-half, 0.5+half))
	differences.Has(figuretest.DotsOf(1, 8, 0.4, 0.4-half/10, 0.4+half/10))
	differences.Follows(dashed(0), 8/1.15, 16*1.15, 1e-12, func(x float64) float64 { return 4 / x })
	differences.Follows(dashed(1), 8/1.15, 32*1.15, 1e-12, func(x float64) float64 { return 3.2 / x })
	differences.Count(4)
	differences.Logarithmic(true, true)
	figuretest.Key(t, drawn.Key, drawn.Panels, "identity, 1/L", "gaussian, 1/√L", "gaussian, 1/L",
		"identity, 1/√L")
}

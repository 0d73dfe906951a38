package spectrum

import (
	"errors"
	"image/color"
	"math"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/figure/figuretest"
	"antipode/sde/matrices"
)

// spectrumOf draws the figure of a table with one layer of two samples of four tokens.
func spectrumOf(s *Experiment, t *testing.T) *figure.Figure {
	eigen := []complex128{1, 0.36 + 0.48i, 0.18 - 0.24i, -0.4}
	singular := [][]float64{{1.1, 0.5, 0.3, 0.1}, {1.2, 0.45, 0.2, 0}}
	covariance := [][]float64{{9, 4, 1, 1}, {8, 3, 2, 1}}
	var rows []Row
	add := func(sample int, quantity Quantity, k int, value, imaginary float64) {
		rows = append(rows, Row{Attention: matrices.Markov, Sample: int32(sample), Layer: 1,
			Quantity: quantity,
			Index:    int32(k + 1), Value: value, Imaginary: imaginary})
	}
	for sample := range 2 {
		for k := range 4 {
			add(sample, SingularValue, k, singular[sample][k], math.NaN())
			add(sample, Eigenvalue, k, real(eigen[k]), imag(eigen[k]))
			add(sample, Covariance, k, covariance[sample][k], math.NaN())
		}
	}
	return figuretest.Draw(t, s, experimenttest.TableOf(t, s, rows...))
}

// The dots are the eigenvalues of the first sample; those beyond 0.5 are larger and counted in the title. The
// circle has the radius σ/√T of the bulk.
func TestFigureOfEigenvalues(t *testing.T) {
	s := New()
	s.Tokens, s.Samples = 4, 2
	p := figuretest.Read(t, spectrumOf(s, t), 0, "Eigenvalues, markov, layer 1: 2 beyond 0.5", "real part",
		"imaginary part")
	dots := func(radius float64, xy ...float64) figure.Dots {
		return figure.Dots{Points: figuretest.LineOf(figure.Stroke{}, xy...).Points,
			Glyph: figure.Glyph{Color: figure.SeriesColors[0], Shape: figure.Circle, Radius: radius}}
	}
	p.Has(dots(3, 1, 0, 0.36, 0.48))
	p.Has(dots(1.3, 0.18, -0.24, -0.4, 0))
	circle := p.Marks[2].(figure.Line)
	for _, at := range circle.Points {
		if r := math.Hypot(at.X, at.Y); !(math.Abs(r-0.5) <= 1e-12) { // the exponential law has deviation 1
			t.Fatalf("the circle has radius %g", r)
		}
	}
	p.Range(p.X, -1.1, 1.1)
	p.Range(p.Y, -1.1, 1.1)
}

// A histogram shows the values within the range of the axis, as a density normalised by the number of all
// values; the line is the density of the law.
func TestFigureOfSingularValues(t *testing.T) {
	s := New()
	s.Tokens, s.Samples = 4, 2
	drawn := spectrumOf(s, t)
	singular := figuretest.Read(t, drawn, 1, "Singular values × √T, markov, layer 1: 2 beyond",
		"singular value × √T", "density")
	const end = 2 // twice the larger second value × √T; the edge is at 2
	singular.Range(singular.X, 0, end)
	checkHistogram(t, singular, end, 8, []float64{1, 0.6, 0.2, 0.9, 0.4, 0})
	singular.Follows(figure.Stroke{Color: figure.SeriesColors[1], Width: 1.5}, 2*0.5/300, 2*299.5/300, 1e-9,
		func(x float64) float64 { return math.Sqrt(4-x*x) / math.Pi })

	signal := figuretest.Read(t, drawn, 2, "Singular values of X in layer 1 but the largest",
		"singular value / root of the mean square", "density")
	var values []float64
	for _, sample := range [][]float64{{4, 1, 1}, {3, 2, 1}} {
		for _, v := range sample {
			values = append(values, math.Sqrt(v/2)) // the mean of either is 2
		}
	}
	checkHistogram(t, signal, 1.05*math.Sqrt2, 6, values)
}

// checkHistogram checks that the panel has a histogram with fifty columns of the given values, normalised by
// the number total.
func checkHistogram(t *testing.T, p figuretest.Panel, end float64, total int, values []float64) {
	t.Helper()
	want := figure.Histogram{Width: end / 50, Heights: make([]float64, 50),
		Color: color.RGBA{190, 214, 230, 255}}
	for _, v := range values {
		want.Heights[int(math.Floor(v/want.Width))] += 50 / end / float64(total)
	}
	p.Has(want)
}

// The figure of entries has a map of the attention matrix of each layer, whose colours begin at 0 or below,
// and the eigenvalues of each layer below it. A matrix without all its entries is not drawn.
func TestFigureOfEntries(t *testing.T) {
	s := New()
	s.Tokens, s.Layers, s.Samples, s.Save = 2, 2, 1, saveAttention
	table := func(entries [2][]float64) *data.Table {
		var rows []Row
		for layer, of := range entries {
			add := func(quantity Quantity, index int, value, imaginary float64) {
				rows = append(rows, Row{Attention: matrices.Markov, Layer: int32(layer + 1),
					Quantity: quantity, Index: int32(index), Value: value, Imaginary: imaginary})
			}
			for k, v := range of {
				add(Entry, k+1, v, math.NaN())
			}
			for k := range 2 {
				add(Eigenvalue, k+1, 1-0.75*float64(k), 0)
			}
		}
		return experimenttest.TableOf(t, s, rows...)
	}
	for low, entries := range map[float64][2][]float64{
		0:    {{0.25, 0.75, 0.5, 0.5}, {0.125, 0.875, 1, 0}},
		-0.5: {{0.25, 0.75, -0.5, 0.5}, {0.125, 0.875, 1, 0}},
	} {
		drawn := figuretest.Draw(t, s, table(entries))
		for layer, title := range []string{"markov, layer 1", "markov, layer 2"} {
			heat := figuretest.Read(t, drawn, layer, title, "key", "query").Marks[0].(figure.HeatMap)
			if heat.Low != low || heat.High != 1 || heat.Roots != (low == 0) || heat.Rows != 2 ||
				heat.Value(1, 0) != entries[layer][2] {
				t.Errorf("%s: %+v", title, heat)
			}
			figuretest.Read(t, drawn, 2+layer, "eigenvalues: 1 beyond 0.5", "real part", "imaginary part")
		}
	}
	_, err := s.Draw(table([2][]float64{{0.25, 0.75, 0.5, 0.5}, {0.125, 0.875, 1}}))
	if !errors.Is(err, figure.ErrNone) || !errors.Is(err, errNoKind) {
		t.Errorf("without an entry: %v", err)
	}
}

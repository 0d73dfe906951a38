package measure

import (
	"math"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/figure/figuretest"
	"antipode/experiments/measure/weights"
	"antipode/sphere/must"
)

// learnedRows returns rows of three layers with two heads and an MLP, and with hidden states; all numbers
// that are shown differ.
func learnedRows() []weights.Row {
	row := func(layer, head float64) weights.Row {
		r := data.NullRow[weights.Row]()
		r.Dim, r.Layer, r.Head = 16, layer, head
		return r
	}
	input := row(0, math.NaN())
	input.Overlap, input.Theory = 0.11, 0.12
	rows := []weights.Row{input}
	for k := range 3 {
		x := float64(k)
		for h := range 2 {
			r := row(x+1, float64(h+1))
			middle := 0.3 - 0.25*x + 0.02*float64(h)
			r.Beta = weights.Estimate{Value: middle, Low: middle - 0.1, High: middle + 0.08}
			r.ValueOutliers, r.ScoreOutliers = 2+float64(h), 3*float64(k*h)
			rows = append(rows, r)
		}
		r := row(x+1, math.NaN())
		r.A = weights.Estimate{Value: (1 + x) / 1024}
		r.B = weights.Estimate{Value: (1 + x) / 1024 * (0.2 - 0.1*x)}
		r.C = weights.Estimate{Value: (1 + x) / 16384 * (0.3 - 0.1*x), Low: -1}
		r.Identity = 0.5
		r.Beta = weights.Estimate{Value: 0.31 - 0.25*x, Low: 0.21 - 0.25*x, High: 0.4 - 0.25*x}
		r.Spread = weights.Estimate{Value: 0.7 + 0.2*x}
		r.ValueLargest, r.ValueOutliers, r.ScoreLargest, r.ScoreOutliers = 1.5+x, 5, 1.25-0.125*x, 3*x
		r.MLPStrength, r.MLPVariance, r.MLPOdd = (4-x)/1600, 1.5+x, 0.6+0.01*x
		r.UpLargest, r.UpOutliers, r.DownLargest, r.DownOutliers = 0.95+x/20, x, 0.85+x/20, max(0, x-1)
		r.Critical, r.PlusOne, r.MinusOne = 1.75+x/4, 1, float64(k%2)
		r.Overlap, r.Theory = 0.2+0.35*x, 0.15+0.1*x
		rows = append(rows, r)
	}
	return rows
}

// The report of weights shows the numbers of the rows, and says what they mean.
func TestReportOfWeights(t *testing.T) {
	m := New()
	m.File, m.Weights = none, "weights.npz"
	var b strings.Builder
	must.Do(t, m.Describe(&b, experimenttest.TableOf(t, m, learnedRows()...)))
	const want = "weights.npz: 3 layers of 2 heads, d = 16.\nOne head per 64 dimensions is assumed. Heads " +
		"of another size, such as 128 in Llama 2 and 3 and in Mistral, need --heads or a config.json as " +
		"--names.\n\n  layer      ad     b/a    cd/a           " +
		"    β (95 %)       S     β_c   -1  outliers  MLP cd       w     odd  overlap   theory\n      0  " +
		"                                                                                                " +
		"         0.1100   0.1200\n      1  0.0156     0.2     0.3    0.310 ( 0.210 to 0.400)   0.700   " +
		"1.750   no         5    0.04     1.5   0.600   0.2000   0.1500\n      2  0.0312     0.1     0.2 " +
		"   0.060 (-0.040 to 0.150)   0.900   2.000  yes         8    0.03     2.5   0.610   0.5500   " +
		"0.2500\n      3  0.0469       0     0.1   -0.190 (-0.290 to -0.100)   1.100   2.250   no        " +
		"11    0.02     3.5   0.620   0.9000   0.3500\n\nA head's attention to one token, over all " +
		"heads, adds 12.5 to 21.7 % of the length of a normalised token (layers 1 and 3).\nThe MLP adds " +
		"14.1 to 20 % of the length of a normalised token (layers 3 and 1).\n6 heads: 2 attend to " +
		"similar tokens (the 95 % interval of β is above 0; 2.5 % by chance), and 2 attend to dissimilar " +
		"tokens. Scores differ by about ±0.7 to ±1.1 (S).\nSingular values above those of random matrices: " +
		"W_O W_V in 6 of 6 heads, W_QᵀW_K in 2 (by chance 0.06 each); W_1 in 2 of 3 layers, W_2 in 1 " +
		"(0.03). W_O W_V and W_1 have learned directions that random matrices do not have: random matrices " +
		"reach such a count with a probability below 0.1 %. The theory of " +
		"random layers holds for the remaining directions.\nTwo opposite tokens stay opposite under " +
		"layers such as 1 of these 3. The largest β is 0.31 in layer 1, and without MLP it would take " +
		"1.75. An MLP that is not odd drives opposite tokens apart at any β. \nIn the theory of layers " +
		"with these numbers the mean cosine of two tokens goes from 0.12 to 0.35: normalised tokens differ " +
		"by 114 % of their length at the end. In the hidden states it is 0.9, 45 %. The largest difference " +
		"between the two is 0.55; a network of this width has differences up to about 0.27 by chance. So " +
		"the weights have " +
		"learned something that random layers with the same numbers do not do, or the tokens do not meet " +
		"the assumptions of the theory. \n"
	if b.String() != want {
		t.Errorf("%s", b.String())
	}
	for name, c := range map[string]struct {
		change func(r *weights.Row)
		want   []string
	}{
		"as drawn": {func(r *weights.Row) {
			r.ValueOutliers, r.ScoreOutliers, r.UpOutliers = 0, 0, 0
		}, []string{"W_O W_V in 0 of 6 heads, W_QᵀW_K in 0 (", "They look as drawn: "}},
		"no MLP": {func(r *weights.Row) {
			r.MLPStrength, r.UpLargest, r.MLPOdd = 0, math.NaN(), math.NaN()
		}, []string{"over all heads, adds", "stay opposite under layers such as 1 of these 3."}},
		"no random values": {func(r *weights.Row) {
			r.MLPStrength, r.MinusOne, r.Critical = 0, math.NaN(), math.NaN()
		}, []string{"is not known: values have no random part. \n"}},
		"gates": {func(r *weights.Row) {
			r.MinusOne, r.MLPOdd = math.NaN(), 1
		}, []string{"is not known: the theory has no MLP with gates or of " +
			"SiLU. The largest β is 0.31 in layer 1"}},
		"no hidden states": {func(r *weights.Row) {
			r.Overlap, r.Theory = math.NaN(), 0.1+0.3*r.Layer
		}, []string{"from 0.1 to 1: normalised tokens", "The tokens are nearly identical"}},
		"no sizes": {func(r *weights.Row) { r.Theory = math.NaN() },
			[]string{"The norm of the input tokens is not known"}},
		"as the theory": {func(r *weights.Row) { r.Overlap = r.Theory + 0.01 }, []string{
			"The largest difference between the two is 0.01"}},
	} {
		rows := learnedRows()
		for k := range rows {
			c.change(&rows[k])
		}
		b.Reset()
		must.Do(t, m.Describe(&b, experimenttest.TableOf(t, m, rows...)))
		for _, want := range c.want {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s: %q is not in\n%s", name, want, &b)
			}
		}
	}
}

// Lines of the figure show columns of the layers' rows; dots side by side show those of the heads.
func TestFigureOfWeightsHasTheRows(t *testing.T) {
	m := New()
	m.File, m.Weights = none, "weights.npz"
	drawn := figuretest.Draw(t, m, experimenttest.TableOf(t, m, learnedRows()...))
	line := func(series int, xy ...float64) figure.Mark {
		return figuretest.LineOf(figure.SeriesStroke(series, 1.6), xy...)
	}
	branches := figuretest.Read(t, drawn, 0, "Squared length that a branch adds to tokens of length 1",
		"layer", "")
	branches.Has(line(0, 1, 1./64, 2, 2./64, 3, 3./64))
	branches.Has(line(1, 1, 0.04, 2, 0.03, 3, 0.02))
	branches.Count(2)
	scores := figuretest.Read(t, drawn, 1, "β of the scores of heads, with 95 %", "layer", "β")
	scores.Has(figuretest.DotsOf(0, 0.9, 0.3, 0.2, 0.38, 1.1, 0.32, 0.22, 0.4, 1.9, 0.05, -0.05, 0.13,
		2.1, 0.07, -0.03, 0.15, 2.9, -0.2, -0.3, -0.12, 3.1, -0.18, -0.28, -0.1))
	scores.Range(scores.Y, -0.3, 0.4)
	singular := figuretest.Read(t, drawn, 2, "Largest singular value over the largest random one",
		"layer", "")
	singular.Has(line(2, 1, 1.5, 2, 2.5, 3, 3.5))
	singular.Has(line(3, 1, 1.25, 2, 1.125, 3, 1))
	singular.Has(line(4, 1, 0.95, 2, 1, 3, 1.05))
	singular.Has(line(1, 1, 0.85, 2, 0.9, 3, 0.95))
	overlap := figuretest.Read(t, drawn, 3, "Mean cosine of two tokens", "layer", "mean cosine")
	overlap.Has(line(4, 0, 0.12, 1, 0.15, 2, 0.25, 3, 0.35))
	overlap.Has(line(0, 0, 0.11, 1, 0.2, 2, 0.55, 3, 0.9))
	for k := range 4 {
		p := figuretest.Read(t, drawn, k, drawn.Panels[k].Plot.Title, "layer", drawn.Panels[k].Plot.Y.Label)
		p.Range(p.X, 0, 3.5)
		if len(p.X.Ticks) != 4 { // 0 to 3
			t.Errorf("%s: ticks %v", p.Title, p.X.Ticks)
		}
	}
	figuretest.Key(t, drawn.Key, drawn.Panels, "attention, ad", "MLP, cd", "W_O W_V", "W_QᵀW_K", "W₁", "W₂",
		"theory", "hidden states")

	rows := learnedRows()
	for k := range rows {
		rows[k].Beta = weights.Estimate{Value: 0.5, Low: math.NaN(), High: math.NaN()}
	}
	drawn = figuretest.Draw(t, m, experimenttest.TableOf(t, m, rows...))
	scores = figuretest.Read(t, drawn, 1, "β of the scores of heads, with 95 %", "layer", "β")
	scores.Range(scores.Y, -1, 1) // heads whose intervals are unknown have no dots
}

// Of many layers, the report shows at most twelve: the first, some at equal distances, and the last.
func TestReportOfManyLayers(t *testing.T) {
	for count, want := range map[int]string{
		3: "0 1 2 3", 11: "0 1 2 3 4 5 6 7 8 9 10 11", 12: "0 1 3 5 7 9 11 12",
		30: "0 1 4 7 10 13 16 19 22 25 28 30", 34: "0 1 5 9 13 17 21 25 29 33 34",
	} {
		m := New()
		m.File, m.Weights = none, "weights.npz"
		var rows []weights.Row
		for layer := range count + 1 {
			r := data.NullRow[weights.Row]()
			r.Dim, r.Layer, r.Head = 16, float64(layer), math.NaN()
			rows = append(rows, r)
			if layer > 0 {
				r.Head = 1
				rows = append(rows, r)
			}
		}
		var b strings.Builder
		must.Do(t, m.Describe(&b, experimenttest.TableOf(t, m, rows...)))
		_, lines, _ := strings.Cut(b.String(), "theory\n")
		lines, _, _ = strings.Cut(lines, "\n\n")
		var shown []string
		for line := range strings.Lines(lines) {
			shown = append(shown, strings.Fields(line)[0])
		}
		if got := strings.Join(shown, " "); got != want {
			t.Errorf("%d layers: shown are %s, want %s", count, got, want)
		}
	}
}

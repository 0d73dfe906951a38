package measure

import (
	"fmt"
	"io"
	"math"
	"strings"

	"antipode/data"
	"antipode/experiments/internal/namedfile"
	"antipode/experiments/measure/weights"
	"antipode/experiments/wording"
	"antipode/internal/lists"
)

// headColumn is the name of a column that only tables of weights have.
const headColumn = "head"

// model holds the rows of a table of weights: those of the input, of entire layers and of heads.
type model struct {
	input         weights.Row
	layers, heads []weights.Row
}

func modelOf(rows []weights.Row) (m model) {
	for _, r := range rows {
		switch {
		case r.Layer == 0:
			m.input = r
		case math.IsNaN(r.Head):
			m.layers = append(m.layers, r)
		default:
			m.heads = append(m.heads, r)
		}
	}
	return m
}

// describeWeights writes the report on a table of weights: a line for each of up to a dozen layers, and a
// summary in words.
func (m *Experiment) describeWeights(w io.Writer, table *data.Table) error {
	rows, err := m.weightRows(table)
	if err != nil {
		return err
	}
	all := modelOf(rows)
	if len(all.layers) == 0 {
		return fmt.Errorf("%s: the table has no row of a whole layer", namedfile.Name(m.Weights))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s of %s, d = %d.\n", namedfile.Name(m.Weights),
		wording.Count(len(all.layers), "layer"), wording.Count(len(all.heads)/len(all.layers), "head"),
		all.layers[0].Dim)
	b.WriteString(m.assumedHeads() + "\n")
	b.WriteString("  layer      ad     b/a    cd/a               β (95 %)       S     β_c   -1  outliers  " +
		"MLP cd       w     odd  overlap   theory\n")
	fmt.Fprintf(&b, "  %5d%113s  %7s\n", 0, shown(all.input.Overlap, "%.4f"), shown(all.input.Theory, "%.4f"))
	for _, k := range wording.Spaced(len(all.layers), 12) {
		r := all.layers[k]
		a, d := r.A.Value, float64(r.Dim)
		fmt.Fprintf(&b, "  %5.0f  %6s  %6s  %6s  %7s (%6s to %5s)  %6s  %6s  %3s  %8s  %6s  %6s  %6s  %7s  "+
			"%7s\n", r.Layer, shown(a*d, "%.3g"), shown(r.B.Value/a, "%.2g"), shown(r.C.Value*d/a, "%.2g"),
			shown(r.Beta.Value, "%.3f"), shown(r.Beta.Low, "%.3f"), shown(r.Beta.High, "%.3f"),
			shown(r.Spread.Value, "%.3f"), shown(r.Critical, "%.3f"), yesOrNo(r.MinusOne),
			shown(r.ValueOutliers+r.ScoreOutliers, "%.0f"), shown(r.MLPStrength*d, "%.3g"),
			shown(r.MLPVariance, "%.3g"), shown(r.MLPOdd, "%.3f"), shown(r.Overlap, "%.4f"),
			shown(r.Theory, "%.4f"))
	}
	b.WriteByte('\n')
	all.inWords(&b)
	_, err = io.WriteString(w, b.String()+m.withoutChecksums())
	return err
}

func yesOrNo(x float64) string {
	switch x {
	case 0:
		return "no"
	case 1:
		return "yes"
	}
	return "-"
}

// inWords explains, to a person who trains the model, what the numbers of a table of weights mean and what to
// do.
func (m model) inWords(b *strings.Builder) {
	m.branches(b)
	m.scores(b)
	m.outliers(b)
	m.boundary(b)
	m.tokens(b)
}

// extremes returns the layers of the weights with the least and with the greatest value of a quantity.
func (m model) extremes(of func(r weights.Row) float64) (least, most weights.Row) {
	least, most = m.layers[0], m.layers[0]
	for _, r := range m.layers {
		if of(r) < of(least) {
			least = r
		}
		if of(r) > of(most) {
			most = r
		}
	}
	return least, most
}

func (m model) branches(b *strings.Builder) {
	for _, branch := range []struct {
		name string
		of   func(r weights.Row) float64
	}{
		{"A head's attention to one token, over all heads,", func(r weights.Row) float64 {
			return r.A.Value * float64(r.Dim)
		}},
		{"The MLP", func(r weights.Row) float64 { return r.MLPStrength * float64(r.Dim) }},
	} {
		least, most := m.extremes(branch.of)
		if branch.of(most) == 0 { // no MLP, or values are a multiple of the identity
			continue
		}
		fmt.Fprintf(b, "%s adds %.3g to %.3g %% of the length of a normalised token (layers %.0f and "+
			"%.0f).\n",
			branch.name, 100*math.Sqrt(branch.of(least)), 100*math.Sqrt(branch.of(most)), least.Layer,
			most.Layer)
	}
}

func (m model) scores(b *strings.Builder) {
	like, unlike := 0, 0
	for _, r := range m.heads {
		if r.Beta.Low > 0 {
			like++
		}
		if r.Beta.High < 0 {
			unlike++
		}
	}
	least, most := m.extremes(func(r weights.Row) float64 { return r.Spread.Value })
	fmt.Fprintf(b, "%d heads: %d attend to similar tokens (the 95 %% interval of β is above 0; 2.5 %% by "+
		"chance), and %d attend to dissimilar tokens. Scores differ by about ±%.2g to ±%.2g "+
		"(S).\n", len(m.heads), like, unlike,
		least.Spread.Value, most.Spread.Value)
}

func (m model) outliers(b *strings.Builder) {
	values := lists.Count(m.heads, func(r weights.Row) bool { return r.ValueOutliers > 0 })
	scores := lists.Count(m.heads, func(r weights.Row) bool { return r.ScoreOutliers > 0 })
	inner := lists.Count(m.layers, func(r weights.Row) bool { return r.UpOutliers > 0 })
	outer := lists.Count(m.layers, func(r weights.Row) bool { return r.DownOutliers > 0 })
	fmt.Fprintf(b, "Singular values above those of random matrices: W_O W_V in %d of %d heads, W_QᵀW_K in "+
		"%d (by chance %.2g each)", values, len(m.heads), scores, 0.01*float64(len(m.heads)))
	if !math.IsNaN(m.layers[0].UpLargest) {
		fmt.Fprintf(b, "; W_1 in %d of %d layers, W_2 in %d (%.2g)", inner, len(m.layers), outer,
			0.01*float64(len(m.layers)))
	}
	b.WriteString(". " + verdict(len(m.heads), values, scores, len(m.layers), inner, outer))
}

// drift returns the sign of the multiple of the identity in the value matrices. The result is 0 unless this
// multiple is significant in every layer and has the same sign in all layers.
func (m model) drift() float64 {
	sign := math.Copysign(1, m.layers[0].Identity)
	for _, r := range m.layers {
		if !(r.C.Low > 0) || r.Identity*sign < 0 {
			return 0
		}
	}
	return sign
}

func (m model) boundary(b *strings.Builder) {
	if sign := m.drift(); sign != 0 && len(m.layers) > 1 {
		to := "together"
		if sign < 0 {
			to = "apart"
		}
		fmt.Fprintf(b, "The values contain a multiple of the identity with the same sign in all layers, "+
			"which is a drift that moves tokens %s. The columns β_c and -1 treat it as noise with a new "+
			"sign in each layer, so they do not say whether opposite tokens stay opposite here.\n", to)
		return
	}
	stay, known := 0, 0
	for _, r := range m.layers {
		if !math.IsNaN(r.MinusOne) {
			known++
			stay += int(r.MinusOne)
		}
	}
	_, most := m.extremes(func(r weights.Row) float64 { return math.Abs(r.Beta.Value) })
	if known == 0 {
		fmt.Fprintf(b, "Whether two opposite tokens stay opposite is not known: %s. ", m.whyUnknown())
	} else {
		fmt.Fprintf(b, "Two opposite tokens stay opposite under layers such as %d of these %d. ", stay, known)
	}
	if !math.IsNaN(most.Critical) {
		fmt.Fprintf(b, "The largest β is %.3g in layer %.0f, and without MLP it would take %.3g. ",
			most.Beta.Value, most.Layer, most.Critical)
	}
	if m.layers[0].MLPOdd < 0.99 && m.layers[0].MLPStrength > 0 {
		b.WriteString("An MLP that is not odd drives opposite tokens apart at any β. ")
	}
	b.WriteByte('\n')
}

// tokens describes in words how the tokens of the model move, and what a user can do about this.
func (m model) tokens(b *strings.Builder) {
	last := m.layers[len(m.layers)-1]
	if math.IsNaN(last.Theory) {
		b.WriteString("The norm of the input tokens is not known. With hidden states of the model, the " +
			"theory predicts the overlaps of the layers.\n")
		return
	}
	fmt.Fprintf(b, "In the theory of layers with these numbers the mean cosine of two tokens goes from "+
		"%s to %s: normalised tokens differ by %s of their length at the "+
		"end. ", short(m.input.Theory), short(last.Theory),
		differing(last.Theory))
	if !math.IsNaN(last.Overlap) {
		fmt.Fprintf(b, "In the hidden states it is %s, %s. ", short(last.Overlap),
			differing(last.Overlap))
		difference := func(r weights.Row) float64 { return math.Abs(r.Overlap - r.Theory) }
		worst := lists.Max(0., m.layers, difference)
		random := m.randomDifference()
		fmt.Fprintf(b, "The largest difference between the two is %.2g; a network of this width has "+
			"differences up to about %.2g by chance. ", worst, random)
		if worst > random+0.05 {
			b.WriteString("So the weights have learned something that random layers with the same " +
				"numbers do not do, or the tokens do not meet the assumptions of the theory. ")
		}
	}
	if last.Theory > 0.9 || last.Overlap > 0.9 {
		b.WriteString("The tokens are nearly identical: weaker branches beside the residual connection " +
			"(smaller ad and MLP cd, as by 1/√(2·layers)), or fewer layers, keep them apart; antipode " +
			"advise says by how much. ")
	}
	b.WriteByte('\n')
}

// randomDifference returns two standard deviations of the overlap z of two tokens in a random network with
// the parameters of the model's layers. The variance is the sum of 2(1-z²)(κ₁₁-zκ₁₂) over the layers, with
// κ₁₂ = κ₁₁. The sum ignores that later layers contract differences.
func (m model) randomDifference() float64 {
	z, variance := m.input.Theory, 0.
	for _, r := range m.layers {
		variance += 2 * (1 - z*z) * (1 - z) * (r.A.Value + r.MLPStrength)
		z = r.Theory
	}
	return 2 * math.Sqrt(variance)
}

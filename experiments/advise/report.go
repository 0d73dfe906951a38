package advise

import (
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"

	"antipode/data"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/wording"
	"antipode/internal/lists"
	"antipode/overlap/stack"
)

// Describe implements run.Experiment. The report fills one page.
func (*Experiment) Describe(w io.Writer, table *data.Table) error {
	e := New()
	rows, err := e.layers(table)
	if err != nil {
		return err
	}
	a, err := e.advise()
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s.\n%s\n", e.title(), e.initialisation())
	for _, section := range []func(io.Writer, []Row, advice) error{
		e.writeScales, e.writeLayers, e.writeSides, e.writeTokens, e.writeCheck, e.writeLimits,
		e.writeChanges,
	} {
		if err := section(w, rows, a); err != nil {
			return err
		}
	}
	return nil
}

// layers sets the experiment to the parameters of a table and returns the rows of the table: one row for the
// input, and one for each layer. A missing row is an error.
func (e *Experiment) layers(table *data.Table) ([]Row, error) {
	rows, err := run.ReadRows[Row](e, table)
	if err != nil {
		return nil, err
	}
	for layer := range e.Layers + 1 {
		if layer >= int64(len(rows)) || int64(rows[layer].Layer) != layer {
			return nil, fmt.Errorf("layer %d is missing: the table must have all from 0 to %d", layer,
				e.Layers)
		}
	}
	return rows, nil
}

// title returns the title of the report, which describes the architecture.
func (e *Experiment) title() string {
	attention := "attention"
	if e.Causal {
		attention = "causal attention"
	}
	gate := ""
	if e.Gated {
		gate = ", gated"
	}
	return fmt.Sprintf("%s of dimension %d: %s of %s, an MLP of %d (%s%s), %d tokens",
		wording.Count(e.Layers, e.Norm+" layer"), e.Dim, attention, wording.Count(e.Heads, "head"), e.Width,
		e.Activation, gate, e.Tokens)
}

// initialisation describes the weights and the input of the architecture, including properties that no flag
// sets.
func (e *Experiment) initialisation() string {
	projection := "none"
	if e.Projection != nil {
		projection = short(*e.Projection)
	}
	input := "different words"
	switch {
	case e.Input == given:
		input = "tokens of cosine " + short(e.Start)
	case e.Input == patches:
		input = fmt.Sprintf("patches of %d numbers and a class token", e.Features)
	}
	if e.Positions && e.Input != given {
		input += " with learned positions"
	}
	if e.Types > 0 && e.Input == words {
		input += " and " + wording.Count(e.Types, "type")
	}
	return fmt.Sprintf("Deviations of weights: queries and keys %s, values %s, projection %s, MLP %s and "+
		"%s, biases %s. Input: %s.", short(e.Query), short(e.Value), projection, short(e.Hidden),
		short(e.Output), short(e.Bias), input)
}

func short(x float64) string { return fmt.Sprintf("%.4g", x) }

// fact is a line of the report: a number with its name, the theory that gives the number, and the assumptions
// of that theory (granted).
type fact struct{ name, value, theory, granted string }

// writeFacts writes a heading and a line for each fact.
func writeFacts(w io.Writer, heading string, facts ...fact) error {
	fmt.Fprintln(w, "\n"+heading)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, f := range facts {
		fmt.Fprintf(t, "  %s\t%s\t[%s; %s]\n", f.name, f.value, f.theory, f.granted)
	}
	return t.Flush()
}

// writeScales writes the scales of attention and of the MLP in a layer, in the units of this program.
func (e *Experiment) writeScales(w io.Writer, _ []Row, a advice) error {
	s := e.shape()
	return writeFacts(w, "Scales",
		fact{"scores xᵀ(βI + SG)y", fmt.Sprintf("β = 0, S = %.4g", a.Spread), "S = d σ_Q σ_K",
			"queries and keys independent, heads wide"},
		fact{"effective β of scores", fmt.Sprintf("%.4g", a.EffectiveBeta),
			"Two Failure Modes, v1 (B.1), corrected: S/√log T", "tokens normalised"},
		fact{"noise of values and heads", fmt.Sprintf("σ²/L = %.4g", values(s)/float64(s.Dim)),
			"d Var V · d Var O / d, Clustering (4)", "tokens of length 1 at the input's norm"},
		fact{"noise of the MLP", fmt.Sprintf("c = %s σ², w = %.4g", numberOr(a.MLP, "undefined"), a.Variance),
			"second moments of a wide MLP", "width large"},
		fact{"depth as time at σ = 1", numberOr(a.Clock, "undefined") + ", the --horizon of phase and " +
			"overlap", "Clustering (6): Σ of σ²/L over layers",
			"steps small"})
}

// values returns, for a token that attends only to itself, the squared norm of attention's output divided by
// the squared norm of the normalised token. If LayerNorm follows attention, the output is taken after
// LayerNorm.
func values(s stack.Architecture) float64 {
	if s.Norm == stack.PeriNorm {
		return s.BranchSA * s.BranchSA
	}
	return s.Value2 * s.Projection2 * s.BranchSA * s.BranchSA
}

// writeLayers writes the rows of some layers to the report, beginning with the input.
func (e *Experiment) writeLayers(w io.Writer, rows []Row, _ advice) error {
	fmt.Fprintln(w, "\nEach layer: cosine and stable rank, with bands that contain 99 of 100 networks; "+
		"squared gradients with respect to each matrix, divided by those of the last layer")
	t := wording.NewTable(w)
	fmt.Fprint(t, "layer\tcosine\tfrom\tto\tstable rank\tfrom\tto\tscores\tβ/β_c\t"+
		"input\tqueries\tvalues\tMLP 1\tMLP 2\t")
	if e.Check > 0 {
		fmt.Fprint(t, "simulated\t±\tinside\trank\tinside\t")
	}
	fmt.Fprintln(t)
	last := rows[len(rows)-1]
	for _, k := range wording.Spaced(len(rows), pageRows) {
		r := rows[k]
		fmt.Fprintf(t, "%d\t%.4f\t%.4f\t%.4f\t%.4g\t%.4g\t%.4g\t", r.Layer, r.Cosine, r.Low, r.High,
			r.StableRank, r.RankLow, r.RankHigh)
		fmt.Fprintf(t, "%s\t%s\t", numberOr(r.ScoreDeviation, "–"), numberOr(r.CriticalRatio, "–"))
		for _, k := range kinds {
			gradient, _ := k.of(r)
			lastGradient, _ := k.of(last)
			fmt.Fprint(t, numberOr(gradient/lastGradient, "–"), "\t")
		}
		if e.Check > 0 {
			fmt.Fprintf(t, "%.4f\t%s\t%.0f %%\t%.4g\t%.0f %%\t", r.SimCosine, numberOr(r.SimStderr,
				"–"), 100*r.Inside,
				r.SimRank, 100*r.RankInside)
		}
		fmt.Fprintln(t)
	}
	return t.End(layerTheory)
}

// layerTheory is the paragraph of the report that names the theory of the rows.
const layerTheory = "[Means: Two Failure Modes (11)-(16) for groups of positions; the tokens of a group " +
	"are alike. To first order in 1/d, attention selects tokens along the direction of its query. " +
	"LayerNorm after a branch gives its output the squared norm d. Biases of values and MLPs " +
	"add a part that all tokens share.\n Bands: the noise of all layers, to first order in 1/d, " +
	"1/width and 1/heads; for two tokens and a single head about 93 of 100 networks are in them.\n " +
	"Stable rank: the number of directions in which tokens spread, by Baik, Ben Arous and Péché, Tracy " +
	"and Widom. It assumes independent coordinates, and its band assumes that all " +
	"tokens are alike; with causal attention about nine of ten networks are in it, and fewer where weak " +
	"layers move given tokens.\n Scores: the standard " +
	"deviation of the scores of a token. β/β_c: near 1 attention condenses on a few tokens.\n Gradients: " +
	"through values and MLPs, with independent weights in the forward and the backward pass. Those with " +
	"respect to queries assume spread attention, and hold to an order of magnitude.]"

// pageRows is the greatest number of rows of layers in the report.
const pageRows = 27

// numberOr returns a number with three digits, or the text otherwise if the number is not finite.
func numberOr(x float64, otherwise string) string {
	return wording.Or(data.FiniteOrNaN(x), "%.3g", otherwise)
}

// writeSides states on which side of the critical values of the theory the architecture is.
func (e *Experiment) writeSides(w io.Writer, rows []Row, a advice) error {
	depth := func(layer int) string {
		switch {
		case layer < 0:
			return fmt.Sprintf("not within %d layers", max(deepest, e.Layers))
		case int64(layer) > e.Layers:
			return fmt.Sprintf("after layer %d, if there were so many layers", layer)
		}
		return fmt.Sprintf("after layer %d", layer)
	}
	skip := "none is enough"
	if !math.IsNaN(a.CriticalSkip) {
		ratio := math.Inf(1) // also if both are 0
		if a.CriticalSkip > 0 {
			ratio = e.AlphaSA / a.CriticalSkip
		}
		skip = fmt.Sprintf("α_c = %.4g, α_SA = %s: %s", a.CriticalSkip, parameter.FormatReal(e.AlphaSA),
			side(ratio))
	}
	opposite := "always, as d = 2"
	if !math.IsNaN(a.CriticalBeta) {
		opposite = fmt.Sprintf("do not stay: cosh 2β is 1 at β = 0, and not above d-2 = %d; they would "+
			"stay above β_c = %.4g", e.Dim-2, a.CriticalBeta)
	}
	return writeFacts(w, "Where it stands",
		fact{"cosine above 0.9", depth(a.Depth90), "the means above", "more layers like these"},
		fact{"cosine above 0.99", depth(a.Depth99), "the means above", "more layers like these"},
		fact{"attention", fmt.Sprintf("β_c/β = %s at least: %s", numberOr(a.Margin, "∞"),
			condensed(a.Margin)),
			"Two Failure Modes, Result 1: β_c = √(2/(q(q-p)))", "many tokens"},
		fact{fmt.Sprintf("cosine above %s at the end", parameter.FormatReal(e.Collapse)), skip,
			"Two Failure Modes, 4", "the means above"},
		fact{"opposite clusters", opposite, "Clustering, Theorem 2", "identity scores"},
		fact{"gradients", fmt.Sprintf("the first layer's input has %s times the gradient of the last layer's",
			numberOr(a.Growth, "∞")),
			"the gradients above", "squared norms"})
}

// side says in words how far the ratio of a number to its critical value is from 1.
func side(ratio float64) string {
	switch {
	case math.IsInf(ratio, 1):
		return "any is enough"
	case ratio >= 1:
		return fmt.Sprintf("%.3g times the needed strength", ratio)
	}
	return fmt.Sprintf("only %.3g of the needed strength", ratio)
}

func condensed(margin float64) string {
	switch {
	case margin < 1:
		return "attention is condensed on a few tokens from the start"
	case margin < stack.SafeMargin:
		return "attention begins to condense"
	}
	return "attention is spread"
}

// writeTokens describes in words what happens to two tokens and to many tokens in the architecture.
func (e *Experiment) writeTokens(w io.Writer, rows []Row, a advice) error {
	last := rows[len(rows)-1]
	ends := "not known: " + a.LimitUnknown
	if a.LimitUnknown == "" {
		ends = fmt.Sprintf("+1 %s, -1 %s", a.PlusOne, a.MinusOne)
	}
	different := math.Sqrt(max(0, 2*(1-last.Cosine)))
	return writeFacts(w, "Two tokens and many",
		fact{"two alone", fmt.Sprintf("cosine %.4g after the last layer", a.TwoTokens),
			"the means above, T = 2", "means over networks"},
		fact{"ends of their overlap", ends, "diffusion of a block with resampled scores",
			"many small steps"},
		fact{fmt.Sprintf("%d tokens", e.Tokens),
			fmt.Sprintf("cosine %.4g after the last layer: they differ by %.0f %% of their length",
				last.Cosine, 100*different), "the means above", "different words"})
}

// writeCheck states how well the theory agrees with simulated networks.
func (e *Experiment) writeCheck(w io.Writer, rows []Row, _ advice) error {
	if e.Check == 0 {
		return nil
	}
	inside, ranks, deviation := 0., 0., wording.Difference{}
	for _, r := range rows {
		inside += r.Inside / float64(len(rows))
		ranks += r.RankInside / float64(len(rows))
		deviation.Add(math.Abs(r.SimCosine - r.Cosine))
	}
	first, end := rows[1], rows[len(rows)-1]
	growths := lists.Map(kinds, func(k kind) any {
		t1, s1 := k.of(first)
		t2, s2 := k.of(end)
		return fmt.Sprintf("%.3g (%.3g)", s1/s2, t1/t2)
	})
	_, err := fmt.Fprintf(w, "\nSimulated: in %s the cosine is in the band in %.1f %% of the layers, and "+
		"its mean differs from the theory by %.3g at most; the stable rank is in its band in %.1f %% of "+
		"the layers.\nSquared gradients of the first layer divided by those of the last, with the theory "+
		"in brackets: input %s, queries %s, values %s, MLP %s and %s.\n", append([]any{
		wording.Count(e.Check, "network"), 100 * inside, deviation.Largest(), 100 * ranks}, growths...)...)
	return err
}

// widestScores is the standard deviation of scores up to which the means of the theory agree with simulated
// networks of any number of tokens.
const widestScores = 1

// writeLimits states what the theory neglects in the architecture.
func (e *Experiment) writeLimits(w io.Writer, rows []Row, _ advice) error {
	wide := func(r Row) bool { return r.ScoreDeviation >= widestScores }
	if k := slices.IndexFunc(rows, wide); k >= 0 {
		_, err := fmt.Fprintf(w, "\nThe means and bands of cosines hold for attention whose scores have "+
			"standard deviations below about %d. In layer %d it is %.3g: tokens attend to few others, and "+
			"mean cosines may be several times those of the table, the more so the more tokens there are "+
			"per dimension. Gradients by scores are left out. --check compares with networks.\n",
			widestScores, rows[k].Layer, rows[k].ScoreDeviation)
		if err != nil {
			return err
		}
	}
	if e.Input != words || e.Positions {
		return nil
	}
	_, err := fmt.Fprintln(w, "\nThere are no embeddings of positions. The theory does not include "+
		"rotary positions. They do not change the law of a single score, but they make the scores of "+
		"tokens that are far apart less similar than in the theory. This matters if tokens are alike.")
	return err
}

// nearLimit returns a warning if the greatest cosine with which the signal passes lies in the band of the
// last layer, and otherwise "".
func nearLimit(rows []Row, limit float64) string {
	last := rows[len(rows)-1]
	if !(last.Low < limit && limit < last.High) {
		return ""
	}
	return " This is close: the limit is in the band, so single networks may be on either side, and so " +
		"may sequences with other --tokens."
}

// unequalGradients returns a warning if the gradients of the first and the last layer differ by more than a
// factor of ten, and otherwise "".
func unequalGradients(growth float64) string {
	if !(growth > 10 || growth < 0.1) {
		return ""
	}
	return fmt.Sprintf(" The gradients need a change: the squared gradients of the first layer's input "+
		"are %s times those of the last layer's. Make branches weaker with depth, or use warm-up.",
		numberOr(growth, "infinitely many"))
}

// writeChanges states whether the signal passes through the architecture, and which changes would make it
// pass.
func (e *Experiment) writeChanges(w io.Writer, rows []Row, a advice) error {
	limit := parameter.FormatReal(e.Collapse)
	if a.Passes {
		_, err := fmt.Fprintf(w, "\nThe signal passes: the cosine of %d tokens after the last layer is "+
			"%.4g, not above %s, and attention is spread. Nothing has to change for this.%s%s\n", e.Tokens,
			a.Cosine, limit, nearLimit(rows, e.Collapse), unequalGradients(a.Growth))
		return err
	}
	fmt.Fprintf(w, "\nThe signal does not pass: cosine of %d tokens %.4g (at most %s), β_c/β %.3g (at "+
		"least %d).%s%s The table shows the smallest change of each kind with which the signal passes, "+
		"by the same theory. If no change of a kind is enough, it shows the best one. The further the "+
		"cosine was below the limit, the sooner networks "+
		"learned:\n", e.Tokens, a.Cosine, limit, a.Margin, stack.SafeMargin, nearLimit(rows, e.Collapse),
		unequalGradients(a.Growth))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "  change\tcosine\tβ_c/β\tgradients\t")
	for _, c := range a.Changes {
		verdict := "passes"
		if !c.Passes {
			verdict = "not enough"
		}
		if c.Kind == stack.QueriesKeys && !c.Passes {
			verdict = "together with one of these:"
		}
		fmt.Fprintf(t, "  %s\t%.4f\t%s\t%s\t%s\n", e.changeText(c), c.Signal.Cosine,
			numberOr(c.Signal.Margin, "–"), numberOr(c.Signal.Growth, "–"), verdict)
	}
	return t.Flush()
}

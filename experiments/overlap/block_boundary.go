package overlap

import (
	"fmt"
	"io"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/parameter"
	"antipode/experiments/setting"
	"antipode/experiments/theory"
	"antipode/experiments/wording"
	"antipode/overlap"
	"antipode/sde"
	"antipode/sphere/invariant"
)

// oddMLP reports whether there is an MLP whose activation is odd, so that it maps opposite tokens to opposite
// tokens. With an MLP, a boundary between attracting and repelling overlap -1 exists only if the activation
// is odd.
func (o *Experiment) oddMLP() bool { return o.MLP.Strength > 0 && o.MLP.Activation.Odd() }

// showsBlockBoundary reports whether the boundary of attraction with an MLP is requested and exists.
func (o *Experiment) showsBlockBoundary() bool { return o.showsBoundary() && o.oddMLP() }

// boundaryRow returns a row with the strengths c and variances w of the MLP at which overlap -1 or overlap 1
// becomes attracting or ceases to be attracting.
func (o *Experiment) boundaryRow(block BlockRow) BoundaryRow {
	r := data.NullRow[BoundaryRow]()
	r.BlockRow = block
	for _, end := range []struct {
		z                   float64
		low, high, variance *float64
	}{
		{-1, &r.AntipodalLow, &r.AntipodalHigh, &r.AntipodalVariance},
		{1, &r.SingleLow, &r.SingleHigh, &r.SingleVariance},
	} {
		low, high, variances := o.changes(end.z, int(r.Dim), r.Beta)
		if low < high {
			*end.low = low
		}
		if low < high && !math.IsInf(high, 1) {
			*end.high = high
		}
		if len(variances) > 0 {
			*end.variance = variances[len(variances)-1]
		}
	}
	return r
}

// changes returns the range of strengths of the MLP for which the overlap end, -1 or 1, is attracting.
// changes also returns the variances w of the MLP at which this overlap becomes attracting or ceases to be
// attracting. If the variance of the overlap exceeds float64, the strengths are NaN and there are no
// variances.
func (o *Experiment) changes(end float64, d int, beta float64) (low, high float64, w []float64) {
	base, err := o.besideDrift(d, beta)
	if err == nil {
		low, high, err = base.AttractingStrengths(end, o.MLP.InTheory())
	}
	if err == nil {
		w, err = base.CriticalVariances(end, o.MLP.InTheory())
	}
	if err != nil {
		return math.NaN(), math.NaN(), nil
	}
	return low, high, w
}

// besideDrift returns the diffusion of the overlap under attention and the drift, without the MLP.
func (o *Experiment) besideDrift(d int, beta float64) (*overlap.Diffusion, error) {
	c := o.cell(d, beta)
	c.MLP = sde.MLP{}
	return theory.ClustersDiffusion(c, o.Masses)
}

// describeBlockBoundary writes where overlaps -1 and 1 are attracting with an MLP: the criterion, the
// critical β of each dimension, and tables of strengths and variances of the MLP.
func (o *Experiment) describeBlockBoundary(w io.Writer, rows []fullRow) error {
	fmt.Fprintln(w, o.blockCondition())
	dims, betas := o.grid()
	for k, d := range dims {
		fmt.Fprintf(w, "  d = %d: at c = %s overlap -1 %s\n", d, parameter.FormatReal(o.MLP.Strength),
			wording.Or(rows[k*len(betas)].BetaC, "changes at β = %.8g", "does not change with β"))
	}
	c := parameter.FormatReal(o.MLP.Strength)
	for _, table := range []struct {
		title string
		text  func(r fullRow) string
	}{
		{"Strengths c of such an MLP for which overlap -1 attracts",
			func(r fullRow) string { return interval(r.AntipodalLow, r.AntipodalHigh) }},
		{"Strengths c for which overlap +1 attracts",
			func(r fullRow) string { return interval(r.SingleLow, r.SingleHigh) }},
		{"The largest variance w at which overlap -1 changes, c = " + c,
			func(r fullRow) string { return knownOrNone(r.AntipodalVariance) }},
		{"The largest variance w at which overlap +1 changes, c = " + c,
			func(r fullRow) string { return knownOrNone(r.SingleVariance) }},
	} {
		fmt.Fprintf(w, "\n%s:\n", table.title)
		if err := o.boundaryTable(w, rows, true, table.text); err != nil {
			return err
		}
	}
	return nil
}

// blockCondition returns the text of the condition under which overlaps near -1 or near 1 are attracted to -1
// or 1 in a block with an MLP. If the entries of value matrices are independent and of variance 1, the text
// contains the numerical values of the condition.
func (o *Experiment) blockCondition() string {
	c, err := o.MLP.InTheory().Correlation()
	if err != nil || o.resampled() || o.Covariance != invariant.Ginibre || o.beside().Drift > 0 ||
		o.Attention != sde.Softmax {
		more := setting.Sublayers{Drift: o.beside().Drift}.Caption() + o.attentionSetting()
		return fmt.Sprintf("Where overlaps -1 and +1 attract under %v attention and an MLP %v of variance "+
			"w = %s%s.", o.Attention, o.MLP.Activation, parameter.FormatReal(o.MLP.Variance), more)
	}
	return fmt.Sprintf("Beside an MLP %v of variance w = %s, with r = w E φ'²/E φ² = %.6g, overlap -1 "+
		"attracts where\n(d-3)(1 + c r) < (d-1)(tanh²β + c), and overlap +1 where (d-3) c r < (d-1)(1 + c).",
		o.MLP.Activation, parameter.FormatReal(o.MLP.Variance), c.Slope())
}

// boundaryTable writes a table with a text for each β and dimension. If once is true and the texts do not
// depend on β, the table has a single line.
func (o *Experiment) boundaryTable(
	w io.Writer, rows []fullRow, once bool, text func(r fullRow) string,
) error {
	dims, betas := o.grid()
	t := wording.NewTable(w)
	fmt.Fprint(t, "β\t")
	for _, d := range dims {
		fmt.Fprintf(t, "d = %d\t", d)
	}
	fmt.Fprintln(t)
	lines := make([]string, len(betas))
	for i := range betas {
		for k := range dims {
			lines[i] += text(rows[k*len(betas)+i]) + "\t"
		}
	}
	if once && len(slices.Compact(slices.Clone(lines))) == 1 {
		fmt.Fprintln(t, "any\t"+lines[0])
		return t.Flush()
	}
	for i, beta := range betas {
		fmt.Fprintf(t, "%g\t%s\n", beta, lines[i])
	}
	return t.Flush()
}

// interval returns the text of a range of strengths of the MLP. The end of a range is NaN if it does not
// exist.
func interval(low, high float64) string {
	switch {
	case math.IsNaN(low):
		return "none"
	case math.IsNaN(high) && low == 0:
		return "all"
	case math.IsNaN(high):
		return fmt.Sprintf("above %.6g", low)
	case low == 0:
		return fmt.Sprintf("below %.6g", high)
	}
	return fmt.Sprintf("%.6g to %.6g", low, high)
}

func knownOrNone(x float64) string { return wording.Or(x, "%.6g", "none") }

// boundaryProblem says why no boundary of attraction exists with the sublayers beside attention.
func (o *Experiment) boundaryProblem() string {
	if o.MLP.Strength > 0 && !o.MLP.Activation.Odd() {
		return fmt.Sprintf("there is no boundary beside an MLP with %v, which is not odd and takes opposite "+
			"tokens apart at every β and strength", o.MLP.Activation)
	}
	return "the boundary is that of two equal clusters under random value matrices; " +
		"must be left out beside --epsilon and unequal masses, and beside --drift without --mlp"
}

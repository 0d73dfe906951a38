package overlap

import (
	"fmt"
	"io"
	"math"
	"strings"

	"antipode/data"
	"antipode/experiments/columns"
	"antipode/experiments/internal/theory"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/overlap"
)

// Describe implements Experiment: a paragraph for each point, with the inequality
// that decides and its numbers.
func (o *Experiment) Describe(w io.Writer, table *data.Table) error {
	point := New()
	if err := run.ReadParameters(point, table); err != nil {
		return err
	}
	r := columns.Reader{Table: table}
	dim, beta := columns.Of[int32](&r, "dim"), columns.Of[float64](&r, "beta")
	minus, plus := columns.Of[int8](&r, "minus_one"), columns.Of[int8](&r, "plus_one")
	number := func(name string) func(k int) float64 {
		values := columns.Of[float64](&r, name)
		return func(k int) float64 { return values[k] }
	}
	boundary, boundaryDepth, lyapunov := number("beta_c"), number("beta_c_depth"), number("lyapunov")
	antipodal, single := number("p_antipodal"), number("p_single")
	lifetime, logLifetime, decay := number("lifetime"), number("log_lifetime"), number("decay_time")
	antipodalHorizon, singleHorizon := number("p_antipodal_horizon"), number("p_single_horizon")
	horizonError := columns.Later(&r, "p_horizon_error")
	if r.Err != nil {
		return r.Err
	}
	for k := range dim {
		d, b := int(dim[k]), beta[k]
		lines := []string{fmt.Sprintf("d = %d, β = %s, %s attention%s", d, parameter.FormatReal(b), point.Attention, point.setting())}
		add := func(format string, arguments ...any) { lines = append(lines, fmt.Sprintf("  "+format, arguments...)) }
		add("overlap +1: %s", boundaryNames[plus[k]])
		add("overlap -1: %s, as %s", boundaryNames[minus[k]], point.reason(overlap.Boundary(minus[k]), d, b))
		switch {
		case boundary(k) == boundary(k):
			add("β_c = %.10g%s", boundary(k), ifNumber(boundaryDepth(k), ", and %.10g at this depth"))
		case d == 2 && point.Epsilon == nil && point.equalMasses():
			add("there is no β_c: on the circle overlap -1 attracts at every β")
		}
		if lyapunov(k) == lyapunov(k) {
			per := "unit of time"
			if point.Depth != nil {
				per = "layer"
			}
			add("Lyapunov exponent of the antipodal pair: %.8g per %s", lyapunov(k), per)
		}
		add("P(antipodal) = %.10g, P(single) = %.10g, from %s", antipodal(k), single(k), point.startText())
		if point.Horizon != nil {
			add("at time %s, within %s: P(antipodal) = %s, P(single) = %s%s", parameter.FormatReal(*point.Horizon), parameter.FormatReal(point.Tolerance),
				knownText(antipodalHorizon(k)), knownText(singleHorizon(k)), ifNumber(horizonError[k], ", estimated error %.1g"))
		}
		if logLifetime(k) == logLifetime(k) {
			add("the antipodal state lives for %s (mean passage time to overlap 0)%s", timeText(lifetime(k), logLifetime(k)),
				ifNumber(decay(k), " and decays with time constant %.6g"))
		}
		if _, err := fmt.Fprintln(w, strings.Join(lines, "\n")); err != nil {
			return err
		}
	}
	return nil
}

// setting names what differs from two tokens under random value matrices.
func (o *Experiment) setting() string {
	switch {
	case o.Epsilon != nil:
		return fmt.Sprintf(", hybrid model with ε = %s", parameter.FormatReal(*o.Epsilon))
	case !o.equalMasses():
		return fmt.Sprintf(", clusters of %s and %s tokens", parameter.FormatReal(o.Masses[0]), parameter.FormatReal(o.Masses[1]))
	}
	return ""
}

func (o *Experiment) startText() string {
	if o.Z0 == nil {
		return "independent uniform tokens"
	}
	return "overlap " + parameter.FormatReal(*o.Z0)
}

// reason is the inequality that decides the class of -1.
func (o *Experiment) reason(class overlap.Boundary, d int, beta float64) string {
	relation := "≤"
	if class == overlap.Attracting {
		relation = ">"
	}
	switch {
	case o.Epsilon != nil:
		_, threshold := overlap.HybridThresholds(beta, theory.Attention(o.Attention))
		return fmt.Sprintf("ε = %s %s %.6g", parameter.FormatReal(*o.Epsilon), relation, threshold)
	case !o.equalMasses():
		return "unequal clusters cannot stay opposite: one layer moves them unequally far"
	}
	if cosh := math.Cosh(2 * beta); !math.IsInf(cosh, 1) {
		return fmt.Sprintf("cosh 2β = %.6g %s d-2 = %d", cosh, relation, d-2)
	}
	return fmt.Sprintf("cosh 2β > 1e+308 %s d-2 = %d", relation, d-2)
}

// knownText gives a probability at the horizon, which is not there where its error is large.
func knownText(p float64) string {
	if math.IsNaN(p) {
		return "unknown"
	}
	return fmt.Sprintf("%.8g", p)
}

func ifNumber(x float64, format string) string {
	if math.IsNaN(x) {
		return ""
	}
	return fmt.Sprintf(format, x)
}

// timeText gives a time, or its logarithm where it is beyond float64.
func timeText(time, logarithm float64) string {
	if math.IsNaN(time) {
		return fmt.Sprintf("e^%.6g", logarithm)
	}
	return fmt.Sprintf("%.6g", time)
}

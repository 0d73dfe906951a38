package overlap

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"antipode/data"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/experiments/theory"
	"antipode/experiments/wording"
	"antipode/overlap"
	"antipode/overlap/firstpassage"
	"antipode/sphere/invariant"
)

// Describe implements run.Experiment. The report of experiment overlap has a paragraph for each point of the
// grid. The paragraph begins with the inequality that determines whether overlap -1 is attracting, with its
// numbers.
func (o *Experiment) Describe(w io.Writer, table *data.Table) error {
	o = New()
	rows, err := run.ReadRows[fullRow](o, table)
	if err != nil {
		return err
	}
	switch {
	case o.showsBlockBoundary():
		return o.describeBlockBoundary(w, rows)
	case o.showsBoundary():
		return o.describeBoundary(w, rows)
	}
	for _, r := range rows {
		if _, err := fmt.Fprintln(w, strings.Join(o.at(r.Epsilon).sentences(r), "\n")); err != nil {
			return err
		}
	}
	return nil
}

// sentences returns the lines of the paragraph on a row.
func (o *Experiment) sentences(full fullRow) []string {
	r := full.Row
	lines := []string{fmt.Sprintf("d = %d, β = %s, %s attention%s", r.Dim, parameter.FormatReal(r.Beta),
		o.Attention, o.setting())}
	add := func(format string, arguments ...any) {
		lines = append(lines, fmt.Sprintf("  "+format, arguments...))
	}
	add("overlap +1: %s", r.PlusOne)
	add("overlap -1: %s, as %s", r.MinusOne, o.reason(r))
	switch {
	case r.BetaC == r.BetaC:
		add("β_c = %.10g%s", r.BetaC, ifNumber(r.BetaCDepth, ", and %.10g at this depth")+o.seriesText(r))
		if text, known := o.limitDepthText(int(r.Dim)); known {
			add("%s", text)
		}
	case r.Dim == 2 && o.Epsilon == nil && o.equalMasses() && o.Covariance == invariant.Ginibre &&
		!o.resampled():
		add("there is no β_c: on the circle overlap -1 attracts at every β")
	}
	switch {
	case r.Lyapunov == r.Lyapunov:
		per := "unit of time"
		if o.Depth != nil && o.hasExponents() {
			per = "layer"
		}
		add("Lyapunov exponent of the antipodal pair: %.8g per %s", r.Lyapunov, per)
	case o.Depth != nil && o.hasExponents():
		add("Lyapunov exponent of the antipodal pair: unknown, because the noise of a layer is too large " +
			"at this depth")
	case r.MinusOne != overlap.Attracting && r.MinusOne != overlap.NonAttracting:
	case o.Epsilon != nil || o.equalMasses():
		add("Lyapunov exponent of the antipodal pair: beyond 1.8e308 per unit of time")
	}
	if r.Within == r.Within && r.Between == r.Between {
		add("exponents of distances at two opposite clusters of equal size, for any number of tokens: %.8g "+
			"between tokens of a cluster, %.8g of the clusters from opposition, per unit of "+
			"time", r.Within+0, r.Between+0) // 0 for -0
	}
	if !o.beside().None() && o.atDepth() { // the limit may be far from the law at a depth
		add("%s", o.depthText(r))
	}
	add("P(antipodal) = %.10g, P(single) = %.10g, from %s", r.Antipodal, r.Single, o.startText())
	if o.showsCertificate() {
		add("%s", o.certificateText(full))
	}
	if o.showsDepthCertificate() && r.Dim > 2 {
		add("%s", o.depthCertificateText(full))
	}
	for _, text := range o.derivativeLines(full) {
		add("%s", text)
	}
	if full.LimitMean == full.LimitMean {
		add("neither end attracts: the overlap has a stationary law with mean %.8g%s", full.LimitMean,
			ifNumber(full.Relaxation, ", reached with time constant %.6g"))
	}
	if o.Horizon != nil {
		add("at time %s, within %s: %s%s", parameter.FormatReal(*o.Horizon),
			parameter.FormatReal(o.Tolerance),
			lawText(r.AntipodalHorizon, r.SingleHorizon, r.HorizonError), o.whyUnknown(r))
	}
	if o.showsThree() {
		add("%s", o.threeText(full))
	}
	if o.atDepth() && o.beside().None() {
		add("%s", o.depthText(r))
	}
	if r.LogLifetime == r.LogLifetime {
		add("the antipodal state lasts for a mean time of %s (passage time to overlap 0)%s",
			wording.Or(r.Lifetime, "%.6g", fmt.Sprintf("e^%.6g", r.LogLifetime)), // if beyond float64
			ifNumber(r.DecayTime, " and decays with time constant %.6g"))
	} else if problem := o.timesProblem(r); problem != nil && !o.equalMasses() {
		add("the lifetime of the antipodal state is unknown: %v", problem)
	}
	if text, known := o.holdingText(r); known {
		add("%s", text)
	}
	return lines
}

// holdingText states how the lifetime of opposite clusters grows as an MLP that is not odd becomes weak.
func (o *Experiment) holdingText(r Row) (text string, known bool) {
	if !(o.MLP.Strength > 0) || r.MinusOne == overlap.Attracting || r.MinusOne == overlap.NonAttracting {
		return "", false
	}
	attention, err := o.besideDrift(int(r.Dim), r.Beta)
	if err != nil {
		return "", false
	}
	exponent, known := attention.HoldingExponent()
	return fmt.Sprintf("without the MLP overlap -1 attracts: as its strength c → 0 the lifetime grows like "+
		"c^(-%.4g)", exponent), known
}

// whyUnknown returns the reason why a probability at the horizon is not known, or "" if all these
// probabilities are known.
func (o *Experiment) whyUnknown(r Row) string {
	if r.AntipodalHorizon == r.AntipodalHorizon && r.SingleHorizon == r.SingleHorizon {
		return ""
	}
	if problem := o.timesProblem(r); problem != nil {
		return ": " + problem.Error()
	}
	return fmt.Sprintf("; unknown values are not accurate to %.0g", theory.LargestHorizonError)
}

// timesProblem returns the reason why times of the diffusion of the overlap are not available for a row, or
// nil if they are available.
func (o *Experiment) timesProblem(r Row) error {
	diffusion, err := o.diffusionAt(int(r.Dim), r.Beta)
	if err == nil {
		_, err = firstpassage.Lifetime(diffusion)
	}
	return err
}

// setting names the properties in which the experiment differs from two tokens under attention with random
// value matrices.
func (o *Experiment) setting() string { return o.attentionSetting() + o.beside().Caption() }

func (o *Experiment) attentionSetting() string {
	switch {
	case len(o.Epsilon) > 1:
		return ", hybrid model"
	case o.Epsilon != nil:
		return fmt.Sprintf(", hybrid model with ε = %s", parameter.FormatReal(o.Epsilon[0]))
	case !o.equalMasses():
		return fmt.Sprintf(", clusters of %s and %s tokens", parameter.FormatReal(o.Masses[0]),
			parameter.FormatReal(o.Masses[1])) + setting.CovarianceCaption(o.Covariance)
	}
	return o.Interaction.Caption() + setting.CovarianceCaption(o.Covariance)
}

func (o *Experiment) startText() string {
	if o.Z0 == nil {
		return "independent uniform tokens"
	}
	return "overlap " + parameter.FormatReal(*o.Z0)
}

// reason states the inequality that determines whether overlap -1 is attracting, for the report.
func (o *Experiment) reason(r Row) string {
	relation := "≤"
	if r.MinusOne == overlap.Attracting {
		relation = ">"
	}
	switch {
	case o.MLP.Strength > 0 && !o.MLP.Activation.Odd():
		return fmt.Sprintf("the MLP's activation %v is not odd, and drives opposite tokens apart",
			o.MLP.Activation)
	case !o.beside().None() && o.equalMasses():
		return fmt.Sprintf("its exponent is %.6g", r.Between)
	case o.Epsilon != nil:
		_, threshold := overlap.HybridThresholds(r.Beta, theory.Attention(o.Attention))
		return fmt.Sprintf("ε = %s %s %s", parameter.FormatReal(o.Epsilon[0]), relation,
			besideText(threshold, o.Epsilon[0]))
	case !o.equalMasses() && o.Covariance.A > 0:
		return "unequal clusters cannot stay opposite, because one layer moves them by unequal distances"
	}
	if o.resampled() {
		return fmt.Sprintf("its exponent is %.6g", r.Between)
	}
	if o.Covariance != invariant.Ginibre {
		return o.isotropicReason(r, relation)
	}
	if cosh := math.Cosh(2 * r.Beta); !math.IsInf(cosh, 1) {
		return fmt.Sprintf("cosh 2β = %s %s d-2 = %d", besideText(cosh, float64(r.Dim-2)), relation, r.Dim-2)
	}
	return fmt.Sprintf("cosh 2β > 1e+308 %s d-2 = %d", relation, r.Dim-2)
}

// isotropicReason states the inequality that determines whether overlap -1 is attracting, for value matrices
// of a covariance other than Ginibre.
func (o *Experiment) isotropicReason(r Row, relation string) string {
	v := o.Covariance
	critical := overlap.CriticalDim(r.Beta, v)
	switch {
	case v.A == 0:
		return "a = 0: multiples of the identity leave opposite tokens opposite, in every dimension"
	case math.IsInf(critical, 1):
		return "a cosh 2β + b (1 + sinh 2β) + c > 1e+308"
	}
	return fmt.Sprintf("2 + [a cosh 2β + b (1 + sinh 2β) + c]/a = %s %s d = %d",
		besideText(critical, float64(r.Dim)), relation, r.Dim)
}

// besideText formats a number with six digits, or with as many as show whether the number is less or greater
// than the other number, from which it differs.
func besideText(number, other float64) string {
	for digits := 6; digits < 17; digits++ {
		text := strconv.FormatFloat(number, 'g', digits, 64)
		if shown, _ := strconv.ParseFloat(text, 64); cmp.Compare(shown, other) == cmp.Compare(number, other) {
			return text
		}
	}
	return parameter.FormatReal(number)
}

// lawText states the probabilities of the antipodal outcome and of a single cluster. The estimated error
// follows the probabilities that are known.
func lawText(antipodal, single, estimated float64) string {
	text, known := "P(antipodal) = "+knownText(antipodal), ifNumber(estimated, ", estimated error %.1g")
	if single == single {
		return text + ", P(single) = " + knownText(single) + known
	}
	if antipodal == antipodal {
		text += known
	}
	return text + ", P(single) = unknown"
}

// knownText formats a probability. A probability with a large error is NaN, and its text is unknown.
func knownText(p float64) string { return wording.Or(p, "%.8g", "unknown") }

func ifNumber(x float64, format string) string { return wording.Or(x, format, "") }

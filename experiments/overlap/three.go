package overlap

import (
	"fmt"

	"antipode/experiments/parameter"
	"antipode/experiments/theory"
	"antipode/experiments/wording"
	"antipode/overlap/threetokens"
	"antipode/sphere/invariant"
)

// ThreeTokens holds the columns of the probabilities of three tokens, which the parameter tokens adds to a
// table.
type ThreeTokens struct {
	_             struct{} `meaning:"probability that three tokens that start independent and uniform on the"`
	_             struct{} `meaning:"sphere have three overlaps ≥ 1-τ at the horizon (one cluster); null"`
	_             struct{} `meaning:"where the probability is not known to 1e-3"`
	ThreeSingle   float64  `column:"p_three_single,nullable"`
	_             struct{} `meaning:"probability that three tokens that start independent and uniform on the"`
	_             struct{} `meaning:"sphere have one overlap ≥ 1-τ and two overlaps ≤ -1+τ at the horizon"`
	_             struct{} `meaning:"(two tokens against one); null where the probability is not known to"`
	_             struct{} `meaning:"1e-3"`
	TwoAgainstOne float64  `column:"p_two_against_one,nullable"`
	_             struct{} `meaning:"probability that three tokens that start independent and uniform on the"`
	_             struct{} `meaning:"sphere have three overlaps above 0 at the horizon; null where the"`
	_             struct{} `meaning:"probability is not known to 1e-3"`
	SingleBasin   float64  `column:"p_three_single_basin,nullable"`
	_             struct{} `meaning:"probability that three tokens that start independent and uniform on the"`
	_             struct{} `meaning:"sphere have one overlap above 0 and two overlaps below 0 at the"`
	_             struct{} `meaning:"horizon; null where the probability is not known to 1e-3"`
	OpposedBasin  float64  `column:"p_two_against_one_basin,nullable"`
	_             struct{} `meaning:"estimated absolute error of the probabilities p_three_single,"`
	_             struct{} `meaning:"p_two_against_one, p_three_single_basin and p_two_against_one_basin;"`
	_             struct{} `meaning:"null where these are null"`
	ThreeError    float64  `column:"p_three_error,nullable"`
}

// tokens returns the parameter of the number of tokens, 2 or 3.
func (o *Experiment) tokens() parameter.Parameter {
	return parameter.Parameter{Name: "tokens",
		Meaning: "number of tokens: 3 adds the probabilities of three tokens at the horizon: one " +
			"cluster, or two against one",
		Value: parameter.LeastAsZero(&o.Tokens, parameter.Range{Low: 2, High: 3}),
		Inapplicable: parameter.Unless(o.threeExist(), "the law of three tokens is known at a "+
			"horizon, from uniform starts and under values of independent entries; must be left "+
			"out without --horizon and beside --z0, --epsilon, --masses, --covariance, --interaction, "+
			"--mlp and --drift")}
}

// threeExist reports whether the law of three tokens can be computed for the cells of the experiment.
func (o *Experiment) threeExist() bool {
	return o.Horizon != nil && o.Z0 == nil && o.Epsilon == nil && o.equalMasses() &&
		o.Covariance == invariant.Ginibre && !o.resampled() && o.beside().None()
}

// showsThree reports whether the law of three tokens is requested and available.
func (o *Experiment) showsThree() bool { return o.Tokens == 3 && o.threeExist() }

// threeAccuracy is the requested error of probabilities of three tokens.
const threeAccuracy = 1e-4

// fillThree sets in a row the probabilities of three tokens at the horizon. If these probabilities cannot be
// computed, their columns stay null.
func (o *Experiment) fillThree(r *fullRow) {
	if !o.showsThree() {
		return
	}
	laws, err := threetokens.Uniform(int(r.Dim), r.Beta, theory.Attention(o.Attention), 1,
		[]float64{*o.Horizon}, o.Tolerance, threeAccuracy)
	if err != nil {
		return
	}
	law := laws[0]
	if failure := law.Single.Error; failure <= theory.LargestHorizonError {
		r.ThreeSingle, r.TwoAgainstOne = theory.Clamped(law.Single), theory.Clamped(law.TwoAgainstOne)
		r.SingleBasin = theory.Clamped(law.SingleBasin)
		r.OpposedBasin = theory.Clamped(law.TwoAgainstOneBasin)
		r.ThreeError = failure
	}
}

// threeText states the probabilities of three tokens for the report.
func (o *Experiment) threeText(r fullRow) string {
	if d, beta := r.Dim, r.Beta; d > threetokens.LargestDim || beta > threetokens.LargestBeta ||
		o.Tolerance < threetokens.LeastTolerance {
		return fmt.Sprintf("three tokens are known up to d = %d and β = %d, to a tolerance of %g",
			threetokens.LargestDim, threetokens.LargestBeta, threetokens.LeastTolerance)
	}
	return fmt.Sprintf("three tokens at time %s: within %s P(single) = %s, P(two against one) = %s; "+
		"by the signs of the overlaps %s and %s%s",
		parameter.FormatReal(*o.Horizon), parameter.FormatReal(o.Tolerance),
		roughText(r.ThreeSingle), roughText(r.TwoAgainstOne),
		roughText(r.SingleBasin), roughText(r.OpposedBasin), ifNumber(r.ThreeError, ", estimated error %.1g"))
}

// roughText formats a probability of three tokens with six decimals.
func roughText(p float64) string { return wording.Or(p, "%.6f", "unknown") }

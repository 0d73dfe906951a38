package theory

import (
	"math"
	"slices"

	"antipode/overlap"
	"antipode/overlap/threetokens"
	"antipode/sde"
	"antipode/sphere/invariant"
)

// ThreeTokens holds the columns of a table for the theory of three tokens.
type ThreeTokens struct {
	_         struct{} `meaning:"theoretical value of p_antipodal for three tokens at infinite depth; null"`
	_         struct{} `meaning:"at time 0, for other numbers of tokens than 3, and where it is not known to"`
	_         struct{} `meaning:"1e-3"`
	Antipodal float64  `column:"p_antipodal_theory,nullable"`
	_         struct{} `meaning:"theoretical value of p_single for three tokens at infinite depth; null at"`
	_         struct{} `meaning:"time 0, for other numbers of tokens than 3, and where it is not known to"`
	_         struct{} `meaning:"1e-3"`
	Single    float64  `column:"p_single_theory,nullable"`
	_         struct{} `meaning:"estimated absolute error of p_antipodal_theory and p_single_theory; null"`
	_         struct{} `meaning:"where these are null"`
	Error     float64  `column:"p_theory_error,nullable"`
}

// NoThreeTokens returns the columns of the theory of three tokens without any known value.
func NoThreeTokens() ThreeTokens {
	return ThreeTokens{Antipodal: math.NaN(), Single: math.NaN(), Error: math.NaN()}
}

// HasThreeTokens reports whether the theory of three tokens applies to a cell. The theory applies to three
// tokens under random value matrices with independent entries, with B = I and no sublayer except attention.
func HasThreeTokens(c sde.Cell) bool {
	m, matrices := c.Model.(sde.Transformer)
	return matrices && c.Tokens == 3 && m.Covariance.OrGinibre() == invariant.Ginibre && c.Plain() &&
		c.Interaction == nil && c.Resampling == sde.Resampling{}
}

// ThreeTokensAt returns the theoretical probabilities for a cell of three tokens at increasing times above 0,
// at infinite depth. A probability is NaN if it is not known.
func ThreeTokensAt(c sde.Cell, times []float64, tolerance float64) []ThreeTokens {
	all := slices.Repeat([]ThreeTokens{NoThreeTokens()}, len(times))
	if !HasThreeTokens(c) || len(times) == 0 {
		return all
	}
	laws, err := threetokens.Uniform(c.Dim, c.Beta, Attention(c.Attention), c.Model.(sde.Transformer).Sigma,
		times, tolerance, LargestHorizonError)
	if err != nil {
		return all
	}
	for k, law := range laws {
		if failure := law.Single.Error; failure <= LargestHorizonError {
			two, one := Clamped(law.TwoAgainstOne), Clamped(law.Single)
			all[k] = ThreeTokens{Antipodal: two, Single: one, Error: failure}
		}
	}
	return all
}

// Clamped returns the value of a probability restricted to [0, 1]. The computed value may be outside [0, 1]
// because of its numerical error.
func Clamped(p overlap.Probability) float64 { return min(1, max(0, p.Value)) }

package overlaptest_test

import (
	"math"
	"testing"

	"antipode/overlap"
	"antipode/overlap/collapse"
	"antipode/overlap/finitedepth"
	"antipode/overlap/propagation"
	"antipode/overlap/spectrum"
	"antipode/sphere/must"
)

// Beside the error of a refused argument each number is 0 or NaN, so that no one takes it for a result.
func TestWhatIsRefusedHasNoValue(t *testing.T) {
	none := func(what string) func(value float64, err error) {
		return func(value float64, err error) {
			t.Helper()
			if err == nil || value != 0 && !math.IsNaN(value) {
				t.Errorf("%s: %v beside the error %v", what, value, err)
			}
		}
	}
	unknown := func(what string) func(value float64, ok bool, err error) {
		return func(value float64, ok bool, err error) {
			t.Helper()
			if none(what)(value, err); ok {
				t.Errorf("%s: known beside the error %v", what, err)
			}
		}
	}
	none("deviation of weights")(propagation.EffectiveBeta(-1, 2, 2))
	none("dimension of weights")(propagation.EffectiveBeta(1, 0, 2))
	none("tokens of weights")(propagation.EffectiveBeta(1, 2, 1))
	none("tokens of a row")(propagation.CrossParticipation(1, 1, 0.5))
	none("tokens of two rows")(propagation.CrossParticipation(1e18, 1, 0.5))
	none("scores of two rows")(propagation.CrossParticipation(9, 1e3, 0.5))
	none("correlation of two rows")(propagation.CrossParticipation(9, 1, 2))
	none("rate of a crowd")(overlap.CrowdRate(1, 1, 1))
	none("stable rank")(spectrum.StableRankShare(0, 1))

	unknown("depth")(finitedepth.CriticalBeta(4, overlap.Softmax, 1, 0))
	unknown("depth of an expansion")(finitedepth.ExpandedCriticalBeta(4, overlap.Softmax, 1, 0))
	unknown("tolerance of a limit")(finitedepth.LimitDepth(4, overlap.Softmax, 1, 0))
	unknown("σ of a limit")(finitedepth.LimitDepth(4, overlap.Softmax, 0, 0.1))
	unknown("neighbourhood")(finitedepth.SingleReturn(4, 1, overlap.Softmax, 1, 9, 3))
	unknown("law of the scalar")(finitedepth.Hybrid{Law: 9, Depth: 1}.SingleReturn(0.1))
	unknown("isotropic noise")(finitedepth.Isotropic{}.CriticalBeta())

	empty, tokens := collapse.Gaussian{}, collapse.Gaussian{Tokens: 4, Dim: 3, Variance: 1}
	none("distance")(empty.Distance(1))
	none("dimension of keys")(tokens.Distance(0))
	none("derivative")(empty.DerivativeDistance(1))
	none("temperature")(empty.Temperature())
	none("gradient of the input")(empty.InputGradient(1))
	none("gradient of queries")(empty.QueryGradient(1))
	none("gradient of values")(empty.ValueGradient())
	none("stream")(collapse.Stream{}.DeepCorrelation(collapse.Residual{Attention: -1}))

	d := must.Get(overlap.New(3, 1, overlap.Softmax, 1))(t)
	low, high, err := d.AttractingStrengths(1, overlap.MLP{Strength: -1})
	none("least strength")(low, err)
	none("greatest strength")(high, err)
}

package overlap

import (
	"errors"
	"fmt"

	"antipode/experiments/setting"
	"antipode/experiments/theory"
	"antipode/overlap/exactlaw"
	"antipode/sde"
)

// fillDepth sets the probabilities under the exact law at the depth and the horizon in a row. If the exact
// law cannot be computed, these columns stay null.
func (o *Experiment) fillDepth(r *Row) {
	if !o.atDepth() {
		return
	}
	if law, err := o.lawAtDepth(int(r.Dim), r.Beta, theory.DepthAccuracy); err == nil {
		at := theory.DepthOf(law)
		r.DepthAntipodal, r.DepthSingle, r.DepthError = at.Antipodal, at.Single, at.Error
	}
}

// lawAtDepth returns the outcomes under the exact law at the depth and the horizon. The errors of the
// probabilities are below the given accuracy if this accuracy can be reached.
func (o *Experiment) lawAtDepth(d int, beta, accuracy float64) (exactlaw.Outcomes, error) {
	recursion, err := o.recursionAt(d, beta)
	if err != nil {
		return exactlaw.Outcomes{}, err
	}
	layers := int(setting.CheckedLayers(*o.Depth, *o.Horizon))
	if o.Z0 == nil {
		return recursion.Uniform(layers, o.Tolerance, accuracy)
	}
	return recursion.From(*o.Z0, layers, o.Tolerance, accuracy)
}

func (o *Experiment) recursionAt(d int, beta float64) (*exactlaw.Recursion, error) {
	if !o.paperNoise() {
		return nil, errOtherNoise
	}
	attention, err := o.attentionAt(d, beta)
	if err != nil {
		return nil, err
	}
	if o.beside().Arrangement == sde.InSequence {
		return attention.WithMLPAfter(o.MLP.InTheory())
	}
	return attention.WithMLP(o.MLP.InTheory())
}

// attentionAt returns the recursion of the overlap at the depth of the experiment, without an MLP.
func (o *Experiment) attentionAt(d int, beta float64) (*exactlaw.Recursion, error) {
	attention, depth := theory.Attention(o.Attention), int(*o.Depth)
	if o.Epsilon != nil {
		return exactlaw.Hybrid(d, beta, attention, o.Epsilon[0], theory.ScalarLaw(o.Law), depth)
	}
	sigma, _ := o.Covariance.Independent()
	values, err := exactlaw.Clusters(d, beta, attention, sigma, o.Masses[0], o.Masses[1], depth)
	if err != nil {
		return nil, err
	}
	return values.WithDrift(o.beside().Drift)
}

var errOtherNoise = errors.New("the exact law is that of independent entries, without random queries and " +
	"keys, and for unequal clusters without a drift")

// depthText states the probabilities under the exact law at the depth, or the reason why they are not known.
func (o *Experiment) depthText(r Row) string {
	text := fmt.Sprintf("at depth %d: %s", *o.Depth,
		lawText(r.DepthAntipodal, r.DepthSingle, r.DepthError))
	if r.DepthAntipodal == r.DepthAntipodal {
		return text
	}
	const rough = 1 // a fast accuracy; a law that is refused is refused with any accuracy
	if _, err := o.lawAtDepth(int(r.Dim), r.Beta, rough); err != nil {
		return text + ": " + err.Error()
	}
	return text + fmt.Sprintf(": not known to %.0g", theory.LargestDepthError)
}

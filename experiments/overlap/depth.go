package overlap

import (
	"errors"
	"fmt"

	"antipode/experiments/setting"
	"antipode/experiments/theory"
	"antipode/overlap/exactlaw"
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
	return theory.ClustersRecursion(o.cell(d, beta), o.Masses)
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

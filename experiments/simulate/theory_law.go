package simulate

import (
	"math"

	"antipode/experiments/theory"
	"antipode/overlap/fokkerplanck"
	"antipode/sde"
)

// Chances holds the theoretical probabilities of the antipodal outcome and of a single cluster at the
// horizon. Probabilities that are not known are NaN.
type Chances struct{ Antipodal, Single float64 }

var unknownChances = Chances{math.NaN(), math.NaN()}

// LawOf returns the prediction of the theory for the overlap of two tokens that start independently and
// uniformly, at infinite depth. The times must be above 0 and must ascend to the horizon. For each time,
// shares has the probabilities that the overlap is in each of the bins; the bins, at least one, have equal
// widths and divide the interval from -1 to 1. LawOf also returns the probabilities of the outcomes at the
// horizon. The result shares is nil if the theory does not apply. Estimated errors are below 1e-3, and
// usually below 1e-5.
func (s *Experiment) LawOf(times []float64, bins int) (shares [][]float64, at Chances, err error) {
	const accuracy = 1e-5
	laws, err := s.laws(times, accuracy)
	if len(laws) == 0 {
		return nil, at, err
	}
	for _, law := range laws {
		if law.Error > theory.LargestHorizonError {
			return nil, at, nil
		}
		of, below := make([]float64, bins), 0.0
		for k := range of {
			next := 1.0
			if k < bins-1 {
				next = law.Below(2*float64(k+1)/float64(bins) - 1).Value
			}
			of[k], below = next-below, next
		}
		shares = append(shares, of)
	}
	return shares, s.chancesOf(laws[len(laws)-1]), nil
}

// laws returns the theoretical laws of the overlap of two tokens at the given times, which must be above 0
// and ascend. If the theory does not apply, there are no laws.
func (s *Experiment) laws(times []float64, accuracy float64) ([]fokkerplanck.Distribution, error) {
	p, applies, err := s.prepareLaw()
	if err != nil || !applies || len(times) == 0 {
		return nil, err
	}
	return theory.UniformLaws(p.cell, times, accuracy)
}

// chancesOf returns the probabilities of the outcomes if the overlap of two tokens has the given law.
func (s *Experiment) chancesOf(law fokkerplanck.Distribution) Chances {
	at := theory.HorizonOf(law, s.Tolerance)
	return Chances{at.Antipodal, at.Single}
}

// AtDepth returns the theoretical probabilities of the outcomes at the simulated depth. AtDepth takes longer
// than LawOf. The probabilities are NaN if the exact law at that depth is not available.
func (s *Experiment) AtDepth() (Chances, error) {
	p, applies, err := s.prepareLaw()
	if err != nil || !applies {
		return unknownChances, err
	}
	depth := theory.AtDepth(p.cell, p.horizon, s.Tolerance)
	return Chances{depth.Antipodal, depth.Single}, nil
}

// prepareLaw returns what a run of the experiment needs, and whether the theory of the overlap of two tokens
// applies to the run. No file is read, because the theory does not apply to an interaction or a start from a
// file.
func (s *Experiment) prepareLaw() (p prepared, applies bool, err error) {
	p, err = s.withoutUnreadFiles().prepare()
	applies = s.Tokens == 2 && s.Start.String() == New().Start.String() && !s.Interaction.Unread() &&
		s.Noise == sde.CommonNoise && theory.Holds(p.cell)
	return p, applies, err
}

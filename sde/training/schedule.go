package training

import (
	"math"

	"antipode/sphere/elementary"
)

// Decline specifies how the learning rate decays after the warm-up of training.
type Decline int

// A decline determines the learning rate after the warm-up. With Constant the rate does not decline. With
// LinearDecline the rate falls linearly, to 0 after the last step. With Cosine the rate falls to 0 like half
// a period of the cosine. With InverseSquareRoot the rate is proportional to the inverse square root of the
// number of steps since the start. With Tenths the rate falls to a tenth after two fifths of all steps, and
// to a hundredth after four fifths.
const (
	Constant Decline = iota
	LinearDecline
	Cosine
	InverseSquareRoot
	Tenths
)

// DeclineNames are the names of the declines, in the order of the constants.
var DeclineNames = []string{"constant", "linear", "cosine", "inverse-root", "step"}

// String returns the name of the decline.
func (d Decline) String() string { return DeclineNames[d] }

// Schedule determines the learning rate of each step of training.
type Schedule struct {
	Rate    float64 // the largest learning rate, positive
	Warmup  int64   // number of steps in which the learning rate grows linearly from 0 (excluded) to Rate
	Decline Decline
}

// At returns the learning rate of a step, counted from 0, in a training of the given total number of steps.
func (s Schedule) At(step, steps int64) float64 {
	if step < s.Warmup {
		return s.Rate * (float64(step+1) / float64(s.Warmup))
	}
	share := float64(step-s.Warmup) / float64(max(steps-s.Warmup, 1))
	switch s.Decline {
	case LinearDecline:
		return s.Rate * (1 - share)
	case Cosine:
		_, cosine := elementary.SinCos(float64(math.Pi * share))
		return s.Rate * (0.5 * (1 + cosine))
	case InverseSquareRoot:
		return s.Rate * math.Sqrt(float64(max(s.Warmup, 1))/float64(step+1))
	case Tenths:
		return s.tenths(step, steps)
	}
	return s.Rate
}

// tenths returns the learning rate of the decline Tenths, which is that of Noci et al., Table 3: they reduce
// the rate after 100 and 200 thousand of 250 thousand steps.
func (s Schedule) tenths(step, steps int64) float64 {
	switch fifth := float64(5*float64(step)) / float64(steps); {
	case fifth >= 4:
		return s.Rate / 100
	case fifth >= 2:
		return s.Rate / 10
	}
	return s.Rate
}

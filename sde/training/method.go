package training

import (
	"fmt"
	"math"

	"antipode/sde/internal/kernels"
	"antipode/sde/network"
)

// Method specifies how a network is trained.
type Method struct {
	Optimiser Optimiser
	Schedule  Schedule
	Steps     int64 // number of steps, at least 1
	Batch     int   // number of sequences of a batch, at least 1
	// Accumulate is the number of batches, at least 1, over which a step averages the gradient.
	Accumulate int
	Clip       float64 // largest norm of the gradient of a step; larger ones are scaled down; 0 for no limit
	Smoothing  float64 // label smoothing ε of the training loss, in [0, 1)
	Dropout    network.Dropout
	// ScoreWarmup is the number of steps over which a factor of the attention scores grows linearly to 1. In
	// the first step this factor is 1/ScoreWarmup. ScoreWarmup = 0 means no warm-up of scores.
	ScoreWarmup int64
	Strengths   Strengths
	Bound       float64 // loss above which the network counts as diverged, positive
	// Validation is the number of validation examples, at least 1, on which a Record is measured.
	Validation int
}

// Strengths specifies which strengths of residual connections are learned; strengths that are not learned
// stay constant.
type Strengths int

// The choices of learned strengths are: no strengths, the strengths of skip connections, the strengths of
// branches, and both.
const (
	NoStrengths Strengths = iota
	SkipStrengths
	BranchStrengths
	AllStrengths
)

// StrengthsNames are the names of the choices of learned strengths, in the order of the constants.
var StrengthsNames = []string{"none", "skip", "branch", "both"}

// String returns the name of the choice of learned strengths.
func (s Strengths) String() string { return StrengthsNames[s] }

// Validate returns an error that names the first field of the method that is out of its domain, its value and
// what is allowed. Some fields have limits that depend on the task.
func (m Method) Validate(task Task) error {
	o, s := m.Optimiser, m.Schedule
	for _, v := range []struct {
		name  string
		value float64
		ok    bool
		must  string
	}{
		{"learning rate", s.Rate, s.Rate > 0 && s.Rate <= 1e6, "above 0, to 1e6"},
		{"momentum", o.Momentum, o.Momentum >= 0 && o.Momentum < 1, "from 0 to below 1"},
		{"β₁", o.Beta1, o.Beta1 >= 0 && o.Beta1 < 1, "from 0 to below 1"},
		{"β₂", o.Beta2, o.Beta2 >= 0 && o.Beta2 < 1, "from 0 to below 1"},
		{"ε", o.Epsilon, o.Epsilon > 0 && o.Epsilon <= 1, "above 0, to 1"},
		{"weight decay", o.Decay, o.Decay >= 0 && o.Decay <= 1e6, "from 0 to 1e6"},
		{"clipping", m.Clip, m.Clip >= 0 && m.Clip <= math.MaxFloat64, "from 0"},
		{"smoothing", m.Smoothing, m.Smoothing >= 0 && m.Smoothing < 1, "from 0 to below 1"},
		{"bound of the loss", m.Bound, m.Bound > 0 && m.Bound <= math.MaxFloat64, "above 0"},
	} {
		if !v.ok {
			return fmt.Errorf("%s %v: must be %s", v.name, v.value, v.must)
		}
	}
	const most = 1_000_000
	for _, v := range []struct {
		name             string
		value, low, high int64
	}{
		{"steps", m.Steps, 1, mostPositions},
		{"batch", int64(m.Batch), 1, most},
		{"batches of a step", int64(m.Accumulate), 1, most},
		{"warm-up", s.Warmup, 0, mostPositions},
		{"warm-up of scores", m.ScoreWarmup, 0, mostPositions},
		{"examples of the validation", int64(m.Validation), 1, most},
		{"rule", int64(o.Rule), 0, int64(len(RuleNames) - 1)},
		{"decline", int64(s.Decline), 0, int64(len(DeclineNames) - 1)},
		{"strengths", int64(m.Strengths), 0, int64(len(StrengthsNames) - 1)},
	} {
		if v.value < v.low || v.value > v.high {
			return fmt.Errorf("%s %d: must be from %d to %d", v.name, v.value, v.low, v.high)
		}
	}
	if n := float64(m.Steps) * float64(m.Batch) * float64(m.Accumulate); n > float64(mostPositions) {
		return fmt.Errorf("steps %d: would take %.3g sequences; must be at most 2^40 in all", m.Steps, n)
	}
	if err := m.Dropout.Validate(); err != nil {
		return err
	}
	return m.validateData(task)
}

// scores returns the factor by which the attention scores are multiplied at a step of training; steps are
// counted from 0.
func (m Method) scores(step int64) float64 {
	if step >= m.ScoreWarmup {
		return 1
	}
	return float64(step+1) / float64(m.ScoreWarmup)
}

// mostPositions is the largest number of training sequences for which random numbers can be generated.
const mostPositions = kernels.MaxTrajectories

// validateData returns an error if a batch, or the validation, needs more examples than the task has.
func (m Method) validateData(task Task) error {
	if n := task.Examples(Train); n > 0 && int64(m.Batch) > n {
		return fmt.Errorf("batch %d: must be at most the number of examples, %d", m.Batch, n)
	}
	if n := task.Examples(Validation); n > 0 && int64(m.Validation) > n {
		return fmt.Errorf("examples of the validation %d: must be at most as many as there are, %d",
			m.Validation, n)
	}
	return nil
}

package simulate

import (
	"fmt"
	"strings"

	"antipode/experiments/parameter"
)

// Numbers selects the trajectories of a run by their indices, which are counted from 0. The zero value
// selects all trajectories. The text of Numbers is K for one trajectory, K:M for the trajectories from K to
// M, or all.
type Numbers struct {
	chosen      bool
	first, last int64
}

// NumbersFrom selects the trajectories with the indices from first to last, 0 ≤ first ≤ last.
func NumbersFrom(first, last int64) Numbers { return Numbers{true, first, last} }

// allTrajectories is the text that stands for all trajectories from 0 on.
const allTrajectories = "all"

// String returns the text of the selected trajectories, which is "all" for the zero value.
func (n Numbers) String() string {
	switch {
	case !n.chosen:
		return allTrajectories
	case n.first == n.last:
		return fmt.Sprint(n.first)
	}
	return fmt.Sprintf("%d:%d", n.first, n.last)
}

// parse sets the selected trajectories to those that a text describes.
func (n *Numbers) parse(text string) error {
	if text == allTrajectories {
		*n = Numbers{}
		return nil
	}
	one, other, isRange := strings.Cut(text, ":")
	first, err := parameter.ParseWithin(one, 0, mostTrajectories-1)
	last := first
	if isRange && err == nil {
		last, err = parameter.ParseWithin(other, first, mostTrajectories-1)
	}
	if err != nil {
		return fmt.Errorf("must be %s", allowedNumbers)
	}
	*n = NumbersFrom(first, last)
	return nil
}

const allowedNumbers = "a whole number K ≥ 0, a range K:M of them (both ends included), or all"

// mostTrajectories is the greatest number of trajectories of a run.
const mostTrajectories = 1e12

// MarshalText implements encoding.TextMarshaler by the method String.
func (n Numbers) MarshalText() ([]byte, error) { return []byte(n.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (n *Numbers) UnmarshalText(text []byte) error {
	if err := n.parse(string(text)); err != nil {
		return parameter.Errorf("trajectory", string(text), "%v", err)
	}
	return nil
}

// numbers returns the parameter that selects trajectories by their indices. Setting this parameter also sets
// the number of trajectories.
func (s *Experiment) numbers() parameter.Parameter {
	return parameter.Parameter{Name: "trajectory",
		Meaning: "simulates only these trajectories, counted from 0; each is the same as in a run of all " +
			"trajectories; used instead of --trajectories",
		Value: numbersValue{&s.Numbers},
		Then: func() {
			if s.Numbers.chosen {
				s.Trajectories = s.Numbers.count()
			}
		}}
}

type numbersValue struct{ *Numbers }

func (v numbersValue) Set(text string) error { return v.parse(text) }
func (v numbersValue) Allowed() string       { return allowedNumbers }
func (v numbersValue) Placeholder() string   { return "K[:M]" }
func (v numbersValue) Absent() string        { return allTrajectories }
func (v numbersValue) Check() error {
	n := *v.Numbers
	return parameter.CheckThat(!n.chosen || 0 <= n.first && n.first <= n.last && n.last < mostTrajectories, v)
}

// count returns the number of selected trajectories.
func (n Numbers) count() int64 { return n.last - n.first + 1 }

// numbersCount is the reason why the parameter trajectories has no effect together with the parameter
// trajectory.
const numbersCount = "--trajectory says how many there are; must be left out with it"

// checkNumbers returns an error if the number of trajectories is not the number of selected trajectories.
func (s *Experiment) checkNumbers() error {
	if s.Numbers.chosen && s.Trajectories != s.Numbers.count() {
		return parameter.Errorf("trajectories", s.Trajectories, "%s", numbersCount)
	}
	return nil
}

// trajectoriesText names the trajectories with the indices from first to last, which may be equal.
func trajectoriesText(first, last int64) string {
	if first == last {
		return fmt.Sprintf("trajectory %d", first)
	}
	return fmt.Sprintf("trajectories %d to %d", first, last)
}

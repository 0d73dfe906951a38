package splitting

import (
	"antipode/experiments/parameter"
)

// Parameters returns the parameter that chooses the event for splitting, None or one of the given events, and
// the parameter of the number of repetitions of the splitting. The argument meaning describes the first
// parameter.
func Parameters(event *Event, meaning string, repetitions *int64, events ...Event) []parameter.Parameter {
	some := []string{None.String()}
	for _, e := range events {
		some = append(some, e.String())
	}
	return []parameter.Parameter{
		{Name: "splitting", Meaning: meaning + ": trajectories that come closer to it are continued " +
			"several times with new noise, --trajectories of them from each level to the next",
			Value: parameter.Named{Field: event, Names: some}},
		{Name: "repetitions", Meaning: "number of independent repetitions of the splitting, whose " +
			"spread gives the interval",
			Value: parameter.Whole(repetitions, parameter.Range{Low: 2, High: 100_000}),
			Inapplicable: parameter.Unless(*event != None,
				"repeats multilevel splitting; must be left out without --splitting")},
	}
}

// CheckCounts returns an error if splitting is impossible with the given numbers of trajectories and
// repetitions.
func CheckCounts(trajectories, repetitions int64) error {
	switch {
	case trajectories < 2 || trajectories > 1_000_000:
		return parameter.Errorf("trajectories", trajectories, "must be from 2 to 1000000 with --splitting")
	case trajectories*repetitions > 1_000_000_000:
		return parameter.Errorf("repetitions", repetitions, "must be at most %d for so many trajectories",
			1_000_000_000/trajectories)
	}
	return nil
}

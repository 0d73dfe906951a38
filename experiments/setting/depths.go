package setting

import (
	"slices"

	"antipode/experiments/parameter"
	"antipode/sde/brownian"
)

// CheckDepths returns an error unless the depths, each at least 1, are at least three, and are the least
// depth times powers of 2, so that recursions of these depths can follow one Brownian path. The error is a
// *parameter.Error of the parameter depth.
func CheckDepths(depths []int) error {
	problem := func(format string, a ...any) error {
		return parameter.Errorf("depth", parameter.FormatList(depths), format, a...)
	}
	if len(depths) < 3 {
		return problem("must be at least three depths, for an order to show")
	}
	base := slices.Min(depths)
	path := brownian.NewPath(0, 0, base, 1)
	for _, depth := range depths {
		if _, err := path.Level(depth); err != nil {
			return problem("must be %d times powers of 2, to be on one Brownian path; %d is not", base, depth)
		}
	}
	return nil
}

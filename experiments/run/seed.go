package run

import (
	"strconv"

	"antipode/experiments/parameter"
)

// SeedParameter returns the parameter of the seed of an experiment's random numbers. For a SeedSweeper, the
// parameter lists several seeds. Setting the parameter changes *seed.
func SeedParameter(e Experiment, seed *uint64) parameter.Parameter {
	if e, ok := e.(SeedSweeper); ok {
		return e.SeedParameter(seed)
	}
	return parameter.Parameter{Name: "seed", Meaning: "seed of the random numbers", Value: seedValue{seed}}
}

// seedValue is the value of a parameter that is a seed, an integer of 64 bits.
type seedValue struct{ field *uint64 }

func (v seedValue) Set(text string) error {
	seed, err := parameter.ParseWhole(text)
	if err != nil || !seed.IsUint64() {
		return parameter.MustBe(v)
	}
	*v.field = seed.Uint64()
	return nil
}
func (v seedValue) String() string      { return strconv.FormatUint(*v.field, 10) }
func (v seedValue) Allowed() string     { return "a whole number from 0 to 18446744073709551615" }
func (v seedValue) Placeholder() string { return "SEED" }
func (v seedValue) Check() error        { return nil }

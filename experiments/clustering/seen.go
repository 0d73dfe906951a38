package clustering

import (
	"antipode/experiments/run"
	"antipode/sde"
	"antipode/sphere"
)

// seen is the outcome of a configuration, and whether it has an antipodal pair.
type seen struct {
	outcome sphere.Outcome
	pair    bool
}

// see returns what is seen of a trajectory.
func see(v *sde.View, tolerance float64) (s seen) {
	s.outcome, s.pair = v.Outcome(tolerance)
	return s
}

// code is what is seen in three bits.
func (s seen) code() byte {
	code := byte(s.outcome) << 1
	if s.pair {
		code |= 1
	}
	return code
}

// seenOf is what has a code.
func seenOf(code byte) seen { return seen{sphere.Outcome(code >> 1), code&1 == 1} }

// seenCodec keeps outcomes.
var seenCodec = run.Codec[[]seen]{
	Append: func(bytes []byte, row []seen) []byte {
		bytes = run.AppendInt(bytes, int64(len(row)))
		for _, s := range row {
			bytes = append(bytes, s.code())
		}
		return bytes
	},
	Read: func(d *run.Decoder) []seen {
		row := make([]seen, d.Length())
		for k := range row {
			row[k] = seenOf(d.Byte())
		}
		return row
	},
}

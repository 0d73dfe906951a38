package outcomes

import (
	"antipode/experiments/run"
	"antipode/sde"
	"antipode/sphere"
)

// Seen is the outcome of a configuration, and whether it has an antipodal pair.
type Seen struct {
	Outcome sphere.Outcome
	Pair    bool
}

// see returns what is seen of a trajectory.
func see(v *sde.View, tolerance float64) (s Seen) {
	s.Outcome, s.Pair = v.Outcome(tolerance)
	return s
}

// code is what is seen in three bits.
func (s Seen) code() byte {
	code := byte(s.Outcome) << 1
	if s.Pair {
		code |= 1
	}
	return code
}

// seenOf is what has a code.
func seenOf(code byte) Seen { return Seen{sphere.Outcome(code >> 1), code&1 == 1} }

// SeenCodec keeps outcomes.
var SeenCodec = run.Codec[[]Seen]{
	Append: func(bytes []byte, row []Seen) []byte {
		bytes = run.AppendInt(bytes, int64(len(row)))
		for _, s := range row {
			bytes = append(bytes, s.code())
		}
		return bytes
	},
	Read: func(d *run.Decoder) []Seen {
		row := make([]Seen, d.Length())
		for k := range row {
			row[k] = seenOf(d.Byte())
		}
		return row
	},
}

package outcomes

import (
	"math"

	"antipode/experiments/run"
	"antipode/sde"
	"antipode/sphere"
)

// Seen is the outcome of a configuration, whether it has an antipodal pair, and its clusters.
type Seen struct {
	Outcome           sphere.Outcome
	Pair              bool
	Clusters, Largest int32 // as of sphere.Masses
}

// Together is what is seen of tokens that are one point.
func Together(tokens int) Seen {
	return Seen{Outcome: sphere.Single, Clusters: 1, Largest: int32(tokens)}
}

// See returns what is seen of a trajectory.
func See(v *sde.View, tolerance float64) (s Seen) {
	s.Outcome, s.Pair = v.Outcome(tolerance)
	m := v.Masses(s.Outcome)
	s.Clusters, s.Largest = int32(m.Clusters), int32(m.Largest)
	return s
}

// Excess is by how many tokens the larger of two opposite clusters, of all tokens together, is larger; 0
// unless the outcome is Antipodal.
func (s Seen) Excess(tokens int) int64 {
	if s.Outcome != sphere.Antipodal {
		return 0
	}
	return 2*int64(s.Largest) - int64(tokens)
}

// Imbalance is Excess / N, or NaN unless the outcome is Antipodal.
func (s Seen) Imbalance(tokens int) float64 {
	if s.Outcome != sphere.Antipodal {
		return math.NaN()
	}
	return float64(s.Excess(tokens)) / float64(tokens)
}

// appendClusters adds them to bytes: what is seen takes at most seenBytes with a byte for its code.
func (s Seen) appendClusters(bytes []byte) []byte {
	return run.AppendInt(run.AppendInt(bytes, int64(s.Clusters)), int64(s.Largest))
}

// seenBytes is for up to a million tokens.
const seenBytes = 1 + 3 + 3

// readClusters reads what appendClusters wrote.
func (s *Seen) readClusters(d *run.Decoder) { s.Clusters, s.Largest = int32(d.Int()), int32(d.Int()) }

// code is the outcome and the pair in three bits.
func (s Seen) code() byte {
	code := byte(s.Outcome) << 1
	if s.Pair {
		code |= 1
	}
	return code
}

// seenOf is what has a code.
func seenOf(code byte) Seen { return Seen{Outcome: sphere.Outcome(code >> 1), Pair: code&1 == 1} }

// SeenCodec keeps outcomes.
var SeenCodec = run.Codec[[]Seen]{
	Append: func(bytes []byte, row []Seen) []byte {
		bytes = run.AppendInt(bytes, int64(len(row)))
		for _, s := range row {
			bytes = s.appendClusters(append(bytes, s.code()))
		}
		return bytes
	},
	Read: func(d *run.Decoder) []Seen {
		row := make([]Seen, d.Length())
		for k := range row {
			row[k] = seenOf(d.Byte())
			row[k].readClusters(d)
		}
		return row
	},
}

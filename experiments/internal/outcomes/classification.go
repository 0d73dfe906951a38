package outcomes

import (
	"math"

	"antipode/experiments/run"
	"antipode/sde"
	"antipode/sphere"
)

// Seen is the classification of a configuration: its outcome, whether it has an antipodal pair, and its
// clusters.
type Seen struct {
	Outcome           sphere.Outcome
	Pair              bool
	Clusters, Largest int32 // as in sphere.Masses
}

// Together returns the classification of tokens that all coincide.
func Together(tokens int) Seen {
	return Seen{Outcome: sphere.Single, Clusters: 1, Largest: int32(tokens)}
}

// See returns the classification of a trajectory's present state.
func See(v *sde.View, tolerance float64) (s Seen) {
	s.Outcome, s.Pair = v.Outcome(tolerance)
	m := v.Masses(s.Outcome)
	s.Clusters, s.Largest = int32(m.Clusters), int32(m.Largest)
	return s
}

// Excess returns the difference between the sizes of two opposite clusters that contain all tokens. It is 0
// unless the outcome is Antipodal.
func (s Seen) Excess(tokens int) int64 {
	if s.Outcome != sphere.Antipodal {
		return 0
	}
	return 2*int64(s.Largest) - int64(tokens)
}

// Imbalance returns Excess / N, or NaN unless the outcome is Antipodal.
func (s Seen) Imbalance(tokens int) float64 {
	if s.Outcome != sphere.Antipodal {
		return math.NaN()
	}
	return float64(s.Excess(tokens)) / float64(tokens)
}

// appendClusters appends the clusters to bytes. Together with the byte for its code, a classification takes
// at most seenBytes.
func (s Seen) appendClusters(bytes []byte) []byte {
	return run.AppendInt(run.AppendInt(bytes, int64(s.Clusters)), int64(s.Largest))
}

// seenBytes is the largest encoded size for up to a million tokens.
const seenBytes = 1 + 3 + 3

// readClusters reads what appendClusters wrote.
func (s *Seen) readClusters(d *run.Decoder) { s.Clusters, s.Largest = int32(d.Int()), int32(d.Int()) }

// code encodes the outcome and the presence of an antipodal pair in three bits.
func (s Seen) code() byte {
	code := byte(s.Outcome) << 1
	if s.Pair {
		code |= 1
	}
	return code
}

// seenOf returns the classification with the given code.
func seenOf(code byte) Seen { return Seen{Outcome: sphere.Outcome(code >> 1), Pair: code&1 == 1} }

// SeenCodec encodes lists of classifications.
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

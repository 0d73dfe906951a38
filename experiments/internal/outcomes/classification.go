package outcomes

import (
	"math"

	"antipode/experiments/run"
	"antipode/sde"
	"antipode/sphere"
)

// Seen is the classification of the tokens of a trajectory at a layer: the outcome, whether there is an
// antipodal pair of tokens, and the numbers of clusters and of tokens in the largest cluster.
type Seen struct {
	Outcome           sphere.Outcome
	Pair              bool
	Clusters, Largest int32 // clusters, and tokens in the largest; see sphere.Masses
}

// Together returns the classification of tokens that all coincide: a single cluster.
func Together(tokens int) Seen {
	return Seen{Outcome: sphere.Single, Clusters: 1, Largest: int32(tokens)}
}

// See returns the classification of the present tokens of a trajectory. The tolerance defines the outcomes.
func See(v *sde.View, tolerance float64) (s Seen) {
	s.Outcome, s.Pair = v.Outcome(tolerance)
	m := v.Masses(s.Outcome)
	s.Clusters, s.Largest = int32(m.Clusters), int32(m.Largest)
	return s
}

// Excess returns the difference between the sizes of two opposite clusters that contain all tokens. The
// difference is 0 unless the outcome is Antipodal.
func (s Seen) Excess(tokens int) int64 {
	if s.Outcome != sphere.Antipodal {
		return 0
	}
	return 2*int64(s.Largest) - int64(tokens)
}

// Imbalance returns the difference between the sizes of two opposite clusters, divided by the number of
// tokens. The result is NaN unless the outcome is Antipodal.
func (s Seen) Imbalance(tokens int) float64 {
	if s.Outcome != sphere.Antipodal {
		return math.NaN()
	}
	return float64(s.Excess(tokens)) / float64(tokens)
}

// appendClusters appends the numbers of clusters and of tokens in the largest cluster to bytes. Together with
// the byte of code, an encoded classification takes at most seenBytes.
func (s Seen) appendClusters(bytes []byte) []byte {
	return run.AppendInt(run.AppendInt(bytes, int64(s.Clusters)), int64(s.Largest))
}

// seenBytes is the largest size in bytes of an encoded classification of up to a million tokens.
const seenBytes = 1 + 3 + 3

// readClusters reads the two numbers that appendClusters has written.
func (s *Seen) readClusters(d *run.Decoder) { s.Clusters, s.Largest = int32(d.Int()), int32(d.Int()) }

// code encodes the outcome of a classification and the presence of an antipodal pair in three bits.
func (s Seen) code() byte {
	code := byte(s.Outcome) << 1
	if s.Pair {
		code |= 1
	}
	return code
}

// seenOf returns the classification with the given code, without the numbers of clusters.
func seenOf(code byte) Seen { return Seen{Outcome: sphere.Outcome(code >> 1), Pair: code&1 == 1} }

// SeenCodec encodes the classifications of a trajectory at several layers for a journal.
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

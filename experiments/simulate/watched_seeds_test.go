package simulate

import (
	"testing"

	"antipode/experiments/experimenttest"
)

// A trajectory cannot be watched if the seed varies.
func TestSeveralSeedsAreNotWatched(t *testing.T) {
	s := New()
	s.varied.Seeds = []uint64{1, 2}
	_, err := s.Watched()
	experimenttest.CheckRefused(t, err, "seed", "must be one value, to watch one trajectory")
}

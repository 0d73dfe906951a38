package verify

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"antipode/overlap"
	"antipode/overlap/fokkerplanck"
)

// The first crossing, the fraction above a level and the maximum of a segment agree with its values at many
// points, for lines and for parabolas that open either way, some of which do not reach the level. Seed 1.
func TestSegments(t *testing.T) {
	const points = 20_000
	rng := rand.New(rand.NewPCG(1, 1))
	segments := []segment{{0, 1, 0}, {0.6, 0, 0}, {0.2, 0, 0}, {0.5, 1, -1}, {0.75, -1, 1}}
	for range 300 {
		segments = append(segments, segment{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()})
	}
	for _, s := range segments {
		highest, first, above := math.Inf(-1), math.Inf(1), 0
		for k := range points {
			theta := (float64(k) + 0.5) / points
			highest = max(highest, s.at(theta))
			if s.at(theta) > 0.5 {
				first = min(first, theta)
				above++
			}
		}
		gotFirst, gotPart := s.above(0.5)
		part := float64(above) / points
		if !(math.Abs(gotPart-part) <= 2./points) ||
			!(gotFirst == first || math.Abs(gotFirst-first) < 2./points) {
			t.Errorf("%v is above from %v for %v, want %v, %v", s, gotFirst, gotPart, first, part)
		}
		if got := s.highest(); got < highest || got > highest+1e-3 {
			t.Errorf("%v: highest %v, want %v", s, got, highest)
		}
	}
}

// A segment is the overlap of two points that move along chords.
func TestSegmentsAreOverlapsOnChords(t *testing.T) {
	before, after := []float64{1, 0, 0.6, 0.8}, []float64{0.8, -0.6, 0.28, 0.96}
	s := segmentOf(before, after, 2)
	for _, theta := range []float64{0, 0.3, 0.7, 1} {
		x := slices.Clone(before)
		for k := range x {
			x[k] += theta * (after[k] - before[k])
		}
		if want := x[0]*x[2] + x[1]*x[3]; !(math.Abs(s.at(theta)-want) <= 1e-15) {
			t.Errorf("at %v: %v, want %v", theta, s.at(theta), want)
		}
	}
}

// The mean time above the level, from the derivative of its Laplace transform, is the integral over time of
// the probability to be above the level, from the Fokker-Planck equation.
func TestOccupationAgainstFokkerPlanck(t *testing.T) {
	diffusion, err := overlap.New(4, 0.7, overlap.Unnormalized, 0.6)
	if err != nil {
		t.Fatal(err)
	}
	const z0, nodes = -0.3, 40
	var times []float64
	for k := range nodes {
		times = append(times, (float64(k)+0.5)/nodes)
	}
	laws, err := fokkerplanck.From(diffusion, z0, times, 1e-6)
	if err != nil {
		t.Fatal(err)
	}
	want := 0.0
	for _, law := range laws {
		want += (1 - law.Below(occupationLevel).Value) / nodes
	}
	at := func(rate float64) float64 {
		v := killed{diffusion, -1, 1, func(z float64) float64 {
			return rate * indicator(z > occupationLevel)
		}}.survival(z0)
		return v[len(v)-1]
	}
	if got := (at(-0.01) - at(0.01)) / 0.02; !(math.Abs(got-want) <= 5e-4) {
		t.Errorf("mean occupation %v, want %v", got, want)
	}
}

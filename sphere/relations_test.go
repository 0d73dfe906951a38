package sphere

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The relations found for two groups of tokens are exactly those of their pairs, for groups whose
// distance from each other, or from each other's opposite, is so close to the threshold that pairs fall
// on both sides of it.
func TestGroupsHaveTheRelationsOfTheirPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 5))
	const n, tolerance = 8, 0.1
	x := make([]float64, 2*n)
	c := NewClassifier(n, tolerance)
	several := map[relations]int{}
	for range 20_000 {
		apart := math.Acos(1-tolerance) + 0.03*(2*r.Float64()-1)
		if r.IntN(2) == 0 {
			apart = math.Pi - apart
		}
		for i := range n {
			angle := apart*float64(i%2) + 0.02*(2*r.Float64()-1)
			x[2*i], x[2*i+1] = math.Cos(angle), math.Sin(angle)
		}
		slack := float64(2+20) * 0x1p-52
		c.gather(len(x)/2, &points{x, 2}, slack)
		for a := range c.centre {
			for b := range a + 1 {
				var want relations
				for i := range n {
					for j := range i {
						if c.group[i] == a && c.group[j] == b || c.group[i] == b && c.group[j] == a {
							want |= c.relation(x[2*i]*x[2*j] + x[2*i+1]*x[2*j+1])
						}
					}
				}
				if got := c.between(len(x)/2, &points{x, 2}, a, b, slack); got != want {
					t.Fatalf("groups %d and %d: relations %03b, want %03b", a, b, got, want)
				}
				several[want]++
			}
		}
	}
	if several[close|apart] < 1000 || several[opposite|apart] < 1000 {
		t.Errorf("too few groups on both sides: %v", several)
	}
}

package overlap

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

var parts, part = flag.Int("parts", 1, ""), flag.Int("part", 0, "")
var scanned = flag.Int("scan", 20, "cells of the scan of laws at a horizon")

// A scanCell is a random cell of the laws at a horizon.
type scanCell struct {
	pair               plainPair
	z0                 float64 // NaN for uniform independent tokens
	horizon, tolerance float64
}

func (c scanCell) String() string {
	p := c.pair
	s := fmt.Sprintf("d=%d β=%v T=%.17g τ=%.3g", p.dim, p.beta, c.horizon, c.tolerance)
	if p.unnormalized {
		s += " unnormalized"
	}
	if p.epsilon > 0 {
		s += fmt.Sprintf(" ε=%.17g", p.epsilon)
	}
	if p.m1 != p.m2 {
		s += fmt.Sprintf(" masses %v,%v", p.m1, p.m2)
	}
	if c.z0 == c.z0 {
		s += fmt.Sprintf(" z0=%v", c.z0)
	}
	return s
}

func drawCell(random *rand.Rand) scanCell {
	between := func(low, high float64) float64 { return low + (high-low)*random.Float64() }
	c := scanCell{z0: math.NaN(), horizon: math.Exp(between(math.Log(1e-2), math.Log(1e4))), tolerance: math.Pow(10, between(-5, -1))}
	p := &c.pair
	*p = plainPair{dim: int(math.Exp(between(math.Log(2), math.Log(1001)))), m1: 1, m2: 1, unnormalized: random.IntN(2) == 0}
	p.dim = min(p.dim, 2+random.IntN(999))
	switch random.IntN(3) {
	case 0:
		p.beta = between(0, 3)
	case 1:
		p.beta = between(0, 10)
	default:
		p.beta = between(0, 60)
	}
	if random.IntN(3) == 0 {
		c.z0 = between(-1, 1)
	}
	switch random.IntN(4) {
	case 0:
		p.m2 = float64(1 + random.IntN(5))
		p.m1 = p.m2 + float64(1+random.IntN(4))
	case 1:
		single, antipodal := HybridThresholds(p.beta, attentionOf(p.unnormalized))
		switch {
		case !p.unnormalized && random.IntN(2) == 0:
			p.epsilon = between(antipodal, single)
		case random.IntN(2) == 0:
			p.epsilon = single * math.Exp(between(-0.7, 0.7))
		default:
			p.epsilon = between(0.1, 2)
		}
	}
	return c
}

func attentionOf(unnormalized bool) Attention {
	if unnormalized {
		return Unnormalized
	}
	return Softmax
}

func (c scanCell) law() (Distribution, error) {
	p := c.pair
	d, err := NewMasses(p.dim, p.beta, attentionOf(p.unnormalized), 1, p.m1, p.m2)
	if p.epsilon > 0 {
		d, err = NewHybrid(p.dim, p.beta, attentionOf(p.unnormalized), p.epsilon)
	}
	if err != nil {
		return Distribution{}, err
	}
	var laws []Distribution
	if c.z0 == c.z0 {
		laws, err = d.EvolveFrom(c.z0, []float64{c.horizon}, 1e-5)
	} else {
		laws, err = d.EvolveUniform([]float64{c.horizon}, 1e-5)
	}
	if err != nil {
		return Distribution{}, err
	}
	return laws[0], nil
}

func TestScanOfHorizons(t *testing.T) {
	random := rand.New(rand.NewPCG(19, 1))
	var largest, ratio float64
	var refused, unsure, coarse int
	var spent time.Duration
	until, _ := t.Deadline()
	for k := range *scanned {
		if time.Until(until) < 20*time.Second && !until.IsZero() {
			t.Logf("stopped at cell %d", k)
			break
		}
		c := drawCell(random)
		if k%*parts != *part {
			continue
		}
		begin := time.Now()
		law, err := c.law()
		took := time.Since(begin)
		spent += took
		if err != nil {
			t.Fatalf("%v: %v", c, err)
		}
		u0 := math.NaN()
		if c.z0 == c.z0 {
			u0 = math.Atanh(c.z0)
		}
		threshold := 0.5 * math.Log(c.tolerance/(2-c.tolerance))
		antipodal, single := law.Antipodal(c.tolerance), law.Single(c.tolerance)
		for side, p := range map[float64]Probability{-1: antipodal, 1: single} {
			if p.Error > 1e-3 {
				refused++
				t.Logf("REFUSED %d %v: side %v: %v ± %.1g, %v", k, c, side, p.Value, p.Error, took)
				continue
			}
			if p.Error > 1e-5 {
				coarse++
				t.Logf("COARSE %d %v: side %v: %v ± %.1g, %v", k, c, side, p.Value, p.Error, took)
			}
			want, uncertainty := 0.0, 1.0
			for cells := 1200; cells < 4000 && uncertainty > max(p.Error, 2e-6); cells *= 3 {
				want, uncertainty = c.pair.below(u0, side*-threshold, c.horizon, cells)
				if side > 0 {
					want = 1 - want
				}
			}
			off := math.Abs(p.Value - want)
			switch {
			case uncertainty > 1e-4 || uncertainty != uncertainty:
				unsure++
				t.Logf("UNSURE %d %v: side %v: %v ± %.1g, second %v ± %.1g", k, c, side, p.Value, p.Error, want, uncertainty)
				continue
			case off > p.Error+uncertainty:
				t.Errorf("%d %v: side %v: %v ± %.1g, second %v ± %.1g, off %.2g", k, c, side, p.Value, p.Error, want, uncertainty, off)
			}
			if uncertainty < 0.3*p.Error {
				largest, ratio = max(largest, off), max(ratio, off/p.Error)
			}
		}
	}
	t.Logf("%d cells: largest error %.2g, largest of error / printed %.2g; %d above 1e-3, %d above 1e-5, %d unsure of %d; %v", *scanned, largest, ratio, refused, coarse, unsure, 2**scanned, spent)
}

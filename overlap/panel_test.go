package overlap

import (
	"math"
	"testing"
)

func TestPanelFitsOscillation(t *testing.T) {
	slope := func(u float64) float64 { return 3 * math.Cos(3*u) }
	for _, width := range []float64{0.25, -0.25, 100, -100} {
		p := panel{start: 0.5, width: width}
		p.fit(slope, steepest)
		if math.Signbit(p.width) != math.Signbit(width) || math.Abs(p.width) > math.Abs(width) {
			t.Fatalf("width %v became %v", width, p.width)
		}
		if 3*math.Abs(p.width) > steepest || p.uncertainty > resolution*steepest {
			t.Errorf("width %v, uncertainty %v", p.width, p.uncertainty)
		}
		rise := func(u float64) float64 { return math.Sin(3*u) - math.Sin(3*0.5) }
		near(t, "whole rise", p.wholeRise, rise(p.start+p.width), p.uncertainty+1e-15)
		for i := range p.rise {
			near(t, "rise", p.rise[i], rise(p.position(i)), p.uncertainty+1e-15)
		}
	}
}

// The steepest straight exponent and the steepest one that bends: what the comment at
// steepest derives.
func TestPanelMassAtTheSteepest(t *testing.T) {
	for _, width := range []float64{1, -1, 1e-4} {
		s := steepest / width
		straight := panel{width: width}
		straight.fit(func(float64) float64 { return s }, steepest)
		near(t, "mass of exp(-su)", straight.mass()/math.Abs(width), -math.Expm1(-steepest)/steepest, 1e-15)
		bent := panel{width: width}
		bent.fit(func(u float64) float64 { return s * u / width }, steepest)
		near(t, "mass of exp(-su²/2)", bent.mass()/math.Abs(width), math.Sqrt(math.Pi/2/steepest)*math.Erf(math.Sqrt(steepest/2.0)), 1e-15)
		if straight.width != width || bent.width != width {
			t.Errorf("widths became %v, %v", straight.width, bent.width)
		}
	}
}

func TestPanelMoves(t *testing.T) {
	p := panel{start: 1, width: -2}
	p.shorten(3)
	p.advance()
	if p.start != -1 || p.width != -2*growth {
		t.Errorf("start %v, width %v after advance", p.start, p.width)
	}
	p.shorten(0.5)
	if p.width != -0.5 {
		t.Errorf("width %v after shorten", p.width)
	}
}

package quadrature

import (
	"math"
	"testing"
)

func TestPanelFitsOscillation(t *testing.T) {
	slope := func(u float64) float64 { return 3 * math.Cos(3*u) }
	for _, width := range []float64{0.25, -0.25, 100, -100} {
		p := Panel{Start: 0.5, Width: width}
		p.Fit(slope, Steepest)
		if math.Signbit(p.Width) != math.Signbit(width) || !(math.Abs(p.Width) <= math.Abs(width)) {
			t.Fatalf("width %v became %v", width, p.Width)
		}
		if 3*math.Abs(p.Width) > Steepest || p.Uncertainty > resolution*Steepest {
			t.Errorf("width %v, uncertainty %v", p.Width, p.Uncertainty)
		}
		rise := func(u float64) float64 { return math.Sin(3*u) - math.Sin(3*0.5) }
		near(t, "whole rise", p.WholeRise, rise(p.Start+p.Width), p.Uncertainty+1e-15)
		for i := range p.Rise {
			near(t, "rise", p.Rise[i], rise(p.Position(i)), p.Uncertainty+1e-15)
		}
	}
}

// The steepest linear exponent, and the steepest one whose slope grows from 0: the cases derived in the
// comment of Steepest.
func TestPanelMassAtTheSteepest(t *testing.T) {
	for _, width := range []float64{1, -1, 1e-4} {
		s := Steepest / width
		straight := Panel{Width: width}
		straight.Fit(func(float64) float64 { return s }, Steepest)
		near(t, "mass of exp(-su)", straight.Mass()/math.Abs(width), -math.Expm1(-Steepest)/Steepest, 1e-15)
		bent := Panel{Width: width}
		bent.Fit(func(u float64) float64 { return s * u / width }, Steepest)
		near(t, "mass of exp(-su²/2)", bent.Mass()/math.Abs(width),
			math.Sqrt(math.Pi/2/Steepest)*math.Erf(math.Sqrt(Steepest/2.0)), 1e-15)
		if straight.Width != width || bent.Width != width {
			t.Errorf("widths became %v, %v", straight.Width, bent.Width)
		}
	}
}

func TestPanelMoves(t *testing.T) {
	p := Panel{Start: 1, Width: -2}
	p.Shorten(3)
	p.Advance()
	if p.Start != -1 || p.Width != -2*Growth {
		t.Errorf("start %v, width %v after advance", p.Start, p.Width)
	}
	p.Shorten(0.5)
	if p.Width != -0.5 {
		t.Errorf("width %v after shorten", p.Width)
	}
}

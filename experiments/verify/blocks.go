package verify

import (
	"math"

	"antipode/overlap/propagation"
)

// kernelsOfActivations computes E φ(x)φ(y) from its definition: the trapezoidal rule in two
// independent normal variables, which is exact up to rounding for smooth φ; for relu the
// radius by hand, ∫ r³ e^{-r²/2} dr = 2, and the angle by Simpson's rule where both
// are positive.
func kernelsOfActivations(_ *laboratory, r *report) error {
	functions := map[propagation.Activation]func(x float64) float64{
		propagation.Erf: math.Erf, propagation.Tanh: math.Tanh,
		propagation.GELU: func(x float64) float64 { return 0.5 * x * math.Erfc(-x/math.Sqrt2) },
	}
	for _, activation := range []propagation.Activation{propagation.ReLU, propagation.Erf, propagation.Tanh, propagation.GELU} {
		for _, s := range []propagation.State{{Q: 0.8, P: 0.3}, {Q: 1.5, P: 1.2}} {
			want := 0.0
			rho := s.Cosine()
			if function, smooth := functions[activation]; smooth {
				const width, reach = 0.05, 8.5
				for x := -reach; x <= reach; x += width {
					for y := -reach; y <= reach; y += width {
						weight := width * width / (2 * math.Pi) * math.Exp(-0.5*(x*x+y*y))
						want += weight * function(math.Sqrt(s.Q)*x) * function(math.Sqrt(s.Q)*(rho*x+math.Sqrt(1-rho*rho)*y))
					}
				}
			} else {
				angle := math.Acos(rho)
				want = s.Q / math.Pi * integrate(angle-math.Pi/2, math.Pi/2, func(theta float64) float64 {
					return math.Cos(theta) * math.Cos(theta-angle)
				})
			}
			r.equal(activation.String()+", q="+number(s.Q)+" p="+number(s.P), want, activation.Kernel(s.Q, s.P), 1e-12)
		}
	}
	return nil
}

// blockOf is a block of a kind, with spread attention.
func blockOf(kind propagation.Kind, activation propagation.Activation) propagation.Block {
	return propagation.Block{
		Kind: kind, Beta: 0.02, SigmaV2: 0.2, SigmaW2: 0.2, SigmaB2: 4e-4, AlphaSA: 1, AlphaMLP: 1,
		Activation: activation, Tokens: math.Inf(1),
	}
}

func collapse(l *laboratory, r *report) error {
	for _, kind := range []propagation.Kind{propagation.PostNorm, propagation.GainPostNorm} {
		m, err := propagation.NewMap(l.block(blockOf(kind, propagation.ReLU)))
		if err != nil {
			return err
		}
		points, err := m.FixedPoints()
		if err != nil {
			return err
		}
		r.equal("fixed points, "+kind.String(), 1, float64(len(points)), 0)
		const layers = 20_000
		curve, err := m.Curve(propagation.State{Q: 1, P: 0.1}, layers)
		if err != nil {
			return err
		}
		for _, f := range points {
			r.equal("a fixed point, "+kind.String(), 1, f.Cosine(), 1e-12)
		}
		r.equal("cosine behind 20,000 layers, "+kind.String(), 1, curve[layers].Cosine(), 1e-3)
	}
	return nil
}

func chaos(_ *laboratory, r *report) error {
	b := blockOf(propagation.PostNorm, propagation.Tanh)
	b.SigmaV2, b.SigmaW2, b.SigmaB2, b.AlphaSA = 1, 6.25, 0.1, 6
	m, err := propagation.NewMap(b)
	if err != nil {
		return err
	}
	points, err := m.FixedPoints()
	if err != nil {
		return err
	}
	for _, start := range []float64{0.05, 0.99} {
		const layers = 300
		curve, err := m.Curve(propagation.State{Q: 1, P: start}, layers)
		if err != nil {
			return err
		}
		r.equal("cosine behind 300 layers from "+number(start), points[0].Cosine(), curve[layers].Cosine(), 1e-9)
		r.refute(1)
	}
	return nil
}

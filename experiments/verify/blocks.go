package verify

import (
	"math"

	"antipode/overlap/propagation"
)

var blocks = []Claim{
	{
		"kernels", Propagation, "(16)",
		"the kernels of the MLP: arc-cosine for relu, arcsine for erf, tanh and gelu",
		"a kernel in closed form or by quadrature that is not E φ(x)φ(y)", kernelsOfActivations,
	},
	{
		"collapse", Propagation, "Section 4",
		"with relu and spread attention cosine 1 is the only fixed point of a block",
		"a map of a block that does not keep equal tokens equal, or whose iteration ends elsewhere", collapse,
	},
	{
		"trainability", Propagation, "Algorithm 1",
		"if attention is spread, the signal passes 60 layers for residual strengths above α_c",
		"a map that is not the printed algorithm's, a wrong root, or verdicts exchanged", trainability,
	},
	{
		"chaos", Propagation, "C.4",
		"with tanh in its chaotic phase a block has a stable fixed point below cosine 1",
		"fixed points that are not those of the iteration, or only the one at cosine 1", chaos,
	},
}

// kernelsOfActivations computes the kernel E φ(x)φ(y) of activation functions φ from its definition, for
// normal x and y. For smooth φ the computation uses the trapezoidal rule in two independent normal variables,
// which is exact up to rounding. For relu the computation uses polar coordinates. The integral over the
// radius has the closed form ∫ r³ e^{-r²/2} dr = 2, and Simpson's rule integrates over the angles at which
// both variables are positive.
func kernelsOfActivations(f *fixture, r *report) {
	functions := map[propagation.Activation]func(x float64) float64{
		propagation.Erf: math.Erf, propagation.Tanh: math.Tanh,
		propagation.GELU: func(x float64) float64 { return 0.5 * x * math.Erfc(-x/math.Sqrt2) },
	}
	activations := []propagation.Activation{
		propagation.ReLU, propagation.Erf, propagation.Tanh, propagation.GELU,
	}
	for _, activation := range activations {
		kernel := f.block(propagation.Block{Activation: activation}).Activation.Kernel
		for _, s := range []propagation.State{{Q: 0.8, P: 0.3}, {Q: 1.5, P: 1.2}} {
			want := 0.0
			rho := s.Cosine()
			if function, smooth := functions[activation]; smooth {
				const width, reach = 0.05, 8.5
				for x := -reach; x <= reach; x += width {
					for y := -reach; y <= reach; y += width {
						weight := width * width / (2 * math.Pi) * math.Exp(-0.5*(x*x+y*y))
						second := math.Sqrt(s.Q) * (rho*x + math.Sqrt(1-rho*rho)*y)
						want += weight * function(math.Sqrt(s.Q)*x) * function(second)
					}
				}
			} else {
				angle := math.Acos(rho)
				want = s.Q / math.Pi * integrate(angle-math.Pi/2, math.Pi/2, func(theta float64) float64 {
					return math.Cos(theta) * math.Cos(theta-angle)
				})
			}
			r.equal(activation.String()+", q="+number(s.Q)+" p="+number(s.P), want,
				kernel(s.Q, s.P), 1e-12)
		}
	}
}

// blockOf returns a Transformer block of the given kind in the phase of uniform attention.
func blockOf(kind propagation.Kind, activation propagation.Activation) propagation.Block {
	return propagation.Block{
		Kind: kind, Beta: 0.02, SigmaV2: 0.2, SigmaW2: 0.2, SigmaB2: 4e-4, AlphaSA: 1, AlphaMLP: 1,
		Activation: activation, Tokens: math.Inf(1),
	}
}

func collapse(f *fixture, r *report) {
	for _, kind := range []propagation.Kind{propagation.PostNorm, propagation.GainPostNorm} {
		m := must(propagation.NewMap(f.block(blockOf(kind, propagation.ReLU))))
		points := must(m.FixedPoints())
		r.equal("fixed points, "+kind.String(), 1, float64(len(points)), 0)
		const layers = 20_000
		curve := must(m.Curve(propagation.State{Q: 1, P: 0.1}, layers))
		for _, point := range points {
			r.equal("a fixed point, "+kind.String(), 1, point.Cosine(), 1e-12)
		}
		r.equal("cosine after 20,000 layers, "+kind.String(), 1, curve[layers].Cosine(), 1e-3)
	}
}

func chaos(f *fixture, r *report) {
	b := blockOf(propagation.PostNorm, propagation.Tanh)
	b.SigmaV2, b.SigmaW2, b.SigmaB2, b.AlphaSA = 1, 6.25, 0.1, 6
	m := must(propagation.NewMap(f.block(b)))
	points := must(m.FixedPoints())
	for _, start := range []float64{0.05, 0.99} {
		const layers = 300
		curve := must(m.Curve(propagation.State{Q: 1, P: start}, layers))
		r.equal("cosine after 300 layers from "+number(start), points[0].Cosine(),
			curve[layers].Cosine(), 1e-9)
		r.refute(1)
	}
}

// trainability finds the critical strength α_c of the residual connection by bisection with the paper's
// Algorithm 1 as printed. trainability also compares on both sides of the two failure lines whether the
// signal passes.
func trainability(f *fixture, r *report) {
	const depth, collapsed, start = 60, 0.95, 0.1
	b := blockOf(propagation.PostNorm, propagation.ReLU)
	low, high := 0.0, 100.0
	for range 60 {
		if middle := 0.5 * (low + high); algorithm1(b, middle, start, depth) > collapsed {
			low = middle
		} else {
			high = middle
		}
	}
	state := propagation.State{Q: 1, P: start}
	alpha, found, err := propagation.CriticalAlpha(f.block(b), state, depth, collapsed)
	ensure(err)
	r.equal("α_c of 60 layers", low, alpha, 1e-6)
	r.equal("α_c exists", 1, sign(found), 0)
	critical := propagation.CriticalBeta(1, start)
	for _, x := range []struct {
		alpha, beta float64
		verdict     propagation.Verdict
	}{
		{1.1 * alpha, 0.5 * critical, propagation.Trainable},
		{0.9 * alpha, 0.5 * critical, propagation.RankCollapse},
		{1.1 * alpha, 1.1 * critical, propagation.EntropyCollapse},
	} {
		b.AlphaSA, b.Beta = x.alpha, x.beta
		m := must(propagation.NewMap(f.block(b)))
		signal := must(m.Signal(state, depth))
		r.equal(x.verdict.String(), float64(x.verdict), float64(signal.Verdict(x.beta, collapsed)), 0)
	}
}

// algorithm1 returns the cosine of tokens after depth post-norm blocks with uniform attention and relu, by
// Algorithm 1 of the paper.
func algorithm1(b propagation.Block, alpha, cosine float64, depth int) float64 {
	for range depth {
		// Uniform attention maps every token to the mean of the tokens. The squared norm of the mean, and its
		// overlap with every token, equal the overlap of the tokens.
		q, p := b.SigmaV2*cosine+alpha*alpha, b.SigmaV2*cosine+alpha*alpha*cosine
		rho := p / q
		hidden, hiddenOverlap := b.SigmaW2+b.SigmaB2, b.SigmaW2*rho+b.SigmaB2
		f := hiddenOverlap / hidden
		kernel := (math.Sqrt(1-f*f) + f*(math.Pi-math.Acos(f))) / math.Pi
		q = b.SigmaW2/2*hidden + b.SigmaB2 + b.AlphaMLP*b.AlphaMLP
		p = b.SigmaW2/2*hidden*kernel + b.SigmaB2 + b.AlphaMLP*b.AlphaMLP*rho
		cosine = p / q
	}
	return cosine
}

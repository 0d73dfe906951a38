package sde

import (
	"context"
	"fmt"
	"math"

	"antipode/sde/internal/kernels"
	"antipode/sde/ordered"
	"antipode/sphere/elementary"
	"antipode/sphere/invariant"
)

// Responses estimates how what becomes of two tokens under Gaussian value matrices answers to β and to σ,
// without differences: the derivatives of the probability of the antipodal outcome and of the mean overlap.
//
// The overlap is a chain in u = atanh z. A layer takes the orthogonal unit vectors along X¹±X² to e₁+c₁g and
// e₂+c₂h, with standard normal g and h and c = σ(p±q)/√L at u, and depends on the parameters by c alone:
//
//	2 sinh u' = (e^u A - e^-u C)/√(AC-B²), A = |e₁+c₁g|², C = |e₂+c₂h|², B = <e₁+c₁g, e₂+c₂h>.
//
// With the noise held fixed the overlap is a smooth function of the parameters, so that the derivative of its
// mean is the mean of that along the path. At long times it is that of few paths between both ends, which a
// sample may not have: then its standard error is too small. An outcome is no smooth function, and there the
// derivative is the mean of the outcome times a score: by parts, the mean of ψ(f) times n·W - div W is the
// derivative of that of ψ(f), for a function f of normal noise n, f' its derivative by the parameter, and
//
//	W = f'∇f/|∇f|²,
//
// the least field by which noise makes up for the parameter. Here f is u' of a layer, given u, and the scores
// of the layers add up to a martingale. That of the noise itself, (|g|²-d) c₁'/c₁ + (|h|²-d) c₂'/c₂, has the
// same mean given u' and tens of times the variance. From an outcome in the score of a layer the control at
// the overlap before it is taken off, which changes no mean; the nearer the control is to the probability of
// the outcome, the less variance is left. The mean overlap is estimated in this way too, with one minus twice
// the control.
type Responses struct {
	// Cell is two tokens under Gaussian value matrices with independent entries, with B = I and nothing
	// beside attention, at a positive β.
	Cell         Cell
	Layers       int64
	Trajectories int64                   // at least 2
	Tolerance    float64                 // of the antipodal outcome, Z ≤ -1+Tolerance, in (0, 1)
	Control      func(u float64) float64 // of values from 0 to 1; nil for 0
	// Stop, if not nil, tells of a trajectory at u that nothing of its outcome and its overlap changes.
	Stop    func(u float64) bool
	Seed    uint64
	Workers int // 0 for one
}

// A Response is the derivatives with respect to a parameter: those of the probability of the antipodal
// outcome and of the mean overlap by scores, and the latter along paths.
type Response struct{ Antipodal, Overlap, OverlapAlong Mean }

// Responded is the derivatives with respect to β and to σ, and how many trajectories were antipodal. Where
// few were, or nearly all, the standard errors of derivatives of that probability are themselves not known.
type Responded struct {
	ByBeta, BySigma Response
	Count           int64
}

// A Mean is that of a sample, and its standard error.
type Mean struct{ Value, Error float64 }

// Run returns the derivatives, the same for any number of workers. It is an error if a field is out of its
// domain, or the context's.
func (r *Responses) Run(ctx context.Context) (Responded, error) {
	if err := r.validate(); err != nil {
		return Responded{}, err
	}
	var sums [2]responseSums
	join := func(to *[2]responseSums, some [2]responseSums) {
		for p := range to {
			to[p].join(some[p])
		}
	}
	err := overTrajectories(ctx, r.Trajectories, r.Workers, &sums, join, func() func(int64) [2]responseSums {
		walk := newResponseWalk(r)
		return func(trajectory int64) [2]responseSums {
			walk.run(trajectory)
			return [2]responseSums{walk.derivatives(0), walk.derivatives(1)}
		}
	})
	return Responded{sums[0].response(), sums[1].response(), int64(sums[0].antipodal)}, err
}

func (r *Responses) validate() error {
	c := r.Cell
	if err := c.Validate(); err != nil {
		return err
	}
	model, ok := c.Model.(Transformer)
	switch {
	case !ok || model.Law != Gaussian || !c.hasBareAttention() ||
		model.Covariance.OrGinibre() != invariant.Ginibre:
		return fmt.Errorf("responses: must be those of two tokens under Gaussian value matrices with " +
			"independent entries, with nothing beside attention")
	case !(c.Beta > 0):
		return fmt.Errorf("responses: beta %v: must be positive", c.Beta)
	}
	return checkResponses(c.Dim, r.Trajectories, r.Layers, r.Tolerance)
}

// hasBareAttention reports whether a cell is of two tokens with nothing beside attention.
func (c Cell) hasBareAttention() bool {
	return c.Tokens == 2 && c.Interaction == nil && c.Resampling.none() && c.Plain() && !c.hasKernel() &&
		!c.Tangent
}

func checkResponses(dim int, trajectories, layers int64, tolerance float64) error {
	switch {
	case dim < 2:
		return fmt.Errorf("responses: dimension %d: must be at least 2", dim)
	case trajectories < 2:
		return fmt.Errorf("responses: trajectories %d: must be at least 2", trajectories)
	case layers < 0:
		return fmt.Errorf("responses: layers %d: must not be negative", layers)
	case !(tolerance > 0 && tolerance < 1):
		return fmt.Errorf("responses: tolerance %v: must be between 0 and 1", tolerance)
	}
	return nil
}

// overTrajectories joins to sums what trajectories give, in their order, some at a time: the same for any
// number of workers.
func overTrajectories[S any](ctx context.Context, trajectories int64, workers int, sums *S,
	join func(to *S, some S), worker func() func(trajectory int64) S,
) error {
	const each = 32 // trajectories of an item
	return ordered.Each(ctx, max(1, workers), (trajectories+each-1)/each, nil,
		func() func(ctx context.Context, item int64) (S, error) {
			run := worker()
			return func(ctx context.Context, item int64) (some S, err error) {
				for k := item * each; k < min((item+1)*each, trajectories) && ctx.Err() == nil; k++ {
					join(&some, run(k))
				}
				return some, ctx.Err()
			}
		},
		func(_ int64, some S) error {
			join(sums, some)
			return nil
		})
}

// responseSums are those of the derivatives of a parameter, in the order of Response, and of their squares.
type responseSums struct {
	count, antipodal float64
	sum, squares     [3]float64
}

func (s *responseSums) join(other responseSums) {
	s.count += other.count
	s.antipodal += other.antipodal
	for k := range s.sum {
		s.sum[k] += other.sum[k]
		s.squares[k] += other.squares[k]
	}
}

func (s *responseSums) response() Response { return Response{s.mean(0), s.mean(1), s.mean(2)} }

func (s *responseSums) mean(k int) Mean {
	mean := s.sum[k] / s.count
	return Mean{mean, math.Sqrt(max(0, s.squares[k]/s.count-float64(mean*mean)) / (s.count - 1))}
}

// A responseWalk follows a trajectory with its derivatives with respect to β and to σ.
type responseWalk struct {
	*Responses
	stream  kernels.Stream
	scale   float64 // σ/√L
	sigma   float64
	noise   []float64 // g and h
	tokens  []float64
	normals kernels.NormalSequence

	u       float64
	by      [2]float64 // of u along the path
	score   [2]float64 // the sums over layers
	control [2]float64 // the same, times the control
}

func newResponseWalk(r *Responses) *responseWalk {
	sigma := r.Cell.Model.(Transformer).Sigma
	return &responseWalk{Responses: r, stream: r.Cell.stream(r.Seed), sigma: sigma,
		scale: sigma / math.Sqrt(float64(r.Cell.Depth)),
		noise: make([]float64, 2*r.Cell.Dim), tokens: make([]float64, 2*r.Cell.Dim)}
}

// run follows a trajectory to the horizon.
func (w *responseWalk) run(trajectory int64) {
	w.start(trajectory)
	w.by, w.score, w.control = [2]float64{}, [2]float64{}, [2]float64{}
	for layer := range w.Layers {
		if w.Stop != nil && w.Stop(w.u) {
			return
		}
		w.stream.Normals(w.noise, 1, kernels.Increments, trajectory, layer)
		w.step()
	}
}

// start sets the overlap at layer 0. The squared lengths of X¹±X² are those of its u.
func (w *responseWalk) start(trajectory int64) {
	w.normals.Restart(w.stream, kernels.Starts, trajectory, 0)
	d := w.Cell.Dim
	if err := w.Cell.Start.Fill(w.tokens, d, trajectory, w.normals.Next); err != nil {
		panic("sde: " + err.Error()) // which Validate has excluded
	}
	sum, difference := 0.0, 0.0
	for k, x := range w.tokens[:d] {
		y := w.tokens[d+k]
		sum += float64((x + y) * (x + y))
		difference += float64((x - y) * (x - y))
	}
	const farthest = 300 // beyond which squared lengths are no float64
	w.u = max(-farthest, min(farthest, float64(0.5*elementary.Log(sum/difference))))
}

// derivatives are those of this trajectory by a parameter.
func (w *responseWalk) derivatives(p int) responseSums {
	e := elementary.Exp(-2 * math.Abs(w.u))
	z := math.Copysign((1-e)/(1+e), w.u)
	antipodal, is := -w.control[p], 0.0
	if w.u <= 0.5*elementary.Log(w.Tolerance/(2-w.Tolerance)) {
		antipodal, is = antipodal+w.score[p], 1
	}
	overlap := float64((z-1)*w.score[p]) + float64(2*w.control[p])
	along := 4 * e / ((1 + e) * (1 + e)) * w.by[p] // 1-z² times that of u
	return responseSums{1, is, [3]float64{antipodal, overlap, along},
		[3]float64{float64(antipodal * antipodal), float64(overlap * overlap), float64(along * along)}}
}

// An amplitude is c of the noise along a direction, with its derivatives.
type amplitude struct{ value, byU, byBeta float64 }

// amplitudes returns c₁ and c₂: σ/√L times p+q and p-q.
func (w *responseWalk) amplitudes() (first, second amplitude) {
	return amplitudes(w.u, w.Cell.Beta, w.Cell.Attention, w.scale)
}

// amplitudes returns p+q and p-q at u, times a scale: 1 and tanh(½β(1-z)) for softmax, and ½e^β (1±r), r =
// e^(-β(1-z)), else.
func amplitudes(u, beta float64, attention Attention, scale float64) (first, second amplitude) {
	e := elementary.Exp(-2 * math.Abs(u))
	small, great := 2*e/(1+e), 2/(1+e)
	above, below := great, small // 1±z
	if u < 0 {
		above, below = small, great
	}
	lost := -elementary.Expm1(-float64(beta * below)) // 1-r
	r := 1 - lost
	byU := float64(beta * above * below * r) // dr/du
	byBeta := -float64(below * r)
	if attention == Softmax {
		slope := -2 * scale / ((1 + r) * (1 + r))
		return amplitude{value: scale}, amplitude{scale * lost / (1 + r), slope * byU, slope * byBeta}
	}
	half := 0.5 * scale * elementary.Exp(beta)
	return amplitude{half * (1 + r), half * byU, float64(half * (1 + r + byBeta))},
		amplitude{half * lost, -half * byU, float64(half * (lost - byBeta))}
}

// step takes the trajectory through a layer.
func (w *responseWalk) step() {
	d := w.Cell.Dim
	g, h := w.noise[:d], w.noise[d:]
	var gg, hh, gh float64
	for k, x := range g {
		y := h[k]
		gg += float64(x * x)
		hh += float64(y * y)
		gh += float64(x * y)
	}
	first, second := w.amplitudes()
	c1, c2 := first.value, second.value
	a := 1 + float64(c1*(float64(2*g[0])+float64(c1*gg)))
	c := 1 + float64(c2*(float64(2*h[1])+float64(c2*hh)))
	b := float64(c1*g[1]) + float64(c2*h[0]) + float64(c1*c2*gh)
	root := math.Sqrt(max(math.SmallestNonzeroFloat64, float64(a*c)-float64(b*b)))
	aBy, cBy := 2*(g[0]+float64(c1*gg)), 2*(h[1]+float64(c2*hh)) // by c₁ and by c₂
	bBy1, bBy2 := g[1]+float64(c2*gh), h[0]+float64(c1*gh)
	// In the unit e^|u|:
	e := elementary.Exp(-2 * math.Abs(w.u))
	up, down := 1.0, e
	if w.u < 0 {
		up, down = e, 1
	}
	sinh := (float64(up*a) - float64(down*c)) / root
	cosh := math.Sqrt(float64(sinh*sinh) + float64(4*e))
	by := func(du, d1, d2 float64) float64 {
		da, dc := float64(aBy*d1), float64(cBy*d2)
		db := float64(bBy1*d1) + float64(bBy2*d2)
		dRoot := (float64(da*c) + float64(a*dc) - float64(2*b*db)) / (2 * root)
		moved := float64(up*(float64(a*du)+da)) + float64(down*(float64(c*du)-dc))
		return (moved/root - float64(sinh*dRoot/root)) / cosh
	}
	shape := layerShape{a: a, b: b, c: c, up: up, down: down, root: root, first: c1 * c1, second: c2 * c2,
		dim: float64(d), y: [4]float64{1 + float64(c1*g[0]), float64(c1 * g[1]), float64(c2 * h[0]),
			1 + float64(c2*h[1])}}
	s1, s2 := shape.scores()
	w.addScores(float64(s1*(first.byBeta/c1))+float64(s2*(second.byBeta/c2)), (s1+s2)/w.sigma)
	for p := range w.by {
		du := w.by[p]
		d1, d2 := float64(first.byU*du)+first.byBeta, float64(second.byU*du)+second.byBeta
		if p == 1 {
			d1, d2 = float64(first.byU*du)+c1/w.sigma, float64(second.byU*du)+c2/w.sigma
		}
		w.by[p] = by(du, d1, d2)
	}
	w.move(sinh, cosh, e)
}

// addScores adds those of a layer, by β and by σ.
func (w *responseWalk) addScores(scores ...float64) {
	control := 0.0
	if w.Control != nil {
		control = w.Control(w.u)
	}
	for p, s := range scores {
		w.score[p] += s
		w.control[p] += float64(control * s)
	}
}

// move sets u', given 2 sinh u' and 2 cosh u' in the unit e^|u|, and e = e^(-2|u|).
func (w *responseWalk) move(sinh, cosh, e float64) {
	side := math.Copysign(1, w.u)
	along := float64(side * sinh)
	sum := along + cosh // 2 e^(|u'|-|u|) on the same side
	if along < 0 {
		sum = 4 * e / (cosh - along)
	}
	const farthest = 300
	w.u = side * min(farthest, math.Abs(w.u)+elementary.Log(0.5*sum))
}

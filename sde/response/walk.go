package response

import (
	"math"

	"antipode/sde"
	"antipode/sde/internal/kernels"
	"antipode/sphere/elementary"
)

// A transformerWalk follows the overlap z = tanh u of one trajectory of two tokens at a time, together with
// the derivatives of u with respect to β and to σ.
type transformerWalk struct {
	*Transformer
	stream  kernels.Stream
	scale   float64 // scale σ/√L of the noise
	sigma   float64
	noise   []float64 // normal vectors g and h of a layer
	tokens  []float64
	normals kernels.NormalSequence

	u       float64
	by      [2]float64 // derivatives of u along the path, with respect to β and to σ
	score   [2]float64 // scores with respect to β and to σ, summed over the layers
	control [2]float64 // scores times the control, summed over the layers
}

func newTransformerWalk(r *Transformer) *transformerWalk {
	sigma := r.Cell.Model.(sde.Transformer).Sigma
	return &transformerWalk{Transformer: r, stream: kernels.NewStream(r.Seed, r.Cell.ID()), sigma: sigma,
		scale: sigma / math.Sqrt(float64(r.Cell.Depth)),
		noise: make([]float64, 2*r.Cell.Dim), tokens: make([]float64, 2*r.Cell.Dim)}
}

// run follows a trajectory to the last layer, or until Stop reports true.
func (w *transformerWalk) run(trajectory int64) {
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

// start sets u at layer 0 from the start of the trajectory: for tokens X¹ and X², |X¹+X²|² is 4e^u/(e^u+e^-u)
// and |X¹-X²|² is 4e^-u/(e^u+e^-u).
func (w *transformerWalk) start(trajectory int64) {
	w.normals.Restart(w.stream, kernels.Starts, trajectory, 0)
	d := w.Cell.Dim
	if err := w.Cell.Start.Fill(w.tokens, d, trajectory, w.normals.Next); err != nil {
		panic("response: " + err.Error()) // Validate has excluded this error
	}
	sum, difference := 0.0, 0.0
	for k, x := range w.tokens[:d] {
		y := w.tokens[d+k]
		sum += float64((x + y) * (x + y))
		difference += float64((x - y) * (x - y))
	}
	const farthest = 300 // keeps e^(-2|u|) in the range of float64
	w.u = max(-farthest, min(farthest, float64(0.5*elementary.Log(sum/difference))))
}

// derivatives returns the estimates that one trajectory gives of the derivatives with respect to parameter p,
// which is 0 for β and 1 for σ.
func (w *transformerWalk) derivatives(p int) sums {
	e := elementary.Exp(-2 * math.Abs(w.u))
	z := math.Copysign((1-e)/(1+e), w.u)
	antipodal, is := -w.control[p], 0.0
	if w.u <= 0.5*elementary.Log(w.Tolerance/(2-w.Tolerance)) {
		antipodal, is = antipodal+w.score[p], 1
	}
	overlap := float64((z-1)*w.score[p]) + float64(2*w.control[p])
	along := 4 * e / ((1 + e) * (1 + e)) * w.by[p] // the derivative of z is 1-z² times that of u
	return sums{1, is, [3]float64{antipodal, overlap, along},
		[3]float64{float64(antipodal * antipodal), float64(overlap * overlap), float64(along * along)}}
}

// amplitudes returns the standard deviations c₁ and c₂ of the noise of a layer, which are σ/√L times p+q and
// p-q; see Transformer.
func (w *transformerWalk) amplitudes() (first, second amplitude) {
	return amplitudes(w.u, w.Cell.Beta, w.Cell.Attention, w.scale)
}

// step advances u, its derivatives and the scores by one layer.
func (w *transformerWalk) step() {
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
	aBy, cBy := 2*(g[0]+float64(c1*gg)), 2*(h[1]+float64(c2*hh)) // derivatives with respect to c₁ and to c₂
	bBy1, bBy2 := g[1]+float64(c2*gh), h[0]+float64(c1*gh)
	// The numbers up, down, sinh and cosh are in units of e^|u|.
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

// addScores adds the scores of a layer, with respect to β and to σ, to their sums over layers.
func (w *transformerWalk) addScores(scores ...float64) {
	control := 0.0
	if w.Control != nil {
		control = w.Control(w.u)
	}
	for p, s := range scores {
		w.score[p] += s
		w.control[p] += float64(control * s)
	}
}

// move sets u to its value u' after a layer, given 2 sinh u' and 2 cosh u' in units of e^|u|, and e =
// e^(-2|u|).
func (w *transformerWalk) move(sinh, cosh, e float64) {
	side := math.Copysign(1, w.u)
	along := float64(side * sinh)
	sum := along + cosh // 2 e^(|u'|-|u|), if u' has the sign of u
	if along < 0 {
		sum = 4 * e / (cosh - along)
	}
	const farthest = 300
	w.u = side * min(farthest, math.Abs(w.u)+elementary.Log(0.5*sum))
}

package lanes

import (
	"fmt"
	"math"

	"antipode/sde/internal/kernels"
	"antipode/sphere/elementary"
)

// Plane describes a layer X_i ← normalise(X_i + M A_i) of two tokens or clusters with a Gaussian matrix M,
// where A_i is the attention of token X_i. The covariance of the entries of M is Deviation² times (A, B, C),
// the coefficients of package invariant.
type Plane struct {
	A, B, C   float64
	Deviation float64
	// Spread is the factor of random scores Spread·x_iᵀG x_j of softmax attention; 0 stands for no random
	// scores. The matrix G has independent standard normal entries, which are sampled anew in each layer.
	Spread float64
	// DriftMLP is a drift and an MLP in addition to M A_i; nil for neither. A DriftMLP requires that the
	// entries of M are independent (A = 1, B = C = 0).
	DriftMLP *DriftMLP
}

// planeChain are Lanes of chains of the overlap of two tokens for matrices M whose law is the same in every
// orthonormal basis. Take an orthonormal basis of the direction e of the sum S of the tokens, the direction f
// of their difference D, and d-2 directions orthogonal to e and f. A layer turns S and D into
//
//	S' = S + M(A₁+A₂) = |S|e + a|S|Me + b|D|Mf, D' = |D|f + c|S|Me + e|D|Mf,
//
// with the weights a, b, c and e of a massesLayer. So it is enough to sample two columns of M, Me and Mf. In
// the plane of e and f, the two entries on the diagonal have variance A+B+C and covariance C; the two entries
// off the diagonal have variance A and covariance B. All entries orthogonal to the plane are independent with
// variance A. In a suitable basis, the entries of Me orthogonal to the plane are √A·χ_{d-2} along one axis.
// The entries of Mf orthogonal to the plane are √A times a normal number along the same axis, and √A·χ_{d-3}
// along another axis. So S' and D' are vectors of four numbers, and the squared area that they span is a sum
// of squares.
type planeChain struct {
	starts    starts
	layer     massesLayer
	scores    spreadScores
	plane     planeLaw
	sublayers *driftMLP // nil if there is neither a drift nor an MLP
	// escaping says that the sum S of the tokens does not stay 0, because the clusters have unequal masses,
	// or the activation of the MLP is not odd.
	escaping bool
	pairs    []scaledSquares
	numbers  *planeNumbers
	after    *planeNumbers // random numbers of an MLP that follows attention; nil if there is no such MLP
	masses   [2]float64
}

// planeNumbers are the random numbers of a layer for all lanes of a planeChain.
type planeNumbers struct {
	*kernels.PlaneNumbers
	purpose kernels.Purpose
	draws   []*kernels.Lanes // entry v has the addresses of the first v+1 Vectors
	now     *kernels.Lanes   // the entry of draws that is in use
}

func newPlaneNumbers(c Clusters, purpose kernels.Purpose, count int) *planeNumbers {
	vectors := (count + PerVector - 1) / PerVector
	n := &planeNumbers{PlaneNumbers: kernels.NewPlaneNumbers(vectors, c.Dim), purpose: purpose}
	all := kernels.NewLanes(c.Stream, vectors)
	for v := range vectors {
		n.draws = append(n.draws, all.Part(0, v+1))
	}
	return n
}

// set sets the addresses of random numbers to the current layers of the lanes.
func (n *planeNumbers) set(all []Lane) {
	n.now = n.draws[(len(all)-1)/PerVector]
	for k, at := range all {
		n.now.Set(k, n.purpose, at.Trajectory, at.Layer)
	}
}

// next samples the random numbers of a layer, and moves the addresses on to the next layer.
func (n *planeNumbers) next() {
	n.Draw(n.now)
	n.now.Advance()
}

// planeLaw has the coefficients by which standard normal numbers g and g' give the entries of the two columns
// Me and Mf of a planeChain.
type planeLaw struct {
	dim                 int
	first, second, rest float64 // entries on the diagonal: first·g and second·g + rest·g'
	own, transposed     float64 // entries off the diagonal: own·g + transposed·g' and own·g' + transposed·g
	across              float64 // standard deviation of the entries orthogonal to the plane
}

func newPlaneLaw(p Plane, dim int) planeLaw {
	symmetric, antisymmetric := math.Sqrt(p.A+p.B), math.Sqrt(p.A-p.B)
	law := planeLaw{
		dim: dim, across: float64(p.Deviation * math.Sqrt(p.A)),
		own:        0.5 * p.Deviation * (symmetric + antisymmetric),
		transposed: 0.5 * p.Deviation * (symmetric - antisymmetric),
	}
	if square := p.A + p.B + p.C; square > 0 { // if the sum is 0, the diagonal is 0
		law.first = float64(p.Deviation * math.Sqrt(square))
		law.second = float64(law.first * (p.C / square))
		law.rest = float64(law.first * math.Sqrt(max(0, float64((p.A+p.B)*(square+p.C)))) / square)
	}
	return law
}

// columns returns the columns Me and Mf of the random matrix of a planeChain, each by its components along e,
// f and two axes orthogonal to e and f.
func (l *planeLaw) columns(normals *[8]float64, chi *[2]float64) (e, f [4]float64) {
	e[0], f[1] = float64(l.first*normals[0]), math.FMA(l.second, normals[0], float64(l.rest*normals[1]))
	e[1] = math.FMA(l.own, normals[2], float64(l.transposed*normals[3]))
	f[0] = math.FMA(l.own, normals[3], float64(l.transposed*normals[2]))
	if l.dim > 2 {
		e[2] = float64(l.across * math.Sqrt(math.FMA(normals[4], normals[4], chi[0])))
		f[2] = float64(l.across * normals[5])
		f[3] = float64(l.across * math.Sqrt(chi[1]))
	}
	return e, f
}

// NewPlaneChain returns count lanes of chains of the overlap of two tokens or clusters for matrices of the
// law plane. Random numbers are sampled in vectors; everything else is computed one lane at a time.
func NewPlaneChain(c Clusters, plane Plane, count int) Lanes {
	l := &planeChain{
		starts: starts{of: c}, layer: newMassesLayer(c),
		scores: newSpreadScores(c, plane.Spread), plane: newPlaneLaw(plane, c.Dim),
		sublayers: newDriftMLP(plane), escaping: c.Masses[0] != c.Masses[1] || plane.DriftMLP.escapes(),
		pairs: make([]scaledSquares, count), masses: c.Masses,
		numbers: newPlaneNumbers(c, kernels.Increments, count),
	}
	if plane.DriftMLP != nil && plane.DriftMLP.InSequence {
		l.after = newPlaneNumbers(c, kernels.Weights, count)
	}
	return l
}

func (l *planeChain) Start(k int, trajectory int64) error {
	start, err := l.starts.squares(trajectory)
	l.pairs[k] = scaledSquares{above: start.above, below: start.below}
	return err
}

func (*planeChain) Tokens(int) []float64 { return nil }

func (l *planeChain) Pair(k int) (Pair, bool) {
	above, below := l.pairs[k].logarithms()
	return Pair{Masses: l.masses, Above: above, Below: below}, true
}

func (l *planeChain) Move(k, from int) { l.pairs[k] = l.pairs[from] }

func (l *planeChain) Copy(k, from int) { l.Move(k, from) }

func (l *planeChain) Advance(all []Lane, layers int64) {
	l.numbers.set(all)
	if l.after != nil {
		l.after.set(all)
	}
	for range layers {
		l.numbers.next()
		if l.after != nil {
			l.after.next()
		}
		for k := range all {
			if all[k].Err == nil {
				l.step(k, &all[k])
			}
		}
	}
}

// step advances the overlap of lane k by one layer.
func (l *planeChain) step(k int, at *Lane) {
	p := &l.pairs[k]
	normals, chi := l.numbers.Of(k)
	x, y := math.Sqrt(p.above), math.Sqrt(p.below)
	a, b, c, e := l.layer.weights(p.below)
	if l.scores.spread > 0 {
		a, c = 1, 0
		b, e = l.scores.weights(p.above, p.below, normals[6], normals[7])
	}
	first, second := l.plane.columns(&normals, &chi)
	var above, below float64
	switch {
	case l.sublayers == nil:
		above, below = planeStep(x, y, a, b, c, e, &first, &second)
	case l.after == nil:
		above, below = l.sublayers.step(p, a, b, c, e, &first, &second)
	default:
		above, below = l.sublayers.attend(p, a, b, c, e, &first, &second)
		normals, chi = l.after.Of(k)
		first, second = l.plane.columns(&normals, &chi)
		above, below = l.sublayers.follow(scaledSquares{above, below, p.scale}, &first, &second)
	}
	if !(above <= 5 && below <= 5) {
		at.Err = fmt.Errorf("layer %d: a token has no direction", at.Layer+1)
		return
	}
	at.Layer++
	p.above, p.below = above, below
	if above > below || !l.escaping { // otherwise S is not proportional to S before the layer
		p.rescale()
	}
}

// planeStep returns |S|² and |D|² after a layer of a planeChain, given x = |S| and y = |D| before the layer,
// the weights a, b, c and e of attention, and the columns Me and Mf.
func planeStep(x, y, a, b, c, e float64, first, second *[4]float64) (above, below float64) {
	unit := 1 / (1 + max(a, math.Abs(b), math.Abs(c), e)) // keeps S' and D' of order 1
	ax, by, cx, ey := float64(float64(unit*a)*x), float64(float64(unit*b)*y), float64(float64(unit*c)*x),
		float64(float64(unit*e)*y)
	var s, d [4]float64
	for i := range s {
		s[i] = math.FMA(ax, first[i], float64(by*second[i]))
		d[i] = math.FMA(cx, first[i], float64(ey*second[i]))
	}
	s[0], d[1] = math.FMA(unit, x, s[0]), math.FMA(unit, y, d[1])
	return retractPair(&s, &d)
}

// retractPair returns |S|² and |D|² after the normalisation of both tokens, given the sum S and the
// difference D of the tokens before the normalisation.
func retractPair(s, d *[4]float64) (above, below float64) {
	var p, q, area float64
	for i := range s {
		p, q = math.FMA(s[i], s[i], p), math.FMA(d[i], d[i], q)
		for j := range i {
			minor := math.FMA(s[i], d[j], -float64(s[j]*d[i]))
			area = math.FMA(minor, minor, area)
		}
	}
	return retract(p, q, area)
}

// spreadScores gives the softmax weights of two clusters of overlap Z if scores have a random part with
// factor S. For cluster i let g_i be the score of a token of cluster i with its own cluster minus its score
// with the other cluster. Then g_1 = x+r and g_2 = x-r, where x and r are independent and normal. x has mean
// β(1-Z) and variance S²(1-Z)²; r has mean 0 and variance S²(1-Z²). If log(m₁/m₂) is added to r,
//
//	α₁+α₂ = 2 sinh x/(cosh x + cosh r), α₁-α₂ = 2 sinh r/(cosh x + cosh r).
type spreadScores struct {
	beta, spread float64
	ratio        float64 // log(m₁/m₂) for the masses m₁ and m₂ of the clusters
}

func newSpreadScores(c Clusters, spread float64) spreadScores {
	return spreadScores{c.Beta, spread, elementary.Log(c.Masses[0] / c.Masses[1])}
}

// weights returns b = (α₁-α₂)/2 and e = (α₁+α₂)/2 for the attention of two clusters with random scores, given
// above = 2(1+Z), below = 2(1-Z) and two standard normal numbers.
func (s spreadScores) weights(above, below, first, second float64) (b, e float64) {
	x := float64(float64(0.5*below) * math.FMA(s.spread, first, s.beta))
	r := math.FMA(float64(0.5*s.spread*math.Sqrt(float64(above*below))), second, s.ratio)
	shrunk := elementary.Exp(-math.Abs(x)) // numerators and denominators are multiplied by 2·shrunk
	lost := -elementary.Expm1(-float64(2 * math.Abs(x)))
	grown := elementary.Expm1(math.Abs(r))
	sinh, cosh := float64(0.5*(grown+grown/(1+grown))), float64(0.5*(1+grown+1/(1+grown)))
	inverse := 1 / (2 - lost + float64(float64(2*shrunk)*cosh))
	b, e = float64(float64(float64(2*shrunk)*sinh)*inverse), float64(lost*inverse)
	return math.Copysign(b, r), math.Copysign(e, x)
}

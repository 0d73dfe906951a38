package exactlaw

import (
	"math"

	"antipode/overlap"
	"antipode/overlap/internal/line"
	"antipode/sphere/elementary"
)

// layerDerivative holds the derivatives of the law of a step with respect to a parameter, for two clusters of
// equal mass, whose noise covariance N is diagonal.
type layerDerivative struct {
	n11, n22, det float64
	sum           float64         // sum of the terms of a density times the derivatives of their logarithms
	logDerivative float64         // derivative of the logarithm of the last density, up to a constant
	middle        int             // the step from which the computed steps are counted
	known         map[int]float64 // derivatives of logarithms of densities, by the step on a lattice
}

// weightDerivatives returns the derivatives, with respect to a parameter, of the diagonal of the matrix
// σ/√L·B (function weights) for clusters of equal mass. The diagonal is σ/√L and σ/√L tanh(½β(1-z)) for
// softmax, and ½e^β(1±r)σ/√L with r = e^(-β(1-z)) for unnormalized attention.
func (c *clusters) weightDerivatives(u float64, by overlap.Parameter) (b11, b22 float64) {
	if by == overlap.BySigma {
		sigma := c.scale * math.Sqrt(float64(c.depth))
		b11, _, _, b22 = c.weights(u)
		return b11 / sigma, b22 / sigma
	}
	below := line.Of(u).Below
	ratio := elementary.Exp(-float64(c.beta * below))
	falls := float64(below * ratio) // -dr/dβ for the ratio r of weights
	if c.attention == overlap.Softmax {
		return 0, 2 * c.scale * falls / (1 + ratio) / (1 + ratio)
	}
	half := float64(0.5 * c.scale * elementary.Exp(c.beta))
	lost := -elementary.Expm1(-float64(c.beta * below))
	return float64(half * (1 + ratio - falls)), float64(half * (falls + lost))
}

// layerDerivative returns the law of a step from u, as layer does, together with the derivatives of the law
// with respect to a parameter.
func (c *clusters) layerDerivative(u float64, e effort, by overlap.Parameter) *layer {
	l := c.layer(u, e)
	b11, _, _, b22 := c.weights(u)
	by11, by22 := c.weightDerivatives(u, by)
	l.derivative = &layerDerivative{
		n11: float64(2 * b11 * by11), n22: float64(2 * b22 * by22), known: map[int]float64{},
	}
	l.derivative.det = float64(l.derivative.n11*l.n22) + float64(l.n11*l.derivative.n22)
	return l
}

// add adds the contribution of node k to b.sum. For k ≠ 0, add also adds the contribution of node -k, which
// has the same density.
func (b *layerDerivative) add(k int, term, logarithm float64) {
	count := 2.0
	if k == 0 {
		count = 1
	}
	b.sum += float64(count * term * logarithm)
}

// logDerivative returns the derivative, with respect to a parameter, of the logarithm of the density of the
// shape that shapeDensity returns.
func (l *layer) logDerivative(a, c, distance float64) float64 {
	b := l.derivative
	q := 1 / (float64(l.n22*a) + float64(l.n11*c)) // for equal masses N is diagonal
	trace := float64(l.trace11*a) + float64(l.trace22*c)
	relative := -float64(q * (float64(b.n22*a) + float64(b.n11*c))) // relative derivative of q
	byQ := float64(relative * q)
	byTrace := float64(2*l.n22*b.n22*a) + float64(2*l.n11*b.n11*c)
	far := float64(distance * relative)
	if l.table.dim == 2 {
		return float64(2*relative) + l.planarSumDerivative(q, trace, byQ, byTrace)/l.planarSum(q, trace) - far
	}
	f := l.table
	w, byW := math.Inf(1), 0.0
	if l.det > 0 {
		share := trace / l.det
		w = max(0, q*(share-2))
		byW = float64(byQ*(share-2)) + float64(q/l.det*(byTrace-float64(share*b.det)))
	}
	long := float64(q*(trace+float64(2*l.det))) + l.scaledDet
	byLong := float64(byQ*(trace+float64(2*l.det))) + float64(q*(byTrace+float64(2*b.det))) +
		float64(4*f.scale*b.det)
	size := float64(2*relative) + byLong/long
	inQ, inW := f.slopes(q, w)
	return float64(0.5*f.dim*size) - float64(0.5*(f.dim-2)*byQ/(f.scale+q)) + float64(inQ*byQ) +
		float64(inW*byW) - far
}

// planarSum returns planarPrefactor divided by q².
func (l *layer) planarSum(q, trace float64) float64 {
	return l.det + float64(0.5*q*(trace+float64(2*l.det))) +
		float64((l.det+float64(0.5*q*max(0, trace-float64(2*l.det))))*elementary.Exp(-2*q))
}

// planarSumDerivative returns the derivative of planarSum with respect to a parameter, given the derivatives
// byQ of q and byTrace of trace.
func (l *layer) planarSumDerivative(q, trace, byQ, byTrace float64) float64 {
	b, less := l.derivative, max(0, trace-float64(2*l.det))
	near := b.det + float64(0.5*byQ*(trace+float64(2*l.det))) + float64(0.5*q*(byTrace+float64(2*b.det)))
	far := b.det + float64(0.5*byQ*less) + float64(0.5*q*(byTrace-float64(2*b.det))) -
		float64(2*byQ*(l.det+float64(0.5*q*less)))
	return near + float64(far*elementary.Exp(-2*q))
}

// slopes returns the derivatives of the tabulated function G with respect to Q and w = B²-4Q.
func (s *densityTable) slopes(q, w float64) (byQ, byW float64) {
	const shift = 52 - partBits
	size := 1 + q/s.scale
	bits := math.Float64bits(size)
	column := int(bits>>shift) - 1023*partsInX
	x := float64(float64(int64(bits&(1<<shift-1)))*(2.0/(1<<shift))) - 1
	xByQ := 2 * partsInX / (s.scale * math.Ldexp(1, column/partsInX))
	middle := s.middle(q)
	y, yByQ, yByW := 0.0, 0.0, 0.0
	if !math.IsInf(w, 1) {
		sum := middle + w
		y = float64(partsInY * (middle / sum))
		yByQ, yByW = 8*partsInY*(w/sum)/sum, -2*partsInY*(middle/sum)/sum
	}
	row := min(int(y), partsInY-1)
	y = float64(2*(y-float64(row))) - 1
	inX, inY := s.panel(column*partsInY+row).slopes(x, y)
	return float64(inX*xByQ) + float64(inY*yByQ), float64(inY * yByW)
}

// slopes returns the derivatives of the polynomial of a panel with respect to x and y.
func (p *panel) slopes(x, y float64) (byX, byY float64) {
	for j := p.rows - 1; j >= 0; j-- {
		row, rowByY := 0.0, 0.0
		for i := len(p.coefficients) - 1; i >= 0; i-- {
			rowByY = float64(rowByY*y) + row
			row = float64(row*y) + p.coefficients[i][j]
		}
		byY = float64(byY*x) + rowByY
		if j > 0 {
			byX = float64(byX*x) + float64(float64(j)*row)
		}
	}
	return byX, byY
}

// slopes returns the derivatives, with respect to a parameter, of the probabilities in the row s of steps;
// the probabilities sum to 1. Where stepLaw interpolates logarithms of densities, slopes interpolates the
// derivatives of the logarithms with the same weights.
func (l *layer) slopes(s span) []float64 {
	slopes, mean := make([]float64, len(s.p)), 0.0
	for k, p := range s.p {
		slopes[k] = l.derivative.at(s.first + k)
		mean += float64(p * slopes[k])
	}
	for k, p := range s.p {
		slopes[k] = p * (slopes[k] - mean)
	}
	return slopes
}

// at returns the derivative, with respect to a parameter, of the logarithm of the density of step k on the
// lattice.
func (b *layerDerivative) at(k int) float64 {
	if value, ok := b.known[k]; ok {
		return value
	}
	half, sum := (k-b.middle)&(b.middle-k), 0.0
	for j, weight := range midpointWeights {
		sum += float64(weight * (b.at(k-(2*j+1)*half) + b.at(k+(2*j+1)*half)))
	}
	b.known[k] = sum
	return sum
}

package kernels

import "math"

// TruncatedNormals fills dst with independent normal numbers conditioned to [-2, 2] and multiplied by scale.
// The numbers are quantiles of uniform numbers; each random block gives two numbers.
func (s Stream) TruncatedNormals(dst []float64, scale float64, purpose Purpose, trajectory, step int64) {
	a := s.at(purpose, trajectory, step)
	for k := 0; k < len(dst); k += 2 {
		low, high := a.block(uint32(k/2), 0)
		dst[k] = float64(truncatedNormal(low) * scale)
		if k+1 < len(dst) {
			dst[k+1] = float64(truncatedNormal(high) * scale)
		}
	}
}

// truncatedNormal returns a normal number conditioned to [-2, 2], which is the quantile of a uniform number
// made from 64 random bits.
func truncatedNormal(word uint64) float64 { return TruncatedQuantile(symmetric(word, 1)) }

// TruncatedQuantile returns x(t) = √2 erf⁻¹(t·erf √2) for t in [-1, 1]: a normal number conditioned to [-2,
// 2] is below x(t) with probability (1+t)/2. The ratio x(t)/t is approximated by a rational function of 1 -
// t², whose coefficients interpolate at 29 Chebyshev nodes (computed with 120 digits). The relative error of
// the approximation is below 2^-57. All terms are positive, so that rounding errors add up to about 2 ulp.
func TruncatedQuantile(t float64) float64 {
	u := math.FMA(-t, t, 1)
	return float64(t * (polynomial14(&quantileNumerator, u) / polynomial14(&quantileDenominator, u)))
}

var (
	quantileNumerator = [15]float64{
		0x1p+1, 0x1.5ac0816bcd134p+6, 0x1.8e4bd96f7ed0ep+10, 0x1.fc62b11dc425fp+13,
		0x1.8d945a9a5905bp+16, 0x1.8d226ca7ebe76p+18, 0x1.00e695107caecp+20, 0x1.acf1f966a7c44p+20,
		0x1.c5ef859e68fd1p+20, 0x1.269d911c9698ep+20, 0x1.bd245cdfb8774p+18, 0x1.68406b3bb6cf5p+16,
		0x1.0f4f4db2779e2p+13, 0x1.1fbaa4736d323p+8, 0x1.79db7d2d35bd4p+0}
	quantileDenominator = [15]float64{
		0x1p+0, 0x1.686e4c66ba872p+5, 0x1.b092679469e21p+9, 0x1.2239dd197958cp+13,
		0x1.e0bdd0c0d595ep+15, 0x1.00895789c861cp+18, 0x1.6671df204e5e0p+19, 0x1.477c3e768eaccp+20,
		0x1.81a96ce435609p+20, 0x1.1cb40eea47252p+20, 0x1.f84391ec624adp+18, 0x1.f451d4c7b7bf5p+16,
		0x1.f1c42299b5e1fp+13, 0x1.9600c61531776p+9, 0x1.53debb750d33fp+3}
)

// polynomial14 returns the value at u of the polynomial of degree 14 with the given coefficients, evaluated
// in Estrin's order.
func polynomial14(c *[15]float64, u float64) float64 {
	u2 := u * u
	u4 := u2 * u2
	q0 := math.FMA(math.FMA(c[3], u, c[2]), u2, math.FMA(c[1], u, c[0]))
	q1 := math.FMA(math.FMA(c[7], u, c[6]), u2, math.FMA(c[5], u, c[4]))
	q2 := math.FMA(math.FMA(c[11], u, c[10]), u2, math.FMA(c[9], u, c[8]))
	q3 := math.FMA(c[14], u2, math.FMA(c[13], u, c[12]))
	return math.FMA(math.FMA(q3, u4, q2), float64(u4*u4), math.FMA(q1, u4, q0))
}

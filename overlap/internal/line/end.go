package line

// An End holds the properties of an overlap diffusion at z = -1 or z = +1 that need no integral.
type End struct {
	Attracting bool    // the scale function is finite at the end
	Enterable  bool    // the overlap can start at the end, and leaves the end at once
	Slope      float64 // the limit of the slope h' at the end
	Drift      float64 // drift of the overlap z at the end
	Reach      float64 // the |u| beyond which the slope is replaced by its limit
	// Variance is the limit at the end of the derivative, with respect to u, of the logarithm of the variance
	// of u: 0 if the variance of u has a limit, and -2 if the variance of u is proportional to 1/(1+z).
	Variance float64
}

// bounded returns the end with a slope that is Bounded.
func (e End) bounded() End {
	e.Slope = Bounded(e.Slope)
	return e
}

// Converging returns the end on the given side, z = -1 or z = +1, of a diffusion whose variance of z vanishes
// like (1-z²)² at this end. The scale measure near the end, exp(-slope·u) du, is finite if and only if the
// slope has the sign of u.
func Converging(side, slope, reach float64) End {
	return End{Attracting: side*slope > 0, Slope: slope, Reach: reach}
}

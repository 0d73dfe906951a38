package line

// An End holds the properties of a diffusion at -1 or +1 that need no integral.
type End struct {
	Attracting bool    // the scale function is finite at the end
	Enterable  bool    // the overlap can start at the end, and leaves it at once
	Slope      float64 // the limit of the slope of the scale
	Drift      float64 // drift of z at the end
	Reach      float64 // the |u| beyond which the slope is replaced by its limit
	// Variance is the derivative of the logarithm of the variance of u with respect to u, at the end. It is 0
	// if the variance has a limit, and -2 if the variance is proportional to 1/(1+z).
	Variance float64
}

// Converging returns the end on the given side, -1 or +1, of a diffusion whose
// variance vanishes there like (1-z²)². The scale measure, exp(-slope·u) du, is
// finite if and only if the slope has the sign of u.
func Converging(side, slope, reach float64) End {
	return End{Attracting: side*slope > 0, Slope: slope, Reach: reach}
}

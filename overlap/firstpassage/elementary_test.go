package firstpassage

import (
	"math"
	"math/rand/v2"
	"testing"

	"antipode/overlap"
	"antipode/sphere/must"
)

// Mean times in two dimensions without attention are elementary. Between two points, with a wall at 0,
// the time is the difference of -log(1-z²), and from 0 to ±z it is this function itself. It is checked
// for any σ to 11 digits, the accuracy stated by Time.
func TestElementaryTimes(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	for range 300 {
		sigma := math.Exp(4*r.Float64() - 2)
		d := must.Get(overlap.New(2, 0, overlap.Softmax, sigma))(t)
		from, to := r.Float64(), math.Tanh(5*r.Float64())
		from, to = min(from, to), max(from, to)
		rest := func(z float64) float64 { return math.Log1p(-z*z) / (sigma * sigma) }
		passage, exit := value(t)(reflectedPassage(d.Line(), 0, -from, -to)), value(t)(Exit(d, 0, -to, to))
		near(t, "passage time", passage, rest(from)-rest(to), 1e-11*math.Abs(rest(to)))
		near(t, "exit time", exit, -rest(to), 1e-11*math.Abs(rest(to)))
	}
}

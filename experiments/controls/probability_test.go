package controls

import (
	"math"
	"math/rand/v2"
	"testing"

	"antipode/internal/longtest"
	"antipode/overlap"
	"antipode/sde"
	"antipode/sphere"
	"antipode/sphere/must"
)

// band is the value of 1-|Z| at which a trajectory of two tokens ends.
const band = 1e-4

// exits simulates trajectories of two tokens until |Z| ≥ 1-band, but for at most some number of layers, and
// counts how many end at either side.
func exits(
	t *testing.T, stepper sde.Stepper, c sde.Cell, trajectories, layers int, seed uint64,
) (antipodal, single int) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 2))
	d := c.Dim
	x, increment := make([]float64, 2*d), make([]float64, stepper.IncrementLen())
	for range trajectories {
		must.Do(t, c.Start.Fill(x, d, 0, r.NormFloat64))
		for range layers {
			gaussians(increment, r)
			must.Do(t, stepper.Step(x, increment))
			if z := sphere.Dot(x[:d], x[d:]); z <= -1+band {
				antipodal++
				break
			} else if z >= 1-band {
				single++
				break
			}
		}
	}
	return antipodal, single
}

// exitProbability returns the probability that the diffusion of a theory, started at z, reaches -1+band
// before 1-band: (S(1-band)-S(z))/(S(1-band)-S(-1+band)). The scale function S is integrated by the midpoint
// rule in u = atanh z, and the logarithm of its density by the trapezoidal rule.
func exitProbability(claimed theory, z float64) float64 {
	const cells = 20_000
	edge := math.Atanh(1 - band)
	h := 2 * edge / cells
	slope := func(u float64) float64 {
		z := math.Tanh(u)
		return 2*claimed.drift(z)/claimed.variance(z)*(1-z*z) + 2*z // derivative of -log dS/du by u
	}
	total, right, rise, before := 0.0, 0.0, 0.0, slope(-edge)
	for k := range cells {
		u := -edge + (float64(k)+0.5)*h
		after := slope(u + h/2)
		density := math.Exp(-(rise + (before+after)/4*h))
		rise += (before + after) / 2 * h
		before = after
		total += density
		if u > math.Atanh(z) {
			right += density
		}
	}
	return right / total
}

// exitCell returns a cell in which the theories differ: the exit probability from Z = 0 is 0.228 for the
// right one, 0.095 with d-1 for d-2, and even less for the diffusion without √2.
func exitCell(depth int) sde.Cell {
	c := transformer(2, 3, 1, sde.Softmax, depth)
	c.Start = sde.PairStart{Overlap: 0}
	return c
}

// The exit probability by the scale function of package overlap agrees with exitProbability: the midpoint
// rule has an error of h²/24 times the second derivative, 10^-7 for h = 5·10^-4.
func TestExitProbabilityOfTheTheories(t *testing.T) {
	c := exitCell(1)
	d := must.Get(overlap.New(c.Dim, c.Beta, overlap.Softmax, 1))(t)
	right, from, left := math.Exp(d.LogScale(1-band)), math.Exp(d.LogScale(0)), math.Exp(d.LogScale(-1+band))
	want := (from - right) / (left - right)
	if got := exitProbability(limit(t, c), 0); !(math.Abs(got-want) <= 1e-6) {
		t.Errorf("%v, by package overlap %v", got, want)
	}
}

// exitFraction returns the p-value, by the binomial law, of the fraction of trajectories that become
// antipodal, given the exit probability of a theory. At depth 50 the probability under the recursion differs
// from that of the limit by less than 0.002 (0.2288 ± 0.0030 and 0.2284), which is a fifth of the standard
// error of 2000 trajectories.
//
// A theory with d-1 for d-2 predicts a fraction of 0.095, and from 258 antipodal ones among 2000 on there is
// an alarm: the power is 1-6·10^-30. The other two theories are further away. Of 300 trajectories 69 should
// be antipodal, and fewer than 35 raise an alarm.
func exitFraction(
	t *testing.T, step makeStepper, c sde.Cell, claimed theory, trajectories, layers int,
) float64 {
	t.Helper()
	antipodal, _ := exits(t, step(c), c, trajectories, layers, 34)
	return binomial(antipodal, trajectories, exitProbability(claimed, 0))
}

func TestExitFractionAgainstScaleFunction(t *testing.T) {
	longtest.Only(t)
	notShort(t)
	const detector, enough = "antipodal fraction against scale function", 10_000
	c := exitCell(50)
	antipodal, single := exits(t, sde.NewStepper(c), c, 2000, enough, 34)
	if antipodal+single != 2000 {
		t.Fatalf("%d of 2000 trajectories do not end", 2000-antipodal-single)
	}
	mustPass(t, detector, binomial(antipodal, 2000, exitProbability(limit(t, c), 0)))
	for _, defect := range wrongTheories {
		mustDetect(t, defect.name, detector, binomial(antipodal, 2000, exitProbability(defect.of(t, c), 0)))
	}
	// Tokens with independent noise separate again, and with V/L they hardly move: few trajectories or none
	// reach an end.
	mustDetect(t, "independent noise per token", detector,
		exitFraction(t, independent, c, limit(t, c), 300, 1000))
	mustDetect(t, "V scaled by 1/L", detector, exitFraction(t, slower, c, limit(t, c), 300, 1000))
	// A defect that only changes the speed does not change the probabilities of the two ends. Without its
	// denominator softmax is up to (2e)² = 30 times as fast; 30 times the depth makes up for it.
	// With 500 trajectories there would be an alarm if the probability were below 0.14.
	mustMiss(t, "σ 5 % too large", detector, exitFraction(t, louder, c, limit(t, c), 500, enough))
	mustMiss(t, "softmax without its denominator", detector,
		exitFraction(t, undivided, exitCell(1500), limit(t, c), 500, enough))
}

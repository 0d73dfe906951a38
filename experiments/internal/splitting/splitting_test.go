package splitting

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"antipode/sde"
)

func repetitions(values ...float64) (all []sde.Repetition) {
	for k, v := range values {
		all = append(all, sde.Repetition{Probability: v, Layers: int64(10 * k)})
	}
	return all
}

// For symmetric samples the interval is that of Student's t, whose 97.5 % point is 2.776445 with 4 degrees of
// freedom. For samples skewed to the right it extends farther up than down.
func TestIntervalOf(t *testing.T) {
	i := IntervalOf(repetitions(0.1, 0.2, 0.3, 0.4, 0.5))
	half := 2.776445105 * math.Sqrt(0.025/5)
	for _, c := range [][2]float64{
		{i.Mean, 0.3}, {i.Stderr, math.Sqrt(0.025 / 5)}, {i.Low, 0.3 - half}, {i.High, 0.3 + half},
		{i.PlainLayers(7), 7 * 0.3 * 0.7 / 0.005},
	} {
		if !(math.Abs(c[0]-c[1]) < 1e-8) {
			t.Errorf("%v, want %v", c[0], c[1])
		}
	}
	if i := IntervalOf(repetitions(0.1, 0.1, 0.2, 0.9)); i.High-i.Mean < 1.3*(i.Mean-i.Low) || i.Low < 0 {
		t.Errorf("interval %v of skewed samples", i)
	}
	one := IntervalOf(repetitions(0.25))
	if i := one; !math.IsNaN(i.Low) || i.Mean != 0.25 || !math.IsNaN(i.PlainLayers(3)) {
		t.Errorf("interval %v of one repetition", i)
	}
	for _, same := range []float64{0, 0.25, 1} {
		all := slices.Repeat(repetitions(same), 20) // the sum of twenty times 1/20 exceeds 1
		i := IntervalOf(all)
		if i.Mean != same || !math.IsNaN(i.Low+i.High) || !math.IsNaN(i.Stderr) ||
			!math.IsNaN(i.PlainLayers(3)) {
			t.Errorf("interval %v of samples that are all %v", i, same)
		}
	}
	rare, common := IntervalOf(repetitions(1e-180, 2e-180, 6e-180)), IntervalOf(repetitions(0.01, 0.02, 0.06))
	if r := rare.High / rare.Mean; !(rare.Mean > 0 && math.Abs(r-common.High/common.Mean) < 1e-9) ||
		!(math.Abs(rare.Stderr/rare.Mean-common.Stderr/common.Mean) < 1e-9) {
		t.Errorf("interval %v of rare probabilities, %v of others", rare, common)
	}
	if i := IntervalOf(repetitions(0, 0.25)); i.Low != 0 || i.High != 1 {
		t.Errorf("interval %v of probabilities, whose t interval is wider", i)
	}
	if n := Layers(repetitions(1, 1, 1, 1)); n != 60 {
		t.Errorf("%d layers, want 60", n)
	}
}

// For lognormal samples that are as skewed as estimates by splitting, about 95 % of the intervals contain the
// mean: 10,000 intervals of 20 samples each, a standard error of 0.2 %. Student's intervals would contain it
// in 92 %.
func TestIntervalCovers(t *testing.T) {
	normal := rand.New(rand.NewPCG(3, 8))
	held := 0
	const runs, deviation = 10_000, 0.6
	for range runs {
		var values []float64
		for range 20 {
			values = append(values, math.Exp(deviation*normal.NormFloat64()-deviation*deviation/2))
		}
		if i := IntervalOf(repetitions(values...)); i.Low <= 1 && 1 <= i.High {
			held++
		}
	}
	t.Log(held)
	if held < 9350 || held > 9600 {
		t.Errorf("%d of %d intervals hold the mean", held, runs)
	}
}

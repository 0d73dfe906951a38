package firstpassage_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"antipode/overlap"
	"antipode/overlap/firstpassage"
	"antipode/overlap/internal/diffusions"
	"antipode/overlap/internal/overlaptest"
)

// exitTime is the mean time from z to a or b from drift and variance alone: Green's function is integrated by
// Simpson's rule, on every second point of the mesh on which the scale function is. It is NaN where the scale
// density varies by more than a factor e^600.
func exitTime(d *overlap.Diffusion, z, a, b float64) float64 {
	const steps = 1 << 13
	logarithm, width := diffusions.LogScaleDensity(d, a, b, steps)
	first := math.Atanh(a)
	var scale, speed [steps + 1]float64
	for k := range scale {
		at := math.Tanh(first + float64(k)*width)
		if math.Abs(logarithm[k]) > 600 {
			return math.NaN()
		}
		scale[k] = math.Exp(logarithm[k])
		speed[k] = 2 * (1 - at*at) * (1 - at*at) / d.Variance(at) / scale[k]
	}
	const end = steps / 2
	var left, right [end + 1]float64 // integrals of the scale density, from a and to b
	piece := func(k int) float64 { return width / 3 * (scale[2*k] + 4*scale[2*k+1] + scale[2*k+2]) }
	for k := range end {
		left[k+1] = left[k] + piece(k)
		right[end-1-k] = right[end-k] + piece(end-1-k)
	}
	start := int(math.Round((math.Atanh(z) - first) / width / 2))
	outer := func(from, to int, f func(k int) float64) (sum float64) {
		for k := from; k < to; k += 2 {
			sum += 2 * width / 3 * (f(k) + 4*f(k+1) + f(k+2))
		}
		return sum
	}
	above := outer(start, end, func(k int) float64 { return right[k] * speed[2*k] })
	below := outer(0, start, func(k int) float64 { return left[k] * speed[2*k] })
	return (left[start]*above + right[start]*below) / (left[start] + right[start])
}

// Times of all models, over their whole domain, are as recorded. Exit times are compared with an integral
// that knows drift and variance only.
func TestTimesAreAsRecorded(t *testing.T) {
	random := rand.New(rand.NewPCG(72, 1))
	var records []overlaptest.Record
	compared := 0
	for range 36 {
		name, d := diffusions.Draw(random, 3)
		const places = 1 << 11
		low, high := -0.9, 0.95
		first, last := math.Atanh(low), math.Atanh(high)
		z := math.Tanh(first + (last-first)*float64(1+random.IntN(places-1))/places)
		r := overlaptest.Record{Cell: fmt.Sprintf("%s, z=%.3g", name, z)}
		add := func(time firstpassage.Time, err error) {
			if r.AddBool(err == nil); err == nil {
				r.Add(time.Value, time.Log)
			}
		}
		exit, err := firstpassage.Exit(d, z, low, high)
		add(exit, err)
		add(firstpassage.Between(d, z, 0.97))
		add(firstpassage.Between(d, z, -0.93))
		add(firstpassage.Between(d, -1, z))
		add(firstpassage.Lifetime(d))
		add(firstpassage.DecayTime(d))
		relaxation, ok := firstpassage.RelaxationTime(d)
		if r.AddBool(ok); ok {
			r.Add(relaxation.Value, relaxation.Log)
		}
		records = append(records, r)
		if err != nil {
			continue
		}
		want := exitTime(d, z, low, high)
		if math.IsNaN(want) {
			continue
		}
		if compared++; !(math.Abs(exit.Value-want) <= 1e-7*want) {
			t.Errorf("%s: exit from %v after %v, by quadrature %v", name, z, exit.Value, want)
		}
	}
	if compared < 25 {
		t.Errorf("only %d exit times are compared", compared)
	}
	overlaptest.CompareRecords(t, "testdata/times.txt", records)
}

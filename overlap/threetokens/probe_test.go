package threetokens

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"testing"
	"time"
)

func env(name string, v float64) float64 {
	if s := os.Getenv(name); s != "" {
		v, _ = strconv.ParseFloat(s, 64)
	}
	return v
}

func TestProbe(t *testing.T) {
	dim := int(env("D", 4))
	w := tokens{dim, env("B", 1.5), 0, 1}
	tau := env("TAU", 1e-3)
	n := resolution{int(env("N1", 16)), int(env("K", 5)), env("H", 0.15), env("Q", 12), env("TOP", 6), int(env("STEPS", 8))}
	begin := time.Now()
	g := newGrid(w, n, height{env("EPS", math.Exp(-2*w.beta))})
	mass := g.start()
	total := 0.0
	for _, m := range mass {
		total += m
	}
	fmt.Println("rows", g.rows, "size", g.size(), "start", total-1, time.Since(begin))
	times := []float64{0.5, 1, 2, 5, 10, 20, 50, 100}
	for i, m := range g.evolve(times) {
		s, two := g.outcomes(m, tau)
		sb, twob := g.outcomes(m, 1)
		fmt.Printf("t %g single %.6f two %.6f basin %.6f %.6f  apart %.2g\n", times[i], s, two, sb, twob, g.apart(m))
	}
	fmt.Println("done", time.Since(begin))
}

func TestLaw(t *testing.T) {
	begin := time.Now()
	w := tokens{int(env("D", 4)), env("B", 1.5), 0, 1}
	times := []float64{env("T", 5)}
	tau := env("TAU", 1e-3)
	var coarse []Law
	for level := range int(env("LEVELS", 3)) {
		n := resolutionOf(w.dim, level, tau)
		g := newGrid(w, n, floor(w.beta, level))
		fine := g.laws(times, tau)
		e := compare(fine, coarse)
		l := fine[0]
		fmt.Printf("D=%d B=%g T=%g level %d rows %d size %d: single %.6f two %.6f basin %.6f %.6f error %.2g  %.2fs\n", w.dim, w.beta, times[0], level, g.rows, g.size(), l.Single.Value,
			l.TwoAgainstOne.Value, l.SingleBasin.Value, l.TwoAgainstOneBasin.Value, e, time.Since(begin).Seconds())
		coarse = fine
	}
}

func TestVary(t *testing.T) {
	w := tokens{int(env("D", 4)), env("B", 1.5), 0, 1}
	times := []float64{env("T", 5)}
	level := int(env("LEVEL", 1))
	for c := range 7 {
		n := resolutionOf(w.dim, level, 1e-3)
		h := floor(w.beta, level)
		name := [...]string{"base", "closeness", "across", "width", "ranges", "steps", "floor"}[c]
		switch c {
		case 1:
			n.closeness += 6
		case 2:
			n.across += 2
		case 3:
			n.width /= 1.5
		case 4:
			n.length += 3
			n.top += 1
			n.closeness += 2
		case 5:
			n.steps *= 2
		case 6:
			h.epsilon /= 2
		}
		g := newGrid(w, n, h)
		l := g.laws(times, 1e-3)[0]
		fmt.Printf("D=%d B=%g T=%g %s: single %.6f two %.6f basin %.6f %.6f\n", w.dim, w.beta, times[0], name, l.Single.Value,
			l.TwoAgainstOne.Value, l.SingleBasin.Value, l.TwoAgainstOneBasin.Value)
	}
}

func TestOne(t *testing.T) {
	w := tokens{int(env("D", 4)), env("B", 1.5), 0, 1}
	times := []float64{env("T", 5)}
	begin := time.Now()
	n := resolutionOf(w.dim, 1, 1e-3)
	n.across = int(env("K", 5))
	n.closeness = int(env("N1", 17))
	n.length = env("Q", n.length)
	n.width = env("H", n.width)
	g := newGrid(w, n, floor(w.beta, 1))
	l := g.laws(times, 1e-3)[0]
	fmt.Printf("D=%d B=%g T=%g %v: single %.6f two %.6f basin %.6f %.6f %.2fs\n", w.dim, w.beta, times[0], n, l.Single.Value,
		l.TwoAgainstOne.Value, l.SingleBasin.Value, l.TwoAgainstOneBasin.Value, time.Since(begin).Seconds())
}

// Package outcomes counts the outcomes of simulated trajectories. The package classifies the tokens of a
// trajectory, counts trajectories by their class, decides outcomes before the horizon with a bound on the
// error, and computes confidence intervals of fractions.
package outcomes

import (
	"context"
	"fmt"
	"math"
	"slices"

	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/wording"
	"antipode/sde"
	"antipode/sphere"
)

// Tally counts the trajectories of a cell at one time: by outcome, and also those with an antipodal pair of
// tokens.
type Tally struct {
	Outcomes [3]int64
	Pair     int64
	Masses   Masses
	// Bound is the largest bound, over trajectories that ended early, on the probability that a trajectory
	// has another outcome at the horizon. Bound is NaN if no trajectory ended early.
	Bound float64
}

// Masses are sums over trajectories: of the number of clusters, of the tokens in the largest cluster, and,
// over antipodal trajectories only, of the difference of the sizes of the two clusters (Excess).
type Masses struct {
	Clusters, Largest, Excess float64
	Squares                   float64 // sum of the squares of Excess
}

func (m *Masses) add(s Seen, tokens int) {
	excess := float64(s.Excess(tokens))
	m.join(Masses{float64(s.Clusters), float64(s.Largest), excess, float64(excess * excess)})
}

func (m *Masses) join(other Masses) {
	m.Clusters += other.Clusters
	m.Largest += other.Largest
	m.Excess += other.Excess
	m.Squares += other.Squares
}

// Counts returns numbers of trajectories in the order of the field Outcomes of a Tally.
func Counts(single, antipodal, unclustered int64) [3]int64 {
	return [3]int64{sphere.Single: single, sphere.Antipodal: antipodal, sphere.Unclustered: unclustered}
}

func newTallies(n int) []Tally {
	tallies := make([]Tally, n)
	for k := range tallies {
		tallies[k].Bound = math.NaN()
	}
	return tallies
}

func (t *Tally) add(s Seen, tokens int) {
	t.Outcomes[s.Outcome]++
	t.Masses.add(s, tokens)
	if s.Pair {
		t.Pair++
	}
}

// join adds the counts of another tally to the tally.
func (t *Tally) join(other Tally) {
	for k, n := range other.Outcomes {
		t.Outcomes[k] += n
	}
	t.Pair += other.Pair
	t.Masses.join(other.Masses)
	t.raise(other.Bound)
}

// raise sets the bound of the tally to the greater of its bound and the given bound. A NaN is ignored.
func (t *Tally) raise(bound float64) {
	if !(bound <= t.Bound) && bound == bound {
		t.Bound = bound
	}
}

// Trajectories returns the number of trajectories that the tally has counted.
func (t *Tally) Trajectories() int64 {
	return t.Outcomes[sphere.Single] + t.Outcomes[sphere.Antipodal] + t.Outcomes[sphere.Unclustered]
}

// Each returns the numbers of trajectories with the three outcomes.
func (t *Tally) Each() (single, antipodal, unclustered int64) {
	return t.Outcomes[sphere.Single], t.Outcomes[sphere.Antipodal], t.Outcomes[sphere.Unclustered]
}

// Antipodal returns the number of trajectories whose outcome is antipodal.
func (t *Tally) Antipodal() int64 { return t.Outcomes[sphere.Antipodal] }

// Fraction returns the fraction of trajectories with the given outcome.
func (t *Tally) Fraction(outcome sphere.Outcome) float64 {
	return float64(t.Outcomes[outcome]) / float64(t.Trajectories())
}

// text states the fractions of antipodal and of single-cluster trajectories in words.
func (t *Tally) text() string {
	n := t.Trajectories()
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("antipodal %.3f, single %.3f of %d",
		t.Fraction(sphere.Antipodal), t.Fraction(sphere.Single), n)
}

// Run simulates an ensemble of trajectories in several cells and counts their outcomes. For each cell, in
// order, Run passes the tallies of the cell to write, one tally for each observation time. If the options
// have the tables of shards, Run reads and adds their tallies, in rows of type Row, and simulates nothing.
// Parameters and size are as in run.Simulation. The function each, if not nil, is called with the
// classification of every trajectory at the last time, in order; each is not called if tables of shards are
// given.
//
// Tokens that coincide merge into one. A trajectory ends when all tokens have merged: its outcome stays
// single. A trajectory of a chain under random matrices, or of the flow, ends when ln(1-Z) of the overlap Z
// is at most logCoincident. With an MLP, a drift or several heads, tokens do not merge and trajectories do
// not end early.
func Run[Row Counted](
	ctx context.Context, e *sde.Ensemble[[]Seen], tolerance float64, options run.Options,
	parameters []parameter.Parameter, size string,
	each func(last Seen), write func(cell int, tallies []Tally) error,
) error {
	times := e.Times
	if times == nil {
		times = []int64{e.Layers}
	}
	if options.Shards != nil {
		return MergeTallies[Row](options.Shards, len(e.Cells), len(times), e.Trajectories, write)
	}
	if !slices.ContainsFunc(e.Cells, func(c sde.Cell) bool { return !c.Plain() }) {
		e.Merge = sde.MergeLaws
	}
	e.Times = slices.Concat(times, lookTimes(e.Layers))
	slices.Sort(e.Times)
	e.Times = slices.Compact(e.Times)
	e.Observer = func(int) func(*[]Seen, *sde.View) { return seenAt(times, tolerance) }
	e.Stop = func(cell int) func(*sde.View) bool { return coincident(e.Cells[cell]) }
	tallies := newTallies(len(times))
	e.Reduce = func(cell int, _ int64, row []Seen) error {
		tokens := e.Cells[cell].Tokens
		for k := range tallies {
			s := Together(tokens)
			if k < len(row) {
				s = row[k]
			}
			tallies[k].add(s, tokens)
			if each != nil && k == len(tallies)-1 {
				each(s)
			}
		}
		return nil
	}
	e.Finish = func(cell int) error {
		defer copy(tallies, newTallies(len(times)))
		return write(cell, tallies)
	}
	return run.Simulation[[]Seen]{
		Ensemble: e, Codec: SeenCodec, Parameters: parameters, Size: size,
		Rows:      []float64{float64(len(e.Cells)) * float64(len(times))},
		KeptBytes: 1 + seenBytes*float64(len(times)),
		Outcome:   tallies[len(tallies)-1].text,
	}.Run(ctx, options)
}

// seenAt returns an observer that appends the classification of a trajectory at each of the given layers,
// which are in ascending order.
func seenAt(layers []int64, tolerance float64) func(*[]Seen, *sde.View) {
	return func(row *[]Seen, v *sde.View) {
		if _, wanted := slices.BinarySearch(layers, v.Layer); wanted {
			*row = append(*row, See(v, tolerance))
		}
	}
}

// coincident returns a function that reports whether the tokens of a trajectory coincide and will coincide at
// all later layers.
func coincident(c sde.Cell) func(*sde.View) bool {
	if !c.Plain() { // an MLP that is not smooth separates tokens
		return func(*sde.View) bool { return false }
	}
	// If ε² is near 2, tokens of the hybrid separate again from any distance, however small.
	if c.Method == sde.Tokens || isHybrid(c) {
		return (*sde.View).Together
	}
	return func(v *sde.View) bool {
		p, _ := v.Pair()
		return p.Below <= logCoincident
	}
}

// logCoincident is the value of ln(1-Z), for the overlap Z, below which two tokens of a chain count as
// coincident for all later times. A distance 1-Z of this size can be caused by rounding alone. Under random
// value matrices in dimension d, tokens return from such a distance to 1-Z = τ with probability
// ((1-Z)/τ)^((d-1)/2), which is below 1e-9. In the flow tokens never return.
const logCoincident = -100 * math.Ln2

// Deviation returns the absolute difference between a count of trajectories and its expectation under the
// probability p. The unit is a standard error of the count, or one trajectory if the standard error is less
// than one. Deviation is NaN if p is NaN, that is, without a prediction.
func Deviation(count, trajectories int64, p float64) float64 {
	mean := float64(trajectories) * p
	return math.Abs(float64(count)-mean) / math.Sqrt(max(mean*(1-p), 1))
}

// SentenceOn states, in standard errors, how far the simulated cells of a table are from their theory at the
// horizon. The argument theory follows the word theory in the sentence and may specify which theory is meant.
func SentenceOn(d wording.Difference, theory string) string {
	text := fmt.Sprintf("the largest difference to the theory at this horizon%s is %.1f standard errors",
		theory, d.Largest())
	return d.Sentence(text, "cells")
}

// DepthPhrase returns the argument theory of SentenceOn that says for how many of the cells the theory is
// that of the finite depth of the cell, and not that of infinite depth.
func DepthPhrase(atDepth, cells int) string {
	switch atDepth {
	case cells:
		return " and depth"
	case 0:
		return " (for infinite depth)"
	}
	return fmt.Sprintf(" and depth (for infinite depth in %d of %s)", cells-atDepth,
		wording.Count(cells, "cell"))
}

// Package outcomes counts the outcomes of trajectories. It classifies a trajectory, counts the classes of
// many, decides outcomes early with a bound on the error, and computes intervals of fractions.
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

// Tally counts the trajectories of a cell at one time: by outcome, and also those with an antipodal pair.
type Tally struct {
	Outcomes [3]int64
	Pair     int64
	Masses   Masses
	// Bound bounds, for every trajectory that ended early, the probability that it has another outcome. It is
	// NaN if no trajectory ended early.
	Bound float64
}

// Masses are sums over trajectories; Excess and its squares are summed over the antipodal trajectories only.
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

// Counts arranges numbers of trajectories in the order of a Tally's Outcomes.
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

// join adds the counts of another tally.
func (t *Tally) join(other Tally) {
	for k, n := range other.Outcomes {
		t.Outcomes[k] += n
	}
	t.Pair += other.Pair
	t.Masses.join(other.Masses)
	t.raise(other.Bound)
}

// raise raises the bound to another bound, unless the other bound is NaN.
func (t *Tally) raise(bound float64) {
	if !(bound <= t.Bound) && bound == bound {
		t.Bound = bound
	}
}

// Trajectories returns the number of counted trajectories.
func (t *Tally) Trajectories() int64 {
	return t.Outcomes[sphere.Single] + t.Outcomes[sphere.Antipodal] + t.Outcomes[sphere.Unclustered]
}

// Each returns the number of trajectories with each outcome.
func (t *Tally) Each() (single, antipodal, unclustered int64) {
	return t.Outcomes[sphere.Single], t.Outcomes[sphere.Antipodal], t.Outcomes[sphere.Unclustered]
}

// Antipodal returns the number of antipodal trajectories.
func (t *Tally) Antipodal() int64 { return t.Outcomes[sphere.Antipodal] }

// Fraction returns the fraction of the trajectories with the outcome.
func (t *Tally) Fraction(outcome sphere.Outcome) float64 {
	return float64(t.Outcomes[outcome]) / float64(t.Trajectories())
}

// text states the counts.
func (t *Tally) text() string {
	n := t.Trajectories()
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("antipodal %.3f, single %.3f of %d",
		t.Fraction(sphere.Antipodal), t.Fraction(sphere.Single), n)
}

// Run runs an ensemble with given cells, trajectories, layers and times. For each cell, in order, it passes
// the tallies of the cell to write, a tally for each time. If there are shards, it adds their tallies, read
// from rows of type Row, instead. Size and count are as in run.Simulation. If each is not nil, it is called
// with every trajectory at the last time, in order; it is not called with shards.
//
// Tokens that coincide merge. A trajectory ends when all tokens have merged: its outcome stays single. A
// chain under random matrices, or of the flow, ends at logCoincident. With an MLP, a drift or several heads,
// tokens do not merge and trajectories do not end.
func Run[Row Counted](
	ctx context.Context, e *sde.Ensemble[[]Seen], tolerance float64, options run.Options,
	size, count parameter.Parameter, each func(last Seen), write func(cell int, tallies []Tally) error,
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
		Ensemble: e, Codec: SeenCodec, Size: size, Count: count,
		Rows:      float64(len(e.Cells)) * float64(len(times)),
		KeptBytes: 1 + seenBytes*float64(len(times)),
		Outcome:   tallies[len(tallies)-1].text,
	}.Run(ctx, options)
}

// seenAt observes outcomes at some layers, in ascending order.
func seenAt(layers []int64, tolerance float64) func(*[]Seen, *sde.View) {
	return func(row *[]Seen, v *sde.View) {
		if _, wanted := slices.BinarySearch(layers, v.Layer); wanted {
			*row = append(*row, See(v, tolerance))
		}
	}
}

// coincident returns a function that reports whether the tokens of a trajectory coincide and will stay
// together.
func coincident(c sde.Cell) func(*sde.View) bool {
	if !c.Plain() { // a rough MLP separates tokens again
		return func(*sde.View) bool { return false }
	}
	// If ε² is near 2, tokens of the hybrid separate again from any distance.
	if c.Method == sde.Tokens || isHybrid(c) {
		return (*sde.View).Together
	}
	return func(v *sde.View) bool {
		p, _ := v.Pair()
		return p.Below <= logCoincident
	}
}

// logCoincident is the value of ln(1-Z) below which two tokens of a chain count as coincident for all later
// times. It belongs to the 1-Z that rounding can cause. Under random matrices the tokens return to 1-Z = τ
// with probability (rounding/τ)^((d-1)/2), which is below 1e-9. In the flow they never return.
const logCoincident = -100 * math.Ln2

// Deviation returns the difference between a count of trajectories and its expected value. The unit is a
// standard error, or one event if events are rare. It is NaN if p is NaN, that is, without a prediction.
func Deviation(count, trajectories int64, p float64) float64 {
	mean := float64(trajectories) * p
	return math.Abs(float64(count)-mean) / math.Sqrt(max(mean*(1-p), 1))
}

// SentenceOn states how far the cells of a table are from their theory at the horizon, in standard errors.
// The text in theory follows the word theory in the sentence and may specify it.
func SentenceOn(d wording.Difference, theory string) string {
	text := fmt.Sprintf("the largest difference to the theory at this horizon%s is %.1f standard errors",
		theory, d.Largest())
	return d.Sentence(text, "cells")
}

// DepthPhrase returns the text for SentenceOn that says for how many cells the theory is the theory at their
// depth.
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

package simulate

import (
	"context"

	"antipode/experiments/internal/outcomes"
	"antipode/internal/lists"
	"antipode/sde"
	"antipode/sphere"
)

// Track is the overlap of the first two tokens of a trajectory at several times, and the outcome at the
// horizon.
type Track struct {
	Overlaps []float64
	Outcome  sphere.Outcome
}

// Tracked returns the experiment that saves the overlaps that Tracks shows, for all pairs of tokens and the
// given number of trajectories. Overlaps are saved at the start, at the horizon and at equally spaced times
// in between. The argument times, at least 1, bounds the number of times in between. If trajectories are
// selected by their indices, the trajectories begin with the first of these. It is an error if a parameter
// varies.
func (s *Experiment) Tracked(trajectories, times int64) (*Experiment, error) {
	w, err := s.Watched()
	if err != nil {
		return nil, err
	}
	layers := w.Horizon * float64(w.Depth)
	step := max(1, int64(layers+float64(times))/(times+1))
	w.Save, w.Trajectories, w.Every = saveOverlaps, trajectories, float64(step)/float64(w.Depth)
	if first := w.Numbers.first; w.Numbers.chosen {
		w.Numbers = NumbersFrom(first, first+trajectories-1)
	}
	return w, w.Validate()
}

// Tracks runs the trajectories of a Tracked experiment with the given seed. Tracks calls see with each
// trajectory in order, from one goroutine. An error of see ends the run.
func (s *Experiment) Tracks(ctx context.Context, seed uint64, see func(Track) error) error {
	p, err := s.prepare()
	if err != nil {
		return err
	}
	return (&sde.Ensemble[Track]{
		Cells: []sde.Cell{p.cell}, Trajectories: s.Trajectories, First: s.Numbers.first, Layers: p.horizon,
		Times: layersOf(p.moments), Seed: seed,
		Observer: func(int) func(*Track, *sde.View) {
			return func(track *Track, v *sde.View) {
				track.Overlaps = append(track.Overlaps, v.Overlap(0, 1))
				if v.Layer == p.horizon {
					track.Outcome, _ = v.Outcome(s.Tolerance)
				}
			}
		},
		Stop:   func(int) func(*sde.View) bool { return func(*sde.View) bool { return ctx.Err() != nil } },
		Reduce: func(_ int, _ int64, track Track) error { return see(track) },
	}).Run(ctx)
}

// Times returns the times of the overlaps of a Tracked experiment, in units of time.
func (s *Experiment) Times() ([]float64, error) {
	p, err := s.prepare()
	if err != nil {
		return nil, err
	}
	return lists.Map(p.moments, func(m moment) float64 { return m.time(s.Depth) }), nil
}

// Share is the number of trajectories with an outcome, with the 95 % Wilson interval from Low to High of the
// probability of the outcome.
type Share struct {
	Count int64   `json:"count"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// Shares returns the share of each outcome, from the numbers of trajectories with each outcome. The numbers
// must not all be 0.
func Shares(counts map[sphere.Outcome]int64) (shares [3]Share) {
	total := int64(0)
	for _, n := range counts {
		total += n
	}
	if total == 0 {
		panic("simulate: no trajectory has been seen")
	}
	for outcome := range shares {
		n := counts[sphere.Outcome(outcome)]
		low, high := outcomes.Wilson(n, total)
		shares[outcome] = Share{n, low, high}
	}
	return shares
}

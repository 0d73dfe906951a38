package simulate

import (
	"encoding/json"
	"fmt"
	"math"

	"antipode/data"
	"antipode/experiments/parameter"
	"antipode/internal/lists"
	"antipode/sphere"
)

// keyEnsemble is the metadata key under which a digest of overlaps or states stores a summary of all
// trajectories, in JSON.
const keyEnsemble = "antipode.ensemble"

// ensembleSummary summarises all trajectories of a table of overlaps or states. The quantiles are those of
// the overlaps of all pairs of tokens in all trajectories. For states with many tokens, only the overlaps of
// the first mostPaired tokens count.
type ensembleSummary struct {
	End       fractionRow  `json:"end"` // outcomes at the horizon
	Time      []float64    `json:"time"`
	Quantiles [][5]float64 `json:"quantiles"` // quantiles of overlaps, by time and level
}

// quantileLevels are the levels of the quantiles of the overlaps: the median, and the ends of the central 50
// % and 95 %.
var quantileLevels = [5]float64{0.025, 0.25, 0.5, 0.75, 0.975}

const (
	overlapBins = 2000 // number of bins from -1 to 1 of a histogram of overlaps that gives quantiles
	mostBands   = 400  // greatest number of times with quantiles of overlaps, besides the start
	mostPaired  = 24   // greatest number of tokens in a table of states whose overlaps have quantiles
)

// ensembleCounter reads a table of overlaps or states part by part. An ensembleCounter counts the overlaps in
// a histogram for each time, and the outcomes of the trajectories at the horizon.
type ensembleCounter struct {
	s          *Experiment
	classifier *sphere.Classifier
	time       []float64
	at         map[float64]int // index of each time
	counts     [][]int64       // numbers of overlaps by time and histogram bin
	end        fractionRow
	lastTime   float64
	open       map[int64]*openEnd // trajectories whose overlaps at the horizon are incomplete
}

// openEnd records the overlaps of a trajectory at the horizon that have been read so far.
type openEnd struct {
	pairs int
	// apart says whether some pair of tokens is neither together nor opposite, and antipodal says whether
	// some pair is opposite.
	apart, antipodal bool
}

// newEnsembleCounter returns a counter for the table of the experiment. The result is nil if the times of the
// table are not known.
func (s *Experiment) newEnsembleCounter() *ensembleCounter {
	horizon, every, ok := s.layersSaved()
	if !ok {
		return nil
	}
	moments := momentsOf(horizon, every)
	c := &ensembleCounter{s: s, at: map[float64]int{}, open: map[int64]*openEnd{},
		classifier: sphere.NewClassifier(int(s.Tokens), s.Tolerance),
		lastTime:   moments[len(moments)-1].time(s.Depth)}
	c.end.Time = c.lastTime
	if !s.drawsOverlaps() {
		return c
	}
	step := (len(moments) + mostBands - 1) / mostBands
	for k := range moments {
		if m := moments[len(moments)-1-k]; k%step == 0 || k == len(moments)-1 {
			t := m.time(s.Depth)
			c.at[t] = len(c.time)
			c.time = append(c.time, t)
			c.counts = append(c.counts, make([]int64, overlapBins))
		}
	}
	return c
}

// add counts the overlaps in the rows of a part of the table.
func (c *ensembleCounter) add(part *data.Table) error {
	trajectory, err := data.ValuesOf[int64](part, "trajectory")
	if err != nil {
		return err
	}
	time, err := data.ValuesOf[float64](part, "time")
	if err != nil {
		return err
	}
	if c.s.Save == saveStates {
		return c.addStates(part, time)
	}
	name := "overlap"
	if part.Schema.Index(formerOverlap) >= 0 {
		name = formerOverlap
	}
	overlap, err := data.ValuesOf[float64](part, name)
	if err != nil {
		return err
	}
	for row, z := range overlap {
		if k, shown := c.at[time[row]]; shown {
			c.count(k, z)
		}
		if time[row] == c.lastTime {
			c.addEnd(trajectory[row], z)
		}
	}
	return nil
}

// count adds the overlap z to the histogram of the k-th time.
func (c *ensembleCounter) count(k int, z float64) {
	c.counts[k][max(0, min(overlapBins-1, int((z+1)/2*overlapBins)))]++
}

// addEnd records the overlap z of a pair of tokens of a trajectory at the horizon. When the last pair of the
// trajectory is recorded, addEnd counts the outcome of the trajectory.
func (c *ensembleCounter) addEnd(trajectory int64, z float64) {
	e := c.open[trajectory]
	if e == nil {
		e = &openEnd{}
		c.open[trajectory] = e
	}
	e.pairs++
	e.antipodal = e.antipodal || z <= -1+c.s.Tolerance
	e.apart = e.apart || !(math.Abs(z) >= 1-c.s.Tolerance)
	if e.pairs < int(c.s.Tokens*(c.s.Tokens-1)/2) {
		return
	}
	delete(c.open, trajectory)
	outcome := sphere.Single
	switch {
	case e.apart:
		outcome = sphere.Unclustered
	case e.antipodal:
		outcome = sphere.Antipodal
	}
	c.end.count(outcome, e.antipodal)
}

// addStates counts the overlaps of the tokens in rows of states.
func (c *ensembleCounter) addStates(part *data.Table, time []float64) error {
	tokens, dim := int(c.s.Tokens), int(c.s.Dim)
	columns := make([][]float64, tokens)
	for i := range columns {
		var err error
		if columns[i], err = data.ValuesOf[float64](part, fmt.Sprintf("x%d", i+1)); err != nil {
			return err
		}
		if len(columns[i]) != dim*len(time) {
			return fmt.Errorf("column x%d: its vectors have another length than %d", i+1, dim)
		}
	}
	token := func(i, row int) []float64 { return columns[i][row*dim : (row+1)*dim] }
	x := make([]float64, 0, tokens*dim)
	for row, t := range time {
		if k, shown := c.at[t]; shown {
			for i := range min(tokens, mostPaired) {
				for j := range i {
					c.count(k, sphere.Dot(token(i, row), token(j, row)))
				}
			}
		}
		if t != c.lastTime {
			continue
		}
		x = x[:0]
		for i := range tokens {
			x = append(x, token(i, row)...)
		}
		c.end.count(c.classifier.Classify(x, dim))
	}
	return nil
}

// entry returns a metadata entry with the summary of all trajectories.
func (c *ensembleCounter) entry() (data.Entry, error) {
	summary := ensembleSummary{End: c.end}
	for k := len(c.time) - 1; k >= 0; k-- { // from the start to the horizon
		if q, ok := quantilesOf(c.counts[k]); ok {
			summary.Time, summary.Quantiles = append(summary.Time, c.time[k]), append(summary.Quantiles, q)
		}
	}
	text, err := json.Marshal(summary)
	return data.Entry{Key: keyEnsemble, Value: string(text)}, err
}

// quantilesOf returns the quantiles of the overlaps in a histogram, with an error of at most half a bin. The
// result ok is false if the histogram is empty.
func quantilesOf(counts []int64) (q [5]float64, ok bool) {
	total := lists.Sum(counts)
	if total == 0 {
		return q, false
	}
	for k, level := range quantileLevels {
		below, bin := int64(0), 0
		for ; float64(below+counts[bin]) < level*float64(total); bin++ {
			below += counts[bin]
		}
		q[k] = (float64(bin)+0.5)/overlapBins*2 - 1
	}
	return q, true
}

// ensembleOf returns the summary of all trajectories in a digest, or nil if the digest has no summary.
func ensembleOf(digest *data.Table) *ensembleSummary {
	text, known := digest.Schema.Value(keyEnsemble)
	summary := &ensembleSummary{}
	if !known || json.Unmarshal([]byte(text), summary) != nil || summary.End.Trajectories == 0 {
		return nil
	}
	return summary
}

// overlapsText describes the overlaps at the last time in words. The text is "" if the overlaps have not been
// counted.
func (e *ensembleSummary) overlapsText() string {
	if len(e.Time) == 0 {
		return ""
	}
	last := len(e.Time) - 1
	q := e.Quantiles[last]
	return fmt.Sprintf("\nOverlaps at time %s: median %.3f, half of them from %.3f to %.3f, "+
		"95 %% from %.3f to %.3f.", parameter.FormatReal(e.Time[last]), q[2], q[1], q[3], q[0], q[4])
}

// describe describes in words how the trajectories of the table ended.
func (e *ensembleSummary) describe(*data.Table) (string, error) {
	return e.End.describe() + e.overlapsText(), nil
}

package stability

import (
	"context"
	"fmt"
	"math"

	"antipode/data"
	"antipode/experiments/columns"
	"antipode/experiments/internal/grids"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/internal/theory"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/overlap"
	"antipode/overlap/firstpassage"
	"antipode/sde"
	"antipode/sphere/elementary"
)

// Experiment is the life of two opposite clusters of unequal size, which Fedorov et al.
// leave open for more than two tokens and conjecture to be stable: how long their
// overlap takes from -1 to 0, and at what rate they come together in the end, by
// simulation of recursion (4) and from the theory of its limit.
type Experiment struct {
	Masses       [][2]int      `json:"masses"` // tokens of the two clusters
	Dim          []int         `json:"dim"`
	Beta         []float64     `json:"beta"`
	Attention    sde.Attention `json:"attention"`
	Trajectories int64         `json:"trajectories"` // of each cell (masses, d, β)
	Depth        int64         `json:"depth"`        // layers per unit of time
	Tolerance    float64       `json:"tolerance"`
	Law          sde.Law       `json:"law"`
}

// New returns the default parameters: three and four tokens, whose lifetimes
// grow a hundredfold over the range of β.
func New() *Experiment {
	return &Experiment{
		Masses:       [][2]int{{1, 2}, {1, 3}},
		Dim:          []int{4},
		Beta:         grids.Steps(1, 5, 2),
		Attention:    sde.Softmax,
		Trajectories: 400,
		Depth:        100,
		Tolerance:    1e-3,
		Law:          sde.Gaussian,
	}
}

// Paper implements Experiment; the paper has no figure of this.
func (*Experiment) Paper() {}

// Name implements Experiment.
func (*Experiment) Name() string { return "stability" }

// Help implements Experiment.
func (*Experiment) Help() (summary, description string) {
	return "how long two opposite clusters of unequal size last, simulated and from theory", `Starts tokens as two exactly opposite clusters, simulates the normalised Transformer
recursion until they have come together, and measures how long their overlap takes from
-1 to 0 and at what rate the slower half of the trajectories end; the theory of the
limiting diffusion stands beside. Clusters of equal size would stay opposite for ever.
Lifetimes grow like e^2β with softmax, and so does the time that a run takes.

Example: antipode stability --masses 1,2/1,3/2,3 --beta 2.5 --trajectories 1000`
}

// Parameters implements Experiment.
func (s *Experiment) Parameters() []parameter.Parameter {
	return []parameter.Parameter{
		s.masses(),
		{Name: "dim", Meaning: "dimensions d of the tokens", Value: parameter.Wholes(&s.Dim, parameter.Range{Low: 2, High: 10_000})},
		{Name: "beta", Meaning: "inverse temperatures β", Value: parameter.Reals(&s.Beta, parameter.Range{Low: 0, High: overlap.MaxBeta})},
		{Name: "attention", Meaning: "kind of attention", Value: s.attention()},
		s.trajectories(),
		grids.DepthParameter(&s.Depth),
		{Name: "tolerance", Meaning: "tolerance τ of having come together: overlap ≥ 1-τ", Value: parameter.Real(&s.Tolerance, parameter.Range{Low: 1e-12, High: 0.5})},
		{Name: "law", Meaning: "law of the entries of a value matrix", Value: s.law()},
	}
}

func (s *Experiment) masses() parameter.Parameter {
	return parameter.Parameter{Name: "masses", Meaning: "tokens m1,m2 of the two clusters", Value: massPairs{&s.Masses}}
}

func (s *Experiment) trajectories() parameter.Parameter {
	return grids.TrajectoriesParameter(&s.Trajectories, "cell (masses, d, β)")
}
func (s *Experiment) attention() parameter.Named {
	return parameter.Named{Field: &s.Attention, Names: sde.AttentionNames}
}
func (s *Experiment) law() parameter.Named {
	return parameter.Named{Field: &s.Law, Names: sde.LawNames}
}

// Validate implements Experiment.
func (s *Experiment) Validate() error {
	if err := parameter.Check(s.Parameters()); err != nil {
		return err
	}
	if cells := len(s.Masses) * len(s.Dim) * len(s.Beta); cells > parameter.LargestGrid {
		return &parameter.Error{Parameter: "beta", Value: fmt.Sprintf("(%d values)", len(s.Beta)),
			Problem: fmt.Sprintf("with %d masses and %d dimensions these are %d cells; must be at most %d", len(s.Masses), len(s.Dim), cells, parameter.LargestGrid)}
	}
	return grids.CheckClock(s.Attention, s.Beta)
}

// cells are the cells by masses, by dimension and then by β.
func (s *Experiment) cells() []sde.Cell {
	var cells []sde.Cell
	for _, m := range s.Masses {
		for _, d := range s.Dim {
			for _, beta := range s.Beta {
				cells = append(cells, sde.Cell{
					Model:     sde.Transformer{Law: s.Law, Sigma: 1},
					Attention: s.Attention,
					Tokens:    m[0] + m[1], Dim: d, Beta: beta, Depth: int(s.Depth),
					Start: sde.OppositeStart{First: m[0], Second: m[1]},
				})
			}
		}
	}
	grids.UseChains(cells)
	return cells
}

// Columns implements Experiment.
func (*Experiment) Columns() []data.Column {
	time := func(name, meaning string) data.Column { return columns.Nullable(name, "units of time", meaning) }
	return []data.Column{
		{Name: "m1", Kind: data.Int32, Unit: "tokens", Meaning: "size of the first cluster"},
		{Name: "m2", Kind: data.Int32, Unit: "tokens", Meaning: "size of the second cluster"},
		outcomes.DimColumn, outcomes.BetaColumn, outcomes.TrajectoriesColumn,
		time("lifetime", "mean time at which the overlap, from -1, is first ≥ 0 after a layer"),
		time("lifetime_low", "lower end of the 95 % interval of lifetime"),
		time("lifetime_high", "upper end of the 95 % interval of lifetime"),
		time("lifetime_theory", "mean passage time of the overlap from -1 to 0 at infinite depth; null beyond 1.8e308"),
		time("decay_time", "inverse of the rate at which the clusters of the slower half of the trajectories come together; null for one trajectory"),
		time("decay_time_theory", "inverse of the final decay rate at infinite depth; null where it is not known"),
	}
}

// Run implements Experiment: a row as soon as a cell is done.
func (s *Experiment) Run(ctx context.Context, options run.Options, table data.Sink) error {
	if err := s.Validate(); err != nil {
		return err
	}
	var lives []life
	total := int64(0)
	for _, cell := range s.cells() {
		l, err := s.lifeOf(cell)
		if err != nil {
			return err
		}
		lives = append(lives, l)
		total += l.horizon * options.Part.Trajectories(s.Trajectories)
	}
	if options.Shards != nil {
		return s.merge(options.Shards, lives, table)
	}
	var before, now run.State // of the cells before the present one, and with it
	for k, l := range lives {
		each := options.From(int64(k) * sde.BlocksOf(s.Trajectories))
		each.Progress = func(cell run.State) {
			now = run.State{Done: before.Done + cell.Done, Restored: before.Restored + cell.Restored, Total: total, Cells: k + cell.Cells, AllCells: len(lives)}
			options.Tell(now)
		}
		trajectories, passages, err := s.simulate(ctx, l, each)
		if err != nil {
			return err
		}
		before = now
		if options.Part.Of > 0 {
			err = writePassages(table, l.cell, trajectories, passages)
		} else {
			err = s.writeCell(table, l, passages)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// ShardColumns implements run.Divisible: what each trajectory leaves.
func (s *Experiment) ShardColumns() []data.Column {
	layer := func(name, meaning string) data.Column {
		return data.Column{Name: name, Kind: data.Int64, Unit: "layers", Meaning: meaning}
	}
	return append(s.Columns()[:4:4], outcomes.TrajectoryColumn,
		layer("zero", "layer after which the overlap, from -1, is first ≥ 0"),
		layer("end", "layer after which the clusters have come together"))
}

// writePassages writes the rows of a cell in a shard.
func writePassages(table data.Sink, cell sde.Cell, trajectories []int64, passages []passage) error {
	start := cell.Start.(sde.OppositeStart)
	for k, p := range passages {
		err := table.Write(data.Slice[int32]{int32(start.First)}, data.Slice[int32]{int32(start.Second)}, data.Slice[int32]{int32(cell.Dim)}, data.Slice[float64]{cell.Beta},
			data.Slice[int64]{trajectories[k]}, data.Slice[int64]{p.zero}, data.Slice[int64]{p.end})
		if err != nil {
			return err
		}
	}
	return nil
}

// merge writes the rows of all cells from the passages of shards.
func (s *Experiment) merge(shards []*data.Reader, lives []life, table data.Sink) error {
	passages := make([][]passage, len(lives))
	err := run.MergeRows(shards, len(lives), s.Trajectories, 1, func(cell int, part *data.Table) error {
		r := columns.Reader{Table: part}
		zero, end := columns.Of[int64](&r, "zero"), columns.Of[int64](&r, "end")
		for k := range min(len(zero), len(end)) {
			passages[cell] = append(passages[cell], passage{zero[k], end[k]})
		}
		return r.Err
	})
	for k, l := range lives {
		if err == nil {
			err = s.writeCell(table, l, passages[k])
		}
	}
	return err
}

// life is a cell and what the theory says of it.
type life struct {
	cell                sde.Cell
	lifetime, decayTime float64
	horizon             int64 // layers within which all trajectories will have ended
}

const (
	longestLife = 40      // decay times; the chance of a trajectory to last for so many is e^-40
	mostLayers  = 1 << 25 // the largest horizon of a trajectory that is seen at each layer
)

// lifeOf refuses a cell whose clusters last for too long.
func (s *Experiment) lifeOf(cell sde.Cell) (l life, err error) {
	start := cell.Start.(sde.OppositeStart)
	diffusion, err := overlap.NewMasses(cell.Dim, cell.Beta, theory.Attention(cell.Attention), cell.Model.(sde.Transformer).Sigma,
		float64(start.First), float64(start.Second))
	if err != nil {
		return l, err
	}
	times, err := timesOf(diffusion)
	if err != nil {
		return l, &parameter.Error{Parameter: "beta", Value: parameter.FormatReal(cell.Beta), Problem: "must be such that the theory knows how long the clusters last: " + err.Error()}
	}
	longest := longestLife * float64(s.Depth) * (1 + max(times[0], finiteOr(times[1], 0)))
	if !(longest <= mostLayers) {
		return l, &parameter.Error{Parameter: "beta", Value: parameter.FormatReal(cell.Beta), Problem: fmt.Sprintf(
			"opposite clusters of %d and %d tokens would last for %s units of time; must be less than %.3g at this depth, or see overlap --masses for the theory alone",
			start.First, start.Second, inTens(times[0]), mostLayers/longestLife/float64(s.Depth))}
	}
	return life{cell, times[0], times[1], int64(longest)}, nil
}

// inTens is a time in short, also one beyond float64.
func inTens(time float64) string {
	if math.IsInf(time, 0) {
		return "more than 1e308"
	}
	return fmt.Sprintf("about %.3g", time)
}

// timesOf are the lifetime and the decay time of a diffusion, NaN where they are not
// known.
func timesOf(diffusion *overlap.Diffusion) (times [2]float64, err error) {
	lifetime, err := firstpassage.Lifetime(diffusion)
	if err != nil {
		return times, err
	}
	times = [2]float64{lifetime.Value, math.NaN()}
	// Where the decay time is refused, near a continuous spectrum, it is not known.
	if decay, err := firstpassage.DecayTime(diffusion); err == nil {
		times[1] = columns.FiniteOrNaN(decay.Value)
	}
	return times, nil
}

func finiteOr(x, otherwise float64) float64 {
	if math.IsNaN(x) {
		return otherwise
	}
	return x
}

// passed returns the function that tells from what is seen of a cell whether the overlap of
// the clusters is ≥ 0, and whether it is ≥ 1-τ.
func (s *Experiment) passed(c sde.Cell) func(v *sde.View) (zero, end bool) {
	near, first := elementary.Log(s.Tolerance), c.Start.(sde.OppositeStart).First
	return func(v *sde.View) (zero, end bool) {
		above, below := v.Logarithms(0, first)
		return above >= below, below <= near
	}
}

// simulate returns the trajectories of a cell and their passages.
func (s *Experiment) simulate(ctx context.Context, l life, options run.Options) (trajectories []int64, passages []passage, err error) {
	passed := s.passed(l.cell)
	ensemble := &sde.Ensemble[passage]{Cells: []sde.Cell{l.cell}, Trajectories: s.Trajectories, Layers: l.horizon}
	ensemble.Times = make([]int64, l.horizon)
	for k := range ensemble.Times {
		ensemble.Times[k] = int64(k + 1)
	}
	ensemble.Observer = func(int) func(*passage, *sde.View) {
		return func(p *passage, v *sde.View) {
			zero, end := passed(v)
			if zero && p.zero == 0 {
				p.zero = v.Layer
			}
			if end {
				p.end = v.Layer
			}
		}
	}
	ensemble.Stop = func(int) func(*sde.View) bool {
		return func(v *sde.View) bool {
			_, end := passed(v)
			return end
		}
	}
	ensemble.Reduce = func(_ int, trajectory int64, p passage) error {
		if p.end == 0 {
			return fmt.Errorf("β = %g: the clusters of trajectory %d had not come together by time %g: at this depth they last much longer than in the limit", l.cell.Beta, trajectory, float64(l.horizon)/float64(s.Depth))
		}
		trajectories, passages = append(trajectories, trajectory), append(passages, p)
		return nil
	}
	err = run.Simulation[passage]{
		Ensemble: ensemble, Codec: passageCodec, Size: s.masses(), Count: s.trajectories(), Share: 1. / longestLife,
		Rows: 1, RowBytes: outcomes.CountedBytes, KeptBytes: passageBytes,
	}.Run(ctx, options)
	return trajectories, passages, err
}

func (s *Experiment) writeCell(table data.Sink, l life, passages []passage) error {
	start := l.cell.Start.(sde.OppositeStart)
	lifetime, low, high := meanPassage(passages, s.Depth)
	return table.Write(data.Slice[int32]{int32(start.First)}, data.Slice[int32]{int32(start.Second)}, data.Slice[int32]{int32(l.cell.Dim)}, data.Slice[float64]{l.cell.Beta}, data.Slice[int64]{s.Trajectories},
		data.Slice[float64]{lifetime}, data.Slice[float64]{low}, data.Slice[float64]{high}, data.Slice[float64]{columns.FiniteOrNaN(l.lifetime)},
		data.Slice[float64]{finalDecay(passages, s.Depth)}, data.Slice[float64]{l.decayTime})
}

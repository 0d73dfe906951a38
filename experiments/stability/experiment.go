// Package stability is the experiment on how long opposite clusters of unequal size last, and whether
// those of equal size attract.
//
//	e := stability.New()
//	e.Masses, e.Beta = [][2]int{{1, 2}, {1, 3}}, []float64{0.5, 1}
//	err := e.Run(ctx, run.Options{Seed: 1}, table) // rows of type Row
package stability

import (
	"context"
	"fmt"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/internal/splitting"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/overlap"
	"antipode/sde"
	"antipode/sphere/elementary"
)

// Experiment is the life of two opposite clusters of unequal size, which Fedorov et al.
// leave open for more than two tokens and conjecture to be stable: how long their
// overlap takes from -1 to 0, and at what rate they come together in the end, by
// simulation of recursion (4) and from the theory of its limit; and for clusters of equal
// size, which stay opposite, the exponents of small displacements.
type Experiment struct {
	Masses       [][2]int      `json:"masses"` // tokens of the two clusters
	Dim          []int         `json:"dim"`
	Beta         []float64     `json:"beta"`
	Attention    sde.Attention `json:"attention"`
	Trajectories int64         `json:"trajectories"` // of each cell (masses, d, β)
	Depth        int64         `json:"depth"`        // layers per unit of time
	Tolerance    float64       `json:"tolerance"`
	Law          sde.Law       `json:"law"`
	Sigma        float64       `json:"sigma"` // standard deviation of an entry of a value matrix
	Splitting    Splitting     `json:"splitting,omitzero"`
	Repetitions  int64         `json:"repetitions"` // of the splitting
	setting.Sublayers
}

// New returns the default parameters: three and four tokens, whose lifetimes
// grow a hundredfold over the range of β.
func New() *Experiment {
	return &Experiment{
		Masses:       [][2]int{{1, 2}, {1, 3}},
		Dim:          []int{4},
		Beta:         setting.Steps(1, 5, 2),
		Attention:    sde.Softmax,
		Trajectories: 400,
		Depth:        100,
		Tolerance:    1e-3,
		Law:          sde.Gaussian,
		Sigma:        1,
		Repetitions:  20,
	}
}

// Paper implements run.Experiment; the paper has no figure of this.
func (*Experiment) Paper() {}

// Name implements run.Experiment.
func (*Experiment) Name() string { return "stability" }

// Help implements run.Experiment.
func (*Experiment) Help() (summary, description string) {
	return "how long two opposite clusters last, or at what rates equal ones attract, " +
			"simulated and from theory",
		`Starts tokens as two exactly opposite clusters, simulates the normalised Transformer
recursion until they have come together, and measures how long their overlap takes from
-1 to 0 and at what rate the slower half of the trajectories end; the theory of the
limiting diffusion stands beside. Clusters of equal size stay opposite for ever: of them it
follows small displacements of the tokens, and measures the exponents at which these grow
or shrink within the clusters, and between them. Lifetimes grow like e^2β with softmax, and
so does the time that a run takes. Beside an MLP whose activation is not odd, such as relu,
clusters of equal size are left as well.

Examples: antipode stability --masses 1,2/1,3/2,3 --beta 2.5 --trajectories 1000
          antipode stability --masses 2,2/4,4/8,8 --beta 0.25:1.5:0.25
          antipode stability --masses 1,1 --mlp relu:0.01`
}

// Parameters implements run.Experiment.
func (s *Experiment) Parameters() []parameter.Parameter {
	own := append([]parameter.Parameter{
		s.masses(),
		{Name: "dim", Meaning: "dimensions d of the tokens",
			Value: parameter.Wholes(&s.Dim, parameter.Range{Low: 2, High: 10_000})},
		{Name: "beta", Meaning: "inverse temperatures β",
			Value: parameter.Reals(&s.Beta, parameter.Range{Low: 0, High: overlap.MaxBeta})},
		setting.AttentionParameter(&s.Attention),
		s.trajectories(),
		setting.DepthParameter(&s.Depth),
		{Name: "tolerance", Meaning: "tolerance τ: clusters have merged once their overlap is at least 1-τ",
			Value:        parameter.Real(&s.Tolerance, parameter.Range{Low: 1e-12, High: 0.5}),
			Inapplicable: s.withoutEnd()},
		setting.LawParameter(&s.Law),
		setting.SigmaParameter(&s.Sigma),
	}, s.splitParameters()...)
	return append(own, s.Sublayers.Parameters(setting.SeveralHeadsMatter(s.Law, setting.Interaction{}))...)
}

// withoutEnd says why the tolerance of having come together has no effect; "" if it has one.
func (s *Experiment) withoutEnd() string {
	if s.splits() {
		return "--splitting is for the lifetime alone; must be left out with it"
	}
	return parameter.Unless(slices.ContainsFunc(s.Masses,
		func(m [2]int) bool { return m[0] != m[1] || !s.beside().None() }),
		"clusters of equal size do not come together; must be left out")
}

// beside are the sublayers that have an effect.
func (s *Experiment) beside() setting.Sublayers {
	return s.Effective(setting.SeveralHeadsMatter(s.Law, setting.Interaction{}))
}

// stays reports whether opposite clusters stay opposite: those of equal size, unless an MLP parts them.
func (s *Experiment) stays(c Clusters) bool { return c.First == c.Second && s.beside().None() }

func (s *Experiment) masses() parameter.Parameter {
	return parameter.Parameter{Name: "masses", Meaning: "numbers m1,m2 of tokens in the two clusters",
		Value: massPairs{&s.Masses}}
}

func (s *Experiment) trajectories() parameter.Parameter {
	return setting.TrajectoriesParameter(&s.Trajectories, "cell (masses, d, β)")
}

// Validate implements run.Experiment.
func (s *Experiment) Validate() error {
	if err := parameter.Check(s.Parameters()); err != nil {
		return err
	}
	if err := setting.CheckCells("beta", len(s.Beta),
		setting.Axis{Count: len(s.Masses), Many: "masses"}, setting.Axis{Count: len(s.Dim),
			Many: "dimensions"}); err != nil {
		return err
	}
	if err := setting.CheckClock(s.Attention, s.Beta); err != nil {
		return err
	}
	if err := s.checkSplitting(); err != nil {
		return err
	}
	return s.checkSublayers()
}

// checkSublayers refuses what does not fit the cells, and clusters of equal size that stay opposite beside
// something: the exponents of these are known for attention alone.
func (s *Experiment) checkSublayers() error {
	for _, m := range s.Masses {
		if m[0] == m[1] && !s.beside().None() && (s.MLP == setting.MLP{} || s.MLP.Activation.Odd()) {
			return &parameter.Error{Parameter: "masses", Value: fmt.Sprintf("%d,%d", m[0], m[1]),
				Problem: "clusters of equal size stay opposite unless the activation of an MLP is relu or " +
					"gelu; must differ, or stand without --mlp, --heads and --drift"}
		}
	}
	return s.beside().Check(s.cells())
}

// cells are the cells by masses, by dimension and then by β.
func (s *Experiment) cells() []sde.Cell {
	var cells []sde.Cell
	for _, m := range s.Masses {
		for _, d := range s.Dim {
			for _, beta := range s.Beta {
				cells = append(cells, sde.Cell{
					Model:     sde.Transformer{Law: s.Law, Sigma: s.Sigma},
					Attention: s.Attention,
					Tokens:    m[0] + m[1], Dim: d, Beta: beta, Depth: int(s.Depth),
					Start:   sde.OppositeStart{First: m[0], Second: m[1]},
					Tangent: s.stays(Clusters{First: int32(m[0]), Second: int32(m[1])}),
				})
			}
		}
	}
	setting.UseChainsWith(cells, s.beside())
	return cells
}

// Columns implements run.Experiment.
func (s *Experiment) Columns() []data.Column {
	if s.splits() {
		return data.ColumnsOf[splitRow]()
	}
	return data.ColumnsOf[Row]()
}

// Run implements run.Experiment: a row as soon as a cell is done.
func (s *Experiment) Run(ctx context.Context, options run.Options, table data.Sink) error {
	if err := s.Validate(); err != nil {
		return err
	}
	if s.splits() {
		return s.runSplitting(ctx, options, table)
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
			now = run.State{Done: before.Done + cell.Done, Restored: before.Restored + cell.Restored,
				Total: total,
				Cells: k + cell.Cells, AllCells: len(lives)}
			options.Report(now)
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
	if s.splits() {
		return data.ColumnsOf[splitting.Row]()
	}
	return data.ColumnsOf[shardRow]()
}

// writePassages writes the rows of a cell in a shard.
func writePassages(table data.Sink, cell sde.Cell, trajectories []int64, passages []passage) error {
	rows := make([]shardRow, len(passages))
	for k, p := range passages {
		rows[k] = shardRow{clustersOf(cell), trajectories[k], p}
	}
	return data.WriteRows(table, rows...)
}

// merge writes the rows of all cells from the passages of shards.
func (s *Experiment) merge(shards []*data.Reader, lives []life, table data.Sink) error {
	passages := make([][]passage, len(lives))
	err := run.MergeRows(shards, len(lives), s.Trajectories, 1, func(cell int, part *data.Table) error {
		rows, err := data.RowsOf[shardRow](part)
		for _, row := range rows {
			passages[cell] = append(passages[cell], row.passage)
		}
		return err
	})
	for k, l := range lives {
		if err == nil {
			err = s.writeCell(table, l, passages[k])
		}
	}
	return err
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
func (s *Experiment) simulate(
	ctx context.Context, l life, options run.Options,
) (trajectories []int64, passages []passage, err error) {
	ensemble := &sde.Ensemble[passage]{Cells: []sde.Cell{l.cell}, Trajectories: s.Trajectories,
		Layers: l.horizon}
	ensemble.Reduce = func(_ int, trajectory int64, p passage) error {
		if p.End == 0 && !l.cell.Tangent {
			return fmt.Errorf("β = %g: the clusters of trajectory %d had not come together by time %g: "+
				"at this depth they last much longer than in the limit", l.cell.Beta, trajectory,
				float64(l.horizon)/float64(s.Depth))
		}
		trajectories, passages = append(trajectories, trajectory), append(passages, p)
		return nil
	}
	share := 1.
	if l.cell.Tangent {
		ensemble.Observer = func(int) func(*passage, *sde.View) { return growth(s.Depth) }
	} else {
		s.watch(ensemble, l)
		share = 1. / longestLife
	}
	err = run.Simulation[passage]{
		Ensemble: ensemble, Codec: passageCodec, Size: s.masses(), Count: s.trajectories(), Share: share,
		Rows: 1, RowBytes: outcomes.CountedBytes, KeptBytes: passageBytes,
	}.Run(ctx, options)
	return trajectories, passages, err
}

// watch has an ensemble look at each layer for the passages of clusters of unequal size.
func (s *Experiment) watch(ensemble *sde.Ensemble[passage], l life) {
	passed := s.passed(l.cell)
	ensemble.Times = make([]int64, l.horizon)
	for k := range ensemble.Times {
		ensemble.Times[k] = int64(k + 1)
	}
	ensemble.Observer = func(int) func(*passage, *sde.View) {
		return func(p *passage, v *sde.View) {
			p.Within, p.Between = math.NaN(), math.NaN()
			zero, end := passed(v)
			if zero && p.Zero == 0 {
				p.Zero = v.Layer
			}
			if end {
				p.End = v.Layer
			}
		}
	}
	ensemble.Stop = func(int) func(*sde.View) bool {
		return func(v *sde.View) bool {
			_, end := passed(v)
			return end
		}
	}
}

// writeCell writes the row of a cell.
func (s *Experiment) writeCell(table data.Sink, l life, passages []passage) error {
	row := data.NullRow[Row]()
	row.Clusters, row.Trajectories = clustersOf(l.cell), s.Trajectories
	row.LifetimeTheory, row.DecayTimeTheory = data.FiniteOrNaN(l.lifetime), l.decayTime
	if l.cell.Tangent {
		if err := s.setExponents(&row, passages); err != nil {
			return err
		}
	} else {
		row.Lifetime, row.LifetimeLow, row.LifetimeHigh = meanPassage(passages, s.Depth)
		row.DecayTime = finalDecay(passages, s.Depth)
	}
	return data.WriteRows(table, row)
}

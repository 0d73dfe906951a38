package phase

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"

	"antipode/data"
	"antipode/experiments/columns"
	"antipode/experiments/internal/grids"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/internal/theory"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/wording"
	"antipode/overlap"
	"antipode/sde"
	"antipode/sphere"
)

// Phase is the phase transition of two tokens (Fedorov et al., Fig. 3): the
// probability of the antipodal outcome over dimension and inverse temperature, by
// simulation of recursion (4) and from the scale function of its limit.
type Phase struct {
	Dim          []int         `json:"dim"`
	Beta         []float64     `json:"beta"`
	Attention    sde.Attention `json:"attention"`
	Trajectories int64         `json:"trajectories"` // of each cell (d, β)
	Depth        int64         `json:"depth"`        // layers per unit of time
	Horizon      float64       `json:"horizon"`      // units of time
	Tolerance    float64       `json:"tolerance"`
	Law          sde.Law       `json:"law"`
	Method       sde.Method    `json:"method"`       // the chain needs the gaussian law
	NoShortcuts  bool          `json:"no-shortcuts"` // every trajectory goes on to the horizon
}

// New returns the default parameters: smaller than the figure's, but both sides of the
// boundary are there, and so is the agreement with the theory.
func New() *Phase {
	return &Phase{
		Dim:          []int{3, 4, 5, 6, 8},
		Beta:         grids.Steps(0, 21, 10),
		Attention:    sde.Softmax,
		Trajectories: 2000,
		Depth:        40,
		Horizon:      25,
		Tolerance:    1e-3,
		Law:          sde.Gaussian,
		Method:       sde.Chain,
	}
}

// Paper sets the scale of Fig. 3. The grid of β is read off the figure; depth is
// the caption's 100, as the 50,000 of the text are the layers up to time 500.
func (p *Phase) Paper() {
	p.Dim = []int{4, 5, 6, 7, 8, 9, 10}
	p.Beta = make([]float64, 31)
	for k := range p.Beta {
		p.Beta[k] = float64(k) / 10
	}
	p.Trajectories, p.Depth, p.Horizon = 40_000, 100, 500
}

// Name implements Experiment.
func (*Phase) Name() string { return "phase" }

// Help implements Experiment.
func (*Phase) Help() (summary, description string) {
	return "antipodal probability of two tokens over dimension and β, simulated and from theory (Fig. 3)", `Simulates two tokens of the normalised Transformer recursion from independent
uniform starts, for each dimension and β, and counts how many end as two opposite
clusters; beside it stands the probability from the scale function of the limiting
diffusion. Writes a table and a figure, and says what they show.

Example: antipode phase --dim 4 --beta 0.3,1.5 --trajectories 4000 --depth 100 --horizon 50`
}

// Parameters implements Experiment.
func (p *Phase) Parameters() []parameter.Parameter {
	return []parameter.Parameter{
		p.dim(),
		{Name: "beta", Meaning: "inverse temperatures β", Value: parameter.Reals(&p.Beta, parameter.Range{Low: 0, High: overlap.MaxBeta})},
		{Name: "attention", Meaning: "kind of attention", Value: p.attention()},
		p.trajectories(),
		{Name: "depth", Meaning: "depth L", Unit: "layers per unit of time", Value: parameter.Whole(&p.Depth, parameter.Range{Low: 1, High: 1e6})},
		{Name: "horizon", Meaning: "horizon T", Unit: "units of time", Value: parameter.Real(&p.Horizon, parameter.Range{Low: 0, High: 1e6, Open: true})},
		{Name: "tolerance", Meaning: "tolerance τ of an outcome: overlaps within τ of ±1", Value: parameter.Real(&p.Tolerance, parameter.Range{Low: 1e-12, High: 0.5})},
		{Name: "law", Meaning: "law of the entries of a value matrix", Value: lawChoice{p.law(), &p.Method}},
		{Name: "method", Meaning: "what is simulated: the exact chain of the overlap, of gaussian matrices alone and their default, or the tokens", Value: p.method()},
		{Name: "no-shortcuts", Meaning: "simulate every trajectory to the horizon, also when its outcome is decided", Value: parameter.Switch{On: &p.NoShortcuts}},
	}
}

func (p *Phase) dim() parameter.Parameter {
	return parameter.Parameter{Name: "dim", Meaning: "dimensions d of the tokens", Value: parameter.Wholes(&p.Dim, parameter.Range{Low: 2, High: 10_000})}
}

func (p *Phase) trajectories() parameter.Parameter {
	return parameter.Parameter{Name: "trajectories", Meaning: "trajectories of each cell (d, β)", Value: parameter.Whole(&p.Trajectories, parameter.Range{Low: 1, High: 1e12})}
}

func (p *Phase) attention() parameter.Named {
	return parameter.Named{Field: &p.Attention, Names: sde.AttentionNames}
}
func (p *Phase) law() parameter.Named { return parameter.Named{Field: &p.Law, Names: sde.LawNames} }
func (p *Phase) method() parameter.Named {
	return parameter.Named{Field: &p.Method, Names: sde.MethodNames}
}

// lawChoice is the name of a law of value matrices, which brings a default method with it:
// the chain where it is exact.
type lawChoice struct {
	parameter.Named
	method *sde.Method
}

func (v lawChoice) Set(text string) error {
	if err := v.Named.Set(text); err != nil {
		return err
	}
	*v.method = sde.Tokens
	if text == sde.Gaussian.String() {
		*v.method = sde.Chain
	}
	return nil
}

// Validate implements Experiment.
func (p *Phase) Validate() error {
	if err := grids.Check(p.Parameters(), p.Dim, p.Beta); err != nil {
		return err
	}
	if _, err := grids.Layers(p.Depth, p.Horizon); err != nil {
		return err
	}
	if p.Method == sde.Chain && p.Law != sde.Gaussian {
		return &parameter.Error{Parameter: "method", Value: p.Method.String(),
			Problem: "the chain is exact for the gaussian law alone; must be tokens with law " + p.Law.String()}
	}
	if err := grids.CheckClock(p.Attention, p.Beta); err != nil {
		return err
	}
	for _, c := range p.cells() {
		if largest := c.LargestBeta(); c.Beta > largest {
			return &parameter.Error{Parameter: "beta", Value: parameter.FormatReal(c.Beta), Problem: fmt.Sprintf(
				"must be at most %.6g for the chain of unnormalized attention, or use method tokens", largest)}
		}
	}
	return nil
}

// cells are the cells of the grid, by dimension and then by β.
func (p *Phase) cells() []sde.Cell {
	var cells []sde.Cell
	for _, d := range p.Dim {
		for _, beta := range p.Beta {
			cells = append(cells, sde.Cell{
				Model:     sde.Transformer{Law: p.Law, Sigma: 1},
				Method:    p.Method,
				Attention: p.Attention,
				Tokens:    2, Dim: d, Beta: beta, Depth: int(p.Depth),
				Start: sde.UniformStart{},
			})
		}
	}
	return cells
}

// Columns implements Experiment.
func (*Phase) Columns() []data.Column {
	count := func(name, meaning string) data.Column {
		return data.Column{Name: name, Kind: data.Int64, Unit: "trajectories", Meaning: meaning}
	}
	return []data.Column{
		{Name: "dim", Kind: data.Int32, Meaning: "dimension d of the tokens"},
		{Name: "beta", Kind: data.Float64, Meaning: "inverse temperature β"},
		count("trajectories", "simulated trajectories"),
		count("antipodal", "trajectories with overlap ≤ -1+τ at the horizon"),
		count("single", "trajectories with overlap ≥ 1-τ at the horizon"),
		count("unclustered", "trajectories with neither at the horizon"),
		columns.Nullable("p_antipodal", "", "antipodal / trajectories"),
		columns.Nullable("p_low", "", "lower end of the Wilson 95 % interval of p_antipodal"),
		columns.Nullable("p_high", "", "upper end of the Wilson 95 % interval of p_antipodal"),
		columns.Nullable("p_limit", "", "probability of the antipodal outcome at infinite depth and horizon, from the scale function"),
		columns.Nullable("p_antipodal_horizon", "", "probability of the antipodal outcome within τ at infinite depth and this horizon, from the Fokker-Planck equation; null where it is not known to 1e-3"),
		theory.HorizonErrorColumn,
		columns.Nullable("beta_c", "", "β above which the antipodal outcome attracts at infinite depth, arccosh(d-2)/2; null for d = 2, where it always does"),
		columns.Nullable("beta_c_depth", "", "β above which the antipodal outcome attracts at this depth; null for d = 2, where it always does, and for laws that are not gaussian"),
		outcomes.StopBoundColumn("none ended early"),
	}
}

// Run implements Experiment: a row as soon as a cell is done.
func (p *Phase) Run(ctx context.Context, options run.Options, table data.Sink) error {
	if err := p.Validate(); err != nil {
		return err
	}
	horizon, err := grids.Layers(p.Depth, p.Horizon)
	if err != nil {
		return err
	}
	cells := p.cells()
	theories := newPhaseTheories(p, cells)
	if options.Shards != nil {
		end := theories.begin(ctx, options.Workers)
		defer end()
		return outcomes.MergeTallies(options.Shards, len(cells), 1, p.Trajectories, func(cell int, tallies []outcomes.Tally) error {
			theory, err := theories.take(cell)
			if err != nil {
				return err
			}
			return p.writeCell(table, cells[cell], tallies[0], p.estimates(tallies[0], theory))
		})
	}
	ensemble := &sde.Ensemble[outcomes.Decision]{Cells: cells, Trajectories: p.Trajectories, Layers: horizon}
	decide := outcomes.NewDecider(ensemble, p.Tolerance, p.NoShortcuts)
	if options.Part.Of == 0 {
		observer := ensemble.Observer
		ensemble.Observer = func(cell int) func(*outcomes.Decision, *sde.View) {
			theories.enter(cell)
			return observer(cell)
		}
	}
	return decide.Run(ctx, options, ensemble, p.dim(), p.trajectories(), func(cell int, t outcomes.Tally) error {
		if options.Part.Of > 0 {
			return p.writeCell(table, cells[cell], t, outcomes.Nulls(phaseEstimates))
		}
		theory, err := theories.take(cell)
		if err != nil {
			return err
		}
		return p.writeCell(table, cells[cell], t, p.estimates(t, theory))
	})
}

// ShardColumns implements run.Divisible.
func (p *Phase) ShardColumns() []data.Column { return p.Columns() }

// phaseEstimates is the number of columns between the counts and the bound.
const phaseEstimates = 8

// estimates are those columns: fractions of what was counted, and the theory.
func (p *Phase) estimates(t outcomes.Tally, theory phaseTheory) []data.Values {
	antipodal := t.Outcomes[sphere.Antipodal]
	low, high := outcomes.Wilson(antipodal, p.Trajectories)
	return outcomes.Reals(float64(antipodal)/float64(p.Trajectories), low, high,
		theory.limit, theory.horizon, theory.horizonError, theory.boundary, theory.boundaryDepth)
}

// writeCell writes the row of a cell.
func (p *Phase) writeCell(table data.Sink, cell sde.Cell, t outcomes.Tally, estimates []data.Values) error {
	row := []data.Values{
		data.Slice[int32]{int32(cell.Dim)}, data.Slice[float64]{cell.Beta}, data.Slice[int64]{t.Trajectories()},
		data.Slice[int64]{t.Outcomes[sphere.Antipodal]}, data.Slice[int64]{t.Outcomes[sphere.Single]}, data.Slice[int64]{t.Outcomes[sphere.Unclustered]},
	}
	return table.Write(slices.Concat(row, estimates, outcomes.Reals(t.Bound))...)
}

// phaseCells are the columns of a phase table that text and figure need.
type phaseCells struct {
	dim                                  []int32
	trajectories, antipodal, unclustered []int64
	beta, estimate, low, high            []float64
	limit, horizon                       []float64 // theory
	boundary, boundaryDepth              []float64
}

func ReadPhase(t *data.Table) (*phaseCells, error) {
	r := columns.Reader{Table: t}
	c := &phaseCells{
		dim:          columns.Of[int32](&r, "dim"),
		trajectories: columns.Of[int64](&r, "trajectories"),
		antipodal:    columns.Of[int64](&r, "antipodal"),
		unclustered:  columns.Of[int64](&r, "unclustered"),
		beta:         columns.Of[float64](&r, "beta"),
		estimate:     columns.Of[float64](&r, "p_antipodal"),
		low:          columns.Of[float64](&r, "p_low"),
		high:         columns.Of[float64](&r, "p_high"),
		limit:        columns.Of[float64](&r, "p_limit"),
		horizon:      columns.Renamed[float64](&r, "p_antipodal_horizon", "p_horizon"),

		boundary:      columns.Of[float64](&r, "beta_c"),
		boundaryDepth: columns.Of[float64](&r, "beta_c_depth"),
	}
	return c, r.Err
}

// difference is how far what was seen in a cell is from the theory at the horizon, in
// standard errors; NaN where there is no theory.
func (c *phaseCells) difference(k int) float64 {
	return outcomes.Deviation(c.antipodal[k], c.trajectories[k], c.horizon[k])
}

// Describe implements Experiment: a line a dimension, or a cell if there are few,
// and a sentence.
func (p *Phase) Describe(w io.Writer, table *data.Table) error {
	c, err := ReadPhase(table)
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	const fewCells = 16
	if len(c.dim) <= fewCells {
		c.listCells(t)
	} else {
		c.listDimensions(t)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err = fmt.Fprintln(w, "\n"+c.sentence())
	return err
}

func (c *phaseCells) listCells(t io.Writer) {
	fmt.Fprintln(t, "d\tβ\tantipodal\t95 % interval\ttheory\tin the limit\tunclustered\tβ_c\t")
	for k := range c.dim {
		n := float64(c.trajectories[k])
		fmt.Fprintf(t, "%d\t%g\t%.4f\t%.4f to %.4f\t%s\t%.4f\t%.4f\t%s\t\n", c.dim[k], c.beta[k], c.estimate[k],
			c.low[k], c.high[k], wording.OrNone(c.horizon[k]), c.limit[k], float64(c.unclustered[k])/n, wording.OrNone(c.boundary[k]))
	}
}

func (c *phaseCells) listDimensions(t io.Writer) {
	fmt.Fprintln(t, "d\tβ_c\tat this depth\tantipodal seen from β\tgreatest fraction\tat β\ttheory there\tin the limit\t")
	for first := 0; first < len(c.dim); {
		last, most, seen := first, first, math.NaN()
		for ; last < len(c.dim) && c.dim[last] == c.dim[first]; last++ {
			if c.estimate[last] > c.estimate[most] {
				most = last
			}
			if c.antipodal[last] > 0 && !(seen <= c.beta[last]) {
				seen = c.beta[last]
			}
		}
		from := "none"
		if seen == seen {
			from = parameter.FormatReal(seen)
		}
		fmt.Fprintf(t, "%d\t%s\t%s\t%s\t%.4f\t%g\t%s\t%.4f\t\n", c.dim[first], wording.OrNone(c.boundary[first]), wording.OrNone(c.boundaryDepth[first]),
			from, c.estimate[most], c.beta[most], wording.OrNone(c.horizon[most]), c.limit[most])
		first = last
	}
}

// sentence says where the boundary was predicted and what was seen.
func (c *phaseCells) sentence() string {
	var above, aboveSeen, below, belowSeen int
	var difference wording.Difference
	for k := range c.dim {
		seen := 0
		if c.antipodal[k] > 0 {
			seen = 1
		}
		if c.limit[k] > 0 {
			above, aboveSeen = above+1, aboveSeen+seen
		} else {
			below, belowSeen = below+1, belowSeen+seen
		}
		difference.Add(c.difference(k))
	}
	text := "Opposite clusters attract where cosh 2β > d-2."
	if above > 0 {
		text += fmt.Sprintf(" They were seen in %d of %s above this boundary.", aboveSeen, wording.Cells(above))
	}
	if below > 0 {
		text += fmt.Sprintf(" They were seen in %d of %s at or below it, where they only take time to leave.", belowSeen, wording.Cells(below))
	}
	return text + outcomes.SentenceOn(difference, "")
}

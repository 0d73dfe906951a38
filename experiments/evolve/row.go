package evolve

import (
	"math"

	"antipode/data"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/run"
	"antipode/experiments/theory"
	"antipode/internal/lists"
	"antipode/sde"
)

// Row is a row of the table of experiment evolve: the counts of trajectories of one cell (model, d, β) at one
// time. In the table of a shard the fractions are null.
type Row struct {
	Model         Model    `column:"model" meaning:"model that moves the tokens in a layer"`
	Tokens        int32    `column:"tokens" meaning:"number N of tokens"`
	Dim           int32    `column:"dim" meaning:"dimension d of the tokens"`
	Beta          float64  `column:"beta" meaning:"inverse temperature β"`
	_             struct{} `meaning:"time of observation: number of layers passed / depth"`
	Time          float64  `column:"time" unit:"units of time"`
	_             struct{} `meaning:"number of simulated trajectories"`
	Trajectories  int64    `column:"trajectories" unit:"trajectories"`
	_             struct{} `meaning:"number of trajectories with a single cluster: all overlaps ≥ 1-τ, where"`
	_             struct{} `meaning:"τ is the tolerance"`
	Single        int64    `column:"single" unit:"trajectories"`
	_             struct{} `meaning:"number of trajectories with two opposite clusters: all overlaps within"`
	_             struct{} `meaning:"the tolerance τ of ±1, at least one of them near -1"`
	Antipodal     int64    `column:"antipodal" unit:"trajectories"`
	_             struct{} `meaning:"number of trajectories in which at least one pair of tokens has an"`
	_             struct{} `meaning:"overlap ≤ -1+τ, where τ is the tolerance"`
	AntipodalPair int64    `column:"antipodal_pair" unit:"trajectories"`
	_             struct{} `meaning:"number of trajectories with neither a single cluster nor two opposite"`
	_             struct{} `meaning:"clusters"`
	Unclustered   int64    `column:"unclustered" unit:"trajectories"`
	_             struct{} `meaning:"fraction of the trajectories with a single cluster: single /"`
	_             struct{} `meaning:"trajectories"`
	PSingle       float64  `column:"p_single,nullable"`
	_             struct{} `meaning:"fraction of the trajectories with two opposite clusters: antipodal /"`
	_             struct{} `meaning:"trajectories"`
	PAntipodal    float64  `column:"p_antipodal,nullable"`
	_             struct{} `meaning:"fraction of the trajectories that are unclustered: unclustered /"`
	_             struct{} `meaning:"trajectories"`
	PUnclustered  float64  `column:"p_unclustered,nullable"`
	outcomes.Means
	theory.ThreeTokens
}

// Model is the name of a model with layers, as a column of the table.
type Model string

// Labels implements data.Labelled. The labels are the names of all models with layers.
func (Model) Labels() []string { return modelNames }

// counted returns the row of a cell at a time with the counts of a tally, as in the table of a shard.
func counted(cell sde.Cell, time float64, t outcomes.Tally) Row {
	r := data.NullRow[Row]()
	r.Model, r.Tokens, r.Dim = Model(cell.Model.String()), int32(cell.Tokens), int32(cell.Dim)
	r.Beta, r.Time, r.Trajectories, r.AntipodalPair = cell.Beta, time, t.Trajectories(), t.Pair
	r.Single, r.Antipodal, r.Unclustered = t.Each()
	r.Means = t.Means(r.Tokens)
	return r
}

// Tally implements outcomes.Counted.
func (r Row) Tally() outcomes.Tally {
	counts := outcomes.Counts(r.Single, r.Antipodal, r.Unclustered)
	return outcomes.Tally{Outcomes: counts, Pair: r.AntipodalPair, Bound: math.NaN(),
		Masses: r.Masses(r.Trajectories, r.Antipodal, r.Tokens)}
}

// estimated returns the row with the fractions that follow from its counts.
func (r Row) estimated() Row {
	r.PSingle, r.PAntipodal = r.fraction(r.Single), r.fraction(r.Antipodal)
	r.PUnclustered = r.fraction(r.Unclustered)
	return r
}

// fraction returns a count of trajectories as a fraction of all trajectories.
func (r Row) fraction(count int64) float64 { return float64(count) / float64(r.Trajectories) }

// cell identifies the cell of the grid to which a row of the table belongs.
type cell struct {
	model Model
	dim   int32
	beta  float64
}

func (r Row) cell() cell { return cell{r.Model, r.Dim, r.Beta} }

// evolution holds the rows of one cell of the grid in the order of time.
type evolution []Row

// first and last return the rows of a cell at the first and at the last time.
func (c evolution) first() Row { return c[0] }
func (c evolution) last() Row  { return c[len(c)-1] }

// evolutions groups the rows of a table by cell. The rows of a cell must be consecutive.
func evolutions(rows []Row) (all []evolution) {
	return lists.Map(run.Groups(rows, Row.cell), func(rows []Row) evolution { return rows })
}

// halfTime returns the first time at which at least half of the trajectories of a cell have clustered. The
// result is NaN if at no time half of the trajectories have clustered.
func (c evolution) halfTime() float64 {
	for _, r := range c {
		if 2*r.Unclustered <= r.Trajectories {
			return r.Time
		}
	}
	return math.NaN()
}

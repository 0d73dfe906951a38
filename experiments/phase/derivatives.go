package phase

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/experiments/theory"
	"antipode/experiments/wording"
	"antipode/overlap"
	"antipode/sde"
	"antipode/sde/response"
)

// DerivedRow is a row of the table with derivatives, of which those beside an MLP, several heads or a drift
// have the columns of BlockRow too.
type DerivedRow struct {
	BlockRow
	ByBeta  outcomes.Derivatives `column:"beta" meaning:"β"`
	BySigma outcomes.Derivatives `column:"sigma" meaning:"σ of values"`
	Simulated
}

// Simulated is the derivatives with respect to β that are simulated, each beside its theory.
type Simulated struct {
	_            struct{} `meaning:"derivative of P(antipodal) at this depth and horizon with respect to β,"`
	_            struct{} `meaning:"by the scores of simulated trajectories, others than those that are"`
	_            struct{} `meaning:"counted; null where they are not simulated: with other laws and"`
	_            struct{} `meaning:"matrices, beside an MLP or a drift, d above 64, β = 0, and where fewer"`
	_            struct{} `meaning:"than 20 trajectories are antipodal or fewer than 20 are not"`
	Antipodal    float64  `column:"dp_dbeta_simulated,nullable"`
	PStderr      float64  `column:"dp_dbeta_stderr,nullable" meaning:"standard error of dp_dbeta_simulated"`
	_            struct{} `meaning:"derivative of the mean overlap at this horizon with respect to β, at"`
	_            struct{} `meaning:"infinite depth, from the Fokker-Planck equation"`
	Theory       float64  `column:"overlap_dbeta_horizon,nullable"`
	_            struct{} `meaning:"the same at this depth, by the scores of these trajectories"`
	Overlap      float64  `column:"overlap_dbeta_simulated,nullable"`
	_            struct{} `meaning:"standard error of overlap_dbeta_simulated"`
	OverlapError float64  `column:"overlap_dbeta_stderr,nullable"`
}

// derivatives is the parameter of the derivatives.
func (p *Experiment) derivatives() parameter.Parameter {
	return parameter.Parameter{Name: "derivatives",
		Meaning: "adds the derivatives of the antipodal probability: with respect to β and σ from " +
			"theory, and with respect to β from simulation, with its standard error",
		Value: parameter.Switch{On: &p.Derivatives},
		Inapplicable: parameter.Unless(p.differentiable(), "they are not known with another interaction "+
			"than the identity, nor with a covariance beside an MLP, several heads or a drift; must be left "+
			"out beside them")}
}

// differentiable reports whether anything of the derivatives is known.
func (p *Experiment) differentiable() bool {
	return p.Interaction.Identity() && (p.beside().None() || p.Covariance.OrGinibre() == overlap.Ginibre)
}

// showsDerivatives reports whether derivatives are asked for, and apply.
func (p *Experiment) showsDerivatives() bool { return p.Derivatives && p.differentiable() }

// derivedColumns are those of DerivedRow, without those of BlockRow if nothing stands beside attention.
func (p *Experiment) derivedColumns() []data.Column {
	plain, block := len(data.ColumnsOf[Row]()), len(data.ColumnsOf[BlockRow]())
	columns := data.ColumnsOf[DerivedRow]()
	if p.beside().None() {
		columns = slices.Delete(columns, plain, block)
	}
	return columns
}

// runDerived is Run with derivatives.
func (p *Experiment) runDerived(
	ctx context.Context, options run.Options, ensemble *sde.Ensemble[outcomes.Decision], table data.Sink,
) error {
	criticals := &criticals{p: p, ctx: ctx, options: options, known: map[int]critical{}}
	var failed error
	job := compared(p, ensemble,
		func(cell sde.Cell, t outcomes.Tally) DerivedRow {
			r := data.NullRow[DerivedRow]()
			r.Row = counted(cell, t)
			return r
		},
		func(r DerivedRow, of theory.Point) DerivedRow {
			dim, beta := int(r.Dim), r.Beta
			r.BlockRow = r.BlockRow.estimated(of)
			at := criticals.of(dim)
			r.Critical, r.CriticalLow, r.CriticalHigh = at.Beta, at.Low, at.High
			r.ByBeta = outcomes.DerivativesOf(of.Derivatives[0])
			r.BySigma = outcomes.DerivativesOf(of.Derivatives[1])
			if failed == nil {
				r.Simulated, failed = p.simulated(ctx, options, dim, beta)
			}
			r.Theory = of.Derivatives[0].Overlap.Value
			return r
		})
	job.By = []overlap.Parameter{overlap.ByBeta, overlap.BySigma}
	err := job.Run(ctx, options, data.Selecting(table, data.ColumnsOf[DerivedRow](), p.Columns()))
	return cmp.Or(err, criticals.err, failed)
}

// leastSeen is how many trajectories of both kinds, antipodal or not, a derivative of the probability needs:
// its standard error is that of few otherwise.
const leastSeen = 20

// simulated estimates the derivatives of a cell; null where that is not done.
func (p *Experiment) simulated(
	ctx context.Context, options run.Options, dim int, beta float64,
) (s Simulated, err error) {
	s = data.NullRow[Simulated]()
	c := p.cell(dim, beta)
	if dim > largestGrowth || p.Method != sde.Chain || !p.beside().None() || !p.Interaction.Identity() ||
		p.Covariance.OrGinibre() != overlap.Ginibre || beta == 0 || p.Trajectories < 2 {
		return s, nil
	}
	layers, err := setting.Layers(p.Depth, p.Horizon)
	if err != nil {
		return s, err
	}
	r := &response.Transformer{Cell: c, Layers: layers, Trajectories: p.Trajectories, Tolerance: p.Tolerance,
		Seed: options.Seed, Workers: options.Workers}
	if r.Control, r.Stop, err = control(c, p.Tolerance, p.NoShortcuts); err != nil {
		return s, err
	}
	all, err := r.Run(ctx)
	if err != nil {
		return s, err
	}
	s.Overlap, s.OverlapError = all.ByBeta.Overlap.Value, all.ByBeta.Overlap.Error
	if fewest := min(all.Count, p.Trajectories-all.Count); fewest >= leastSeen {
		s.Antipodal, s.PStderr = all.ByBeta.Antipodal.Value, all.ByBeta.Antipodal.Error
	}
	return s, nil
}

// control is the probability to become antipodal from u in the limit, by a table, and where an overlap within
// the tolerance of an end has it so near to certain that what follows does not matter.
func control(c sde.Cell, tolerance float64, noShortcuts bool) (
	probability func(u float64) float64, stop func(u float64) bool, err error,
) {
	d, err := theory.Diffusion(c)
	if err != nil {
		return nil, nil, err
	}
	const farthest, perUnit = 12, 16
	table := make([]float64, 2*farthest*perUnit+1)
	for k := range table {
		limit, err := d.AntipodalFrom(math.Tanh(float64(k)/perUnit - farthest))
		if err != nil {
			return nil, nil, err
		}
		table[k] = limit.Value
	}
	last := len(table) - 1
	probability = func(u float64) float64 {
		x := max(0, min(float64(last), (u+farthest)*perUnit))
		k := min(int(x), last-1)
		return table[k] + float64((x-float64(k))*(table[k+1]-table[k]))
	}
	if noShortcuts || !(table[0] > 0 && table[last] < 1) {
		return probability, nil, nil
	}
	edge := max(math.Atanh(1-tolerance), 5)
	return probability, func(u float64) bool {
		p := probability(u)
		return u < -edge && 1-p < outcomes.LargestErrorBound || u > edge && p < outcomes.LargestErrorBound
	}, nil
}

// derivativeSentence says how far the simulated derivatives are from their theory; nothing if there are none.
func derivativeSentence(rows []DerivedRow) string {
	var outcome wording.Difference
	compared := 0
	for _, r := range rows {
		if at := r.ByBeta.Depth.Value; !math.IsNaN(at) && r.PStderr > 0 {
			outcome.Add(math.Abs(r.Simulated.Antipodal-at) / r.PStderr)
			compared++
		}
	}
	if compared == 0 {
		return ""
	}
	return fmt.Sprintf(" The simulated derivative of P(antipodal) with respect to β is within %.1f standard "+
		"errors of its theory.", outcome.Largest())
}

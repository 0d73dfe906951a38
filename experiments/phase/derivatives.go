package phase

import (
	"context"
	"fmt"
	"math"

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

// DerivedRow is a row of the table with all columns: those of BlockRow, and those of the derivatives with
// respect to β and σ.
type DerivedRow struct {
	BlockRow
	ByBeta  outcomes.Derivatives `column:"beta" meaning:"β"`
	_       struct{}             `meaning:"the standard deviation σ of the entries of value matrices"`
	BySigma outcomes.Derivatives `column:"sigma"`
	Simulated
}

// Simulated holds the simulated derivatives of the antipodal probability and of the mean overlap with respect
// to β, and their theory.
type Simulated struct {
	_            struct{} `meaning:"derivative of the antipodal probability at this depth and horizon with"`
	_            struct{} `meaning:"respect to β, by the scores (derivatives of the log-likelihood) of"`
	_            struct{} `meaning:"simulated trajectories, others than those that are counted; null for"`
	_            struct{} `meaning:"entries that are not gaussian or not independent, for random queries and"`
	_            struct{} `meaning:"keys, beside an MLP, several heads or a drift, for d above 64, for β ="`
	_            struct{} `meaning:"0, and where fewer than 20 trajectories are antipodal or fewer than 20"`
	_            struct{} `meaning:"are not"`
	ByBeta       float64  `column:"dp_dbeta_simulated,nullable"`
	ByBetaStderr float64  `column:"dp_dbeta_stderr,nullable" meaning:"standard error of dp_dbeta_simulated"`
	_            struct{} `meaning:"derivative of the mean overlap at this horizon with respect to β, at"`
	_            struct{} `meaning:"infinite depth, from the Fokker-Planck equation"`
	Theory       float64  `column:"overlap_dbeta_horizon,nullable"`
	_            struct{} `meaning:"derivative of the mean overlap at this depth and horizon with respect to"`
	_            struct{} `meaning:"β, by the scores (derivatives of the log-likelihood) of simulated"`
	_            struct{} `meaning:"trajectories; null where no such trajectories are simulated"`
	Overlap      float64  `column:"overlap_dbeta_simulated,nullable"`
	_            struct{} `meaning:"standard error of overlap_dbeta_simulated"`
	OverlapError float64  `column:"overlap_dbeta_stderr,nullable"`
}

// derivatives returns the parameter that adds the columns of derivatives to the table.
func (p *Experiment) derivatives() parameter.Parameter {
	return parameter.Parameter{Name: "derivatives",
		Meaning: "adds the derivatives of the antipodal probability: with respect to β and σ from " +
			"theory, and with respect to β from simulation, with its standard error",
		Value: parameter.Switch{On: &p.Derivatives},
		Inapplicable: parameter.Unless(p.differentiable(), "derivatives are not known with another "+
			"interaction than the identity, nor with a covariance beside an MLP, several heads or a "+
			"drift; must be left "+
			"out beside them")}
}

// differentiable reports whether any of the derivatives of the antipodal probability is available with the
// present parameters.
func (p *Experiment) differentiable() bool {
	return p.Interaction.Identity() && (p.beside().None() || p.Covariance.OrGinibre() == overlap.Ginibre)
}

// showsDerivatives reports whether the derivatives are both requested and available.
func (p *Experiment) showsDerivatives() bool { return p.Derivatives && p.differentiable() }

// setDerivatives sets the columns of derivatives of a row. The argument theories holds the theoretical
// derivatives with respect to β and to σ.
func (p *Experiment) setDerivatives(
	ctx context.Context, options run.Options, r *DerivedRow, theories []theory.Derivative,
) (err error) {
	r.ByBeta, r.BySigma = outcomes.DerivativesOf(theories[0]), outcomes.DerivativesOf(theories[1])
	r.Simulated, err = p.simulated(ctx, options, int(r.Dim), r.Beta)
	r.Theory = theories[0].Overlap.Value
	return err
}

// simulated estimates the derivatives with respect to β in the cell of the given dimension and β. The
// derivatives are null if they cannot be simulated.
func (p *Experiment) simulated(
	ctx context.Context, options run.Options, dim int, beta float64,
) (s Simulated, err error) {
	s = data.NullRow[Simulated]()
	c := p.cell(dim, beta)
	if dim > largestGrowth || p.Method != sde.Chain || !p.beside().None() || !p.Interaction.Identity() ||
		p.Covariance.OrGinibre() != overlap.Ginibre || beta == 0 || p.Trajectories < 2 {
		return s, nil
	}
	layers := setting.CheckedLayers(p.Depth, p.Horizon)
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
	if fewest := min(all.Count, p.Trajectories-all.Count); fewest >= outcomes.LeastSeen {
		s.ByBeta, s.ByBetaStderr = all.ByBeta.Antipodal.Value, all.ByBeta.Antipodal.Error
	}
	return s, nil
}

// control returns two functions of the present overlap tanh u of a pair of tokens. The function probability
// interpolates the probability that the pair becomes antipodal at infinite depth and horizon. The function
// stop reports whether the overlap is so close to 1, within the tolerance, that the outcome of the trajectory
// is practically certain. Beside overlap -1 no outcome is certain: there the probability of a single cluster
// falls like exp(u) at most.
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
		limit, err := d.AntipodalFrom(math.Tanh(float64(float64(k)/perUnit) - farthest))
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
	if noShortcuts || !(table[0] > 0) {
		return probability, nil, nil
	}
	edge := max(math.Atanh(1-tolerance), 5)
	return probability,
		func(u float64) bool { return u > edge && probability(u) < outcomes.LargestErrorBound }, nil
}

// derivativeSentence states how far the simulated derivatives are from the theoretical derivatives. The
// sentence is "" if no derivatives are simulated.
func derivativeSentence(rows []DerivedRow) string {
	var outcome wording.Difference
	compared := 0
	for _, r := range rows {
		if at := r.ByBeta.Depth.Value; !math.IsNaN(at) && r.ByBetaStderr > 0 {
			outcome.Add(math.Abs(r.Simulated.ByBeta-at) / r.ByBetaStderr)
			compared++
		}
	}
	if compared == 0 {
		return ""
	}
	return fmt.Sprintf(" The simulated derivative of P(antipodal) with respect to β is within %.1f standard "+
		"errors of its theory.", outcome.Largest())
}

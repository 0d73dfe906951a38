package rankcollapse

import (
	"context"
	"math"

	"antipode/data"
	"antipode/experiments/internal/networks"
	"antipode/experiments/run"
	"antipode/sde/network"
)

// matrices reports whether the table has matrices of the networks.
func (c *Experiment) matrices() bool { return c.simulates() && c.Save.Matrices() }

// saveMatrices writes the matrices of the networks of one ensemble after another to the table. If several
// ensembles have the same law, only one of them is written.
func (c *Experiment) saveMatrices(ctx context.Context, options run.Options, table data.Sink) error {
	var laws []network.Ensemble
	var settings []MatrixRow
	for _, p := range c.parts() {
		if p.classes > 0 { // the ensemble without a loss has the same law
			continue
		}
		laws = append(laws, network.Ensemble{Network: p.network, Networks: int(p.networks)})
		settings = append(settings, p.setting())
	}
	return networks.Save(ctx, c.Save, laws, options, "networks", table,
		func(law int, e networks.Entry) MatrixRow {
			row := settings[law]
			row.Entry = e
			return row
		})
}

// setting returns a row of the table of matrices that describes the networks of a part, without a matrix
// entry.
func (p part) setting() MatrixRow {
	r := rowOf(p.network, Correlation, p.residual)
	m := MatrixRow{
		Attention: r.Attention, Residual: r.Residual, MLP: r.MLP, Tokens: r.Tokens, Dim: r.Dim,
		KeyDim: r.KeyDim, Layers: r.Layers, Rho: r.Rho, Sigma: r.Sigma, Temperature: 1, Hidden: r.Hidden,
	}
	if p.temperature > 0 {
		m.Temperature = p.temperature
	}
	if p.network.Input == network.Embedded {
		m.Rho, m.Sigma = math.NaN(), math.NaN()
	}
	return m
}

// named returns the name of the law of the network to which a row belongs, and the matrix entry in the row.
func (c *Experiment) named(r MatrixRow) (name string, e networks.Entry) {
	return c.figure().matrix(r), r.Entry
}

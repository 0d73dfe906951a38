package gradients

import (
	"context"
	"fmt"

	"antipode/data"
	"antipode/experiments/internal/networks"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/sde/network"
)

// saveMatrices writes the matrices of the simulated networks to the table, for each size of networks one β
// after another.
func (g *Experiment) saveMatrices(ctx context.Context, options run.Options, table data.Sink) error {
	var laws []network.Ensemble
	var settings []MatrixRow
	for _, one := range g.sizes() {
		for _, beta := range g.Beta {
			laws = append(laws, one.ensemble(one.block(beta)))
			settings = append(settings, MatrixRow{Tokens: int32(one.Tokens), Dim: int32(one.Dim), Beta: beta})
		}
	}
	return networks.Save(ctx, g.Save, laws, options, "networks", table,
		func(law int, e networks.Entry) MatrixRow {
			row := settings[law]
			row.Entry = e
			return row
		})
}

// named returns the name of the law of the network to which a row belongs, and the matrix entry in the row.
func (g *Experiment) named(r MatrixRow) (name string, e networks.Entry) {
	name = "β = " + parameter.FormatReal(r.Beta)
	if g.Figure == lossFigure {
		name += fmt.Sprintf(", T = %d, d = %d", r.Tokens, r.Dim)
	}
	return name, r.Entry
}

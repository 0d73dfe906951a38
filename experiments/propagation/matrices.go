package propagation

import (
	"context"
	"encoding/json"
	"io"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/internal/networks"
	"antipode/experiments/run"
	"antipode/sde/network"
)

// saveMatrices writes the matrices of the simulated networks to the table, one curve after another.
func (p *Experiment) saveMatrices(
	ctx context.Context, read input, options run.Options, table data.Sink,
) error {
	blocks := p.blocks()
	var laws []network.Ensemble
	for _, b := range blocks {
		laws = append(laws, p.ensemble(b, read))
	}
	return networks.Save(ctx, p.Save, laws, options, "simulate", table,
		func(law int, e networks.Entry) MatrixRow {
			return MatrixRow{settingOf(blocks[law]), e}
		})
}

// named returns the name of the curve to which the matrix of a row belongs, and the matrix entry in the row.
func (p *Experiment) named(r MatrixRow) (name string, e networks.Entry) {
	return p.curveName(r.Setting), r.Entry
}

// drawMatrices plots the saved matrices of some curves.
func (p *Experiment) drawMatrices(table *data.Table) (*figure.Figure, error) {
	return networks.DrawSaved(p.Save, table, p.common()+", "+p.networks(), p.named)
}

// matrixJSON is a matrix of a simulated network in JSON, row by row.
type matrixJSON struct {
	Block    string      `json:"block"`
	Beta     float64     `json:"weight_beta"`
	AlphaSA  float64     `json:"alpha_sa"`
	SigmaW2  float64     `json:"sigma_w2"`
	Network  int32       `json:"network"`
	Sequence int32       `json:"sequence"`
	Layer    int32       `json:"layer"`
	Head     int32       `json:"head"`
	Matrix   [][]float64 `json:"matrix"`
}

// writeMatricesJSON writes a list of all saved matrices as JSON.
func writeMatricesJSON(w io.Writer, table *data.Table) error {
	rows, err := run.RowsOf[MatrixRow](table)
	if err != nil {
		return err
	}
	all := []matrixJSON{}
	var last MatrixRow
	for k, r := range rows {
		if k == 0 || r.matrix() != last.matrix() {
			all = append(all, matrixJSON{
				Block: r.Block.String(), Beta: r.Beta, AlphaSA: r.AlphaSA, SigmaW2: r.SigmaW2,
				Network: r.Network, Sequence: r.Sequence, Layer: r.Layer, Head: r.Head,
			})
			last.Token = 0
		}
		m := &all[len(all)-1].Matrix
		if r.Token != last.Token {
			*m = append(*m, nil)
		}
		line := &(*m)[len(*m)-1]
		*line, last = append(*line, r.Value), r
	}
	return json.NewEncoder(w).Encode(all)
}

// matrix returns the row without the fields that vary within a matrix, so that equal results belong to the
// same matrix.
func (r MatrixRow) matrix() MatrixRow {
	r.Token, r.Other, r.Value = 0, 0, 0
	return r
}

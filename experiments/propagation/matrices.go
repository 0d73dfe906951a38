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

// saveMatrices writes the matrices of the networks of one curve after the other.
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

// named is the name of a matrix's curve, and its entry.
func (p *Experiment) named(r MatrixRow) (name string, e networks.Entry) {
	return p.curveName(r.Setting), r.Entry
}

// drawMatrices draws those of some curves.
func (p *Experiment) drawMatrices(table *data.Table) (*figure.Figure, error) {
	return networks.DrawSaved(p.Save, table, "propagation", p.common(), p.named)
}

// matrixJSON is a matrix in JSON, row by row.
type matrixJSON struct {
	Block    string      `json:"block"`
	Beta     float64     `json:"beta"`
	AlphaSA  float64     `json:"alpha_sa"`
	SigmaW2  float64     `json:"sigma_w2"`
	Network  int32       `json:"network"`
	Sequence int32       `json:"sequence"`
	Layer    int32       `json:"layer"`
	Head     int32       `json:"head"`
	Matrix   [][]float64 `json:"matrix"`
}

// writeMatricesJSON writes a list of all matrices.
func writeMatricesJSON(w io.Writer, table *data.Table) error {
	rows, err := data.RowsOf[MatrixRow](table)
	if err != nil {
		return err
	}
	all := []matrixJSON{}
	for _, r := range rows {
		if r.Token == 1 && r.Other == 1 {
			all = append(all, matrixJSON{
				Block: r.Block.String(), Beta: r.Beta, AlphaSA: r.AlphaSA, SigmaW2: r.SigmaW2,
				Network: r.Network, Sequence: r.Sequence, Layer: r.Layer, Head: r.Head,
			})
		}
		m := &all[len(all)-1].Matrix
		if r.Other == 1 {
			*m = append(*m, nil)
		}
		(*m)[r.Token-1] = append((*m)[r.Token-1], r.Value)
	}
	return json.NewEncoder(w).Encode(all)
}

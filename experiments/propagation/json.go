package propagation

import (
	"encoding/json"
	"io"

	"antipode/data"
	"antipode/experiments/run"
	"antipode/internal/lists"
)

// WriteJSON writes a table of this experiment as JSON. A curve is an object with its parameters and a list of
// its layers. Several curves are a list of such objects.
func (*Experiment) WriteJSON(w io.Writer, table *data.Table) error {
	p := New()
	if err := run.ReadParameters(p, table); err != nil {
		return err
	}
	if p.matrices() {
		return writeMatricesJSON(w, table)
	}
	curves, err := readCurves(p, table)
	if err != nil {
		return err
	}
	all := lists.Map(curves, curve.json)
	if len(all) == 1 {
		return json.NewEncoder(w).Encode(all[0])
	}
	return json.NewEncoder(w).Encode(all)
}

// curveJSON is a curve in JSON: its parameters, and its layers.
type curveJSON struct {
	Block   string      `json:"block"`
	Beta    float64     `json:"weight_beta"`
	AlphaSA float64     `json:"alpha_sa"`
	SigmaW2 float64     `json:"sigma_w2"`
	Layers  []layerJSON `json:"layers"`
}

// layerJSON holds the norms and overlaps of tokens after a number of blocks, in JSON.
type layerJSON struct {
	Layer  int32    `json:"layer"`
	Q      float64  `json:"q"`
	P      float64  `json:"p"`
	Cosine float64  `json:"cosine"`
	BetaC  *float64 `json:"beta_c"`

	// The fields below are means over simulated networks and their standard errors. These fields are absent
	// if no networks are simulated.
	QSimulated      *float64 `json:"q_simulated,omitempty"`
	QStderr         *float64 `json:"q_stderr,omitempty"`
	PSimulated      *float64 `json:"p_simulated,omitempty"`
	PStderr         *float64 `json:"p_stderr,omitempty"`
	CosineSimulated *float64 `json:"cosine_simulated,omitempty"`
	CosineStderr    *float64 `json:"cosine_stderr,omitempty"`

	// The fields below are about causal attention, in simulated networks and in theory; q, p and cosine are
	// those of attention without a mask. Fields whose columns are null are absent.
	CosineFirst *float64 `json:"cosine_first,omitempty"`
	FirstStderr *float64 `json:"cosine_first_stderr,omitempty"`
	CosineLast  *float64 `json:"cosine_last,omitempty"`
	LastStderr  *float64 `json:"cosine_last_stderr,omitempty"`
	Causal      *float64 `json:"cosine_causal,omitempty"`
	CausalFirst *float64 `json:"cosine_causal_first,omitempty"`
	CausalLast  *float64 `json:"cosine_causal_last,omitempty"`
}

func (c curve) json() curveJSON {
	j := curveJSON{Block: c[0].Block.String(), Beta: c[0].Beta, AlphaSA: c[0].AlphaSA, SigmaW2: c[0].SigmaW2}
	known := data.FiniteOrNil
	for _, r := range c {
		j.Layers = append(j.Layers, layerJSON{
			Layer: r.Layer, Q: r.Q, P: r.P, Cosine: r.Cosine, BetaC: known(r.BetaC),
			QSimulated: known(r.QSimulated), QStderr: known(r.QStderr),
			PSimulated: known(r.PSimulated), PStderr: known(r.PStderr),
			CosineSimulated: known(r.CosineSimulated), CosineStderr: known(r.CosineStderr),
			CosineFirst: known(r.CosineFirst), FirstStderr: known(r.FirstStderr),
			CosineLast: known(r.CosineLast), LastStderr: known(r.LastStderr),
			Causal: known(r.Causal), CausalFirst: known(r.CausalFirst), CausalLast: known(r.CausalLast),
		})
	}
	return j
}

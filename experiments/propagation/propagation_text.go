package propagation

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"antipode/data"
	"antipode/experiments/columns"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/wording"
	"antipode/overlap/propagation"
)

// reason is an error of package propagation in the words of a person who chose the
// parameters.
func reason(err error) string {
	if errors.Is(err, propagation.ErrVanished) {
		return "the tokens become 0, which cannot be normalised; alpha-sa, alpha-mlp or start must be above 0"
	}
	return strings.TrimPrefix(err.Error(), "propagation: ") + "; must be smaller, or the layers fewer"
}

// propagationCurve is one curve of a table.
type propagationCurve struct {
	Block   string             `json:"block"`
	Beta    float64            `json:"beta"`
	AlphaSA float64            `json:"alpha_sa"`
	SigmaW2 float64            `json:"sigma_w2"`
	Layers  []propagationLayer `json:"layers"`
}

// propagationLayer is the geometry behind so many blocks.
type propagationLayer struct {
	Layer  int32    `json:"layer"`
	Q      float64  `json:"q"`
	P      float64  `json:"p"`
	Cosine float64  `json:"cosine"`
	BetaC  *float64 `json:"beta_c"`

	// Of simulated networks, absent without.
	QSimulated      *float64 `json:"q_simulated,omitempty"`
	QStderr         *float64 `json:"q_stderr,omitempty"`
	PSimulated      *float64 `json:"p_simulated,omitempty"`
	PStderr         *float64 `json:"p_stderr,omitempty"`
	CosineSimulated *float64 `json:"cosine_simulated,omitempty"`
	CosineStderr    *float64 `json:"cosine_stderr,omitempty"`
}

// known points to a number of a nullable column, nil for null.
func known(x float64) *float64 {
	if math.IsNaN(x) {
		return nil
	}
	return &x
}

func readPropagation(table *data.Table) (curves []propagationCurve, err error) {
	r := columns.Reader{Table: table}
	kind, layer := columns.Of[int8](&r, "block"), columns.Of[int32](&r, "layer")
	beta, alpha, sigmaW2 := columns.Of[float64](&r, "beta"), columns.Of[float64](&r, "alpha_sa"), columns.Of[float64](&r, "sigma_w2")
	q, p, cosine, betaC := columns.Of[float64](&r, "q"), columns.Of[float64](&r, "p"), columns.Of[float64](&r, "cosine"), columns.Of[float64](&r, "beta_c")
	get := func(name string) []float64 { return columns.Of[float64](&r, name) }
	qMean, qError, pMean, pError := get("q_simulated"), get("q_stderr"), get("p_simulated"), get("p_stderr")
	cosineMean, cosineError := get("cosine_simulated"), get("cosine_stderr")
	if r.Err != nil {
		return nil, r.Err
	}
	for k := range cosine {
		if layer[k] == 0 {
			curves = append(curves, propagationCurve{Block: propagation.KindNames[kind[k]], Beta: beta[k], AlphaSA: alpha[k], SigmaW2: sigmaW2[k]})
		}
		if len(curves) == 0 {
			return nil, errors.New("the table does not begin with layer 0")
		}
		l := propagationLayer{
			Layer: layer[k], Q: q[k], P: p[k], Cosine: cosine[k], BetaC: known(betaC[k]),
			QSimulated: known(qMean[k]), QStderr: known(qError[k]), PSimulated: known(pMean[k]), PStderr: known(pError[k]),
			CosineSimulated: known(cosineMean[k]), CosineStderr: known(cosineError[k]),
		}
		last := &curves[len(curves)-1]
		last.Layers = append(last.Layers, l)
	}
	if len(curves) == 0 {
		return nil, columns.ErrNoRows
	}
	return curves, nil
}

// WriteJSON writes a table of this experiment as JSON: an object for each curve, with its
// parameters and a list of its layers, alone or in a list.
func (*Propagation) WriteJSON(w io.Writer, table *data.Table) error {
	curves, err := readPropagation(table)
	if err != nil {
		return err
	}
	var content any = curves
	if len(curves) == 1 {
		content = curves[0]
	}
	return json.NewEncoder(w).Encode(content)
}

// Describe implements Experiment: a line for each curve.
func (*Propagation) Describe(w io.Writer, table *data.Table) error {
	p := NewPropagation()
	if err := run.ReadParameters(p, table); err != nil {
		return err
	}
	curves, err := readPropagation(table)
	if err != nil {
		return err
	}
	blocks := p.blocks()
	for k, c := range curves {
		last := c.Layers[len(c.Layers)-1]
		line := fmt.Sprintf("%s, β = %s, α = %s, σ_w² = %s: cosine %.6g behind %d %s", c.Block, parameter.FormatReal(c.Beta), parameter.FormatReal(c.AlphaSA),
			parameter.FormatReal(c.SigmaW2), last.Cosine, last.Layer, wording.Plural("layer", "layers", int64(last.Layer)))
		line += p.simulatedText(last)
		if k < len(blocks) {
			line += fixedText(blocks[k])
		}
		if condensed := c.condensed(); condensed > 0 {
			line += fmt.Sprintf("; attention is condensed in %d %s", condensed, wording.Plural("layer", "layers", int64(condensed)))
		}
		if _, err := fmt.Fprintln(w, line+"."); err != nil {
			return err
		}
	}
	return nil
}

// simulatedText is what networks give at the end of a curve.
func (p *Propagation) simulatedText(last propagationLayer) string {
	if p.Simulate == nil || last.CosineSimulated == nil {
		return ""
	}
	text := fmt.Sprintf(", in %d %s of dimension %d with %d tokens %.6g", *p.Simulate, wording.Plural("network", "networks", *p.Simulate),
		p.Dim, p.sequence(), *last.CosineSimulated)
	if last.CosineStderr != nil {
		text += fmt.Sprintf(" ± %.2g", *last.CosineStderr)
	}
	return text
}

// condensed counts the layers whose attention is above its critical β.
func (c *propagationCurve) condensed() (n int) {
	for _, l := range c.Layers[:len(c.Layers)-1] {
		if l.BetaC != nil && c.Beta > *l.BetaC {
			n++
		}
	}
	return n
}

// fixedText names the stable fixed points in the limit of many tokens.
func fixedText(b propagation.Block) (text string) {
	b.Tokens = math.Inf(1)
	m, err := propagation.NewMap(b)
	if err != nil {
		return ""
	}
	points, err := m.FixedPoints()
	if errors.Is(err, propagation.ErrGrowing) {
		return ", without a fixed point as the norm grows"
	}
	for _, f := range points {
		if f.Stable() {
			text += fmt.Sprintf(", stable fixed point %.6g with correlation depth %.4g", f.Cosine(), f.CorrelationDepth())
		}
	}
	return text
}

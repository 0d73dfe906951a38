package propagation

import (
	"math"

	"antipode/data"
	"antipode/experiments/internal/networks"
	"antipode/experiments/run"
	"antipode/overlap/propagation"
)

// Setting holds the parameters in which the curves of a table differ.
type Setting struct {
	Block   propagation.Kind `column:"block" meaning:"kind of block"`
	Beta    float64          `column:"weight_beta" formerly:"beta" meaning:"scale β of query and key weights"`
	AlphaSA float64          `column:"alpha_sa" meaning:"strength of attention's residual connection"`
	SigmaW2 float64          `column:"sigma_w2" meaning:"d times the variance of the MLP's weights, σ_w²"`
}

// settingOf returns the setting of the curve with the given block.
func settingOf(b propagation.Block) Setting {
	return Setting{Block: b.Kind, Beta: b.Beta, AlphaSA: b.AlphaSA, SigmaW2: b.SigmaW2}
}

// MatrixRow is a row of the table of matrices: an entry of a matrix of a simulated network.
type MatrixRow struct {
	Setting
	networks.Entry
}

// Row is a row of the table of experiment propagation: the norms and overlaps of tokens of one curve after a
// number of blocks.
type Row struct {
	Setting
	Layer           int32    `column:"layer" meaning:"blocks that the tokens have passed"`
	Q               float64  `column:"q" meaning:"squared norm of a token over d"`
	P               float64  `column:"p" meaning:"inner product of two tokens over d"`
	Cosine          float64  `column:"cosine" meaning:"cosine similarity of two tokens, p/q"`
	_               struct{} `meaning:"β above which the attention of the next block condenses, in the limit"`
	_               struct{} `meaning:"of many tokens; null where all tokens agree"`
	BetaC           float64  `column:"beta_c,nullable"`
	_               struct{} `meaning:"mean of q over simulated networks; null without"`
	QSimulated      float64  `column:"q_simulated,nullable"`
	_               struct{} `meaning:"its standard error; null without, and for a single network"`
	QStderr         float64  `column:"q_stderr,nullable"`
	PSimulated      float64  `column:"p_simulated,nullable" meaning:"mean of p over simulated networks"`
	PStderr         float64  `column:"p_stderr,nullable" meaning:"its standard error"`
	_               struct{} `meaning:"mean cosine of different tokens over simulated networks"`
	CosineSimulated float64  `column:"cosine_simulated,nullable"`
	CosineStderr    float64  `column:"cosine_stderr,nullable" meaning:"its standard error"`
	_               struct{} `meaning:"mean cosine among the first tokens, 50 or a quarter of fewer than"`
	_               struct{} `meaning:"200, over causal networks"`
	CosineFirst     float64  `column:"cosine_first,nullable"`
	FirstStderr     float64  `column:"cosine_first_stderr,nullable" meaning:"its standard error"`
	CosineLast      float64  `column:"cosine_last,nullable" meaning:"mean cosine among as many last tokens"`
	LastStderr      float64  `column:"cosine_last_stderr,nullable" meaning:"its standard error"`
	_               struct{} `meaning:"mean cosine by the theory of causal attention; null without, and"`
	_               struct{} `meaning:"with gain control"`
	Causal          float64  `column:"cosine_causal,nullable"`
	CausalFirst     float64  `column:"cosine_causal_first,nullable" meaning:"the same among the first tokens"`
	CausalLast      float64  `column:"cosine_causal_last,nullable" meaning:"the same among the last tokens"`
}

// curve holds the rows of one curve in the order of layers.
type curve []Row

// last returns the row of the last layer of the curve.
func (c curve) last() Row { return c[len(c)-1] }

// causal reports whether the curve has the theory of causal attention.
func (c curve) causal() bool { return !math.IsNaN(c.last().Causal) }

// readCurves sets the experiment to the parameters of a table and returns the curves of the table.
func readCurves(p *Experiment, table *data.Table) (curves []curve, err error) {
	rows, err := run.ReadRows[Row](p, table)
	if err != nil {
		return nil, err
	}
	for _, c := range run.Groups(rows, func(r Row) Setting { return r.Setting }) {
		curves = append(curves, c)
	}
	return curves, nil
}

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
	Block   propagation.Kind `column:"block" meaning:"kind of Transformer block"`
	_       struct{}         `meaning:"scale β of query and key weights, whose variance is β√log T/d for T"`
	_       struct{}         `meaning:"tokens of dimension d"`
	Beta    float64          `column:"weight_beta" formerly:"beta"`
	_       struct{}         `meaning:"strength α of the residual connection around attention"`
	AlphaSA float64          `column:"alpha_sa"`
	_       struct{}         `meaning:"variance of the MLP's weights times the dimension d, σ_w²"`
	SigmaW2 float64          `column:"sigma_w2"`
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
	Layer           int32    `column:"layer" meaning:"number of blocks that the tokens have passed"`
	_               struct{} `meaning:"squared norm of a token divided by its dimension d, in theory"`
	Q               float64  `column:"q"`
	_               struct{} `meaning:"inner product of two different tokens divided by their dimension d,"`
	_               struct{} `meaning:"in theory"`
	P               float64  `column:"p"`
	_               struct{} `meaning:"cosine similarity p/q of two different tokens, in theory; with a"`
	_               struct{} `meaning:"finite number of tokens and a weak residual connection, the mean"`
	_               struct{} `meaning:"cosine in networks is above this ratio of means, by a third for 64"`
	_               struct{} `meaning:"orthogonal tokens after a layer of attention alone at β = 1"`
	Cosine          float64  `column:"cosine"`
	_               struct{} `meaning:"critical scale β of query and key weights, above which attention in"`
	_               struct{} `meaning:"the next block condenses on few tokens, in the limit of many tokens;"`
	_               struct{} `meaning:"null where all tokens agree"`
	BetaC           float64  `column:"beta_c,nullable"`
	_               struct{} `meaning:"mean squared norm of a token divided by its dimension d, in simulated"`
	_               struct{} `meaning:"networks; null without simulation"`
	QSimulated      float64  `column:"q_simulated,nullable"`
	_               struct{} `meaning:"standard error of q_simulated; null without simulation, and for a"`
	_               struct{} `meaning:"single network"`
	QStderr         float64  `column:"q_stderr,nullable"`
	_               struct{} `meaning:"mean inner product of two different tokens divided by their dimension"`
	_               struct{} `meaning:"d, in simulated networks; null without simulation"`
	PSimulated      float64  `column:"p_simulated,nullable"`
	_               struct{} `meaning:"standard error of p_simulated; null without simulation, and for a"`
	_               struct{} `meaning:"single network"`
	PStderr         float64  `column:"p_stderr,nullable"`
	_               struct{} `meaning:"mean cosine of two different tokens in simulated networks; null"`
	_               struct{} `meaning:"without simulation"`
	CosineSimulated float64  `column:"cosine_simulated,nullable"`
	_               struct{} `meaning:"standard error of cosine_simulated; null without simulation, and for"`
	_               struct{} `meaning:"a single network"`
	CosineStderr    float64  `column:"cosine_stderr,nullable"`
	_               struct{} `meaning:"mean cosine of two different tokens among the first 50 tokens of a"`
	_               struct{} `meaning:"sequence (the first quarter if it has fewer than 200), in simulated"`
	_               struct{} `meaning:"networks with causal attention; null without such networks"`
	CosineFirst     float64  `column:"cosine_first,nullable"`
	_               struct{} `meaning:"standard error of cosine_first; null where cosine_first is null, and"`
	_               struct{} `meaning:"for a single network"`
	FirstStderr     float64  `column:"cosine_first_stderr,nullable"`
	_               struct{} `meaning:"mean cosine of two different tokens among the last 50 tokens of a"`
	_               struct{} `meaning:"sequence (the last quarter if it has fewer than 200), in simulated"`
	_               struct{} `meaning:"networks with causal attention; null without such networks"`
	CosineLast      float64  `column:"cosine_last,nullable"`
	_               struct{} `meaning:"standard error of cosine_last; null where cosine_last is null, and"`
	_               struct{} `meaning:"for a single network"`
	LastStderr      float64  `column:"cosine_last_stderr,nullable"`
	_               struct{} `meaning:"mean cosine of two different tokens in the theory of causal"`
	_               struct{} `meaning:"attention, from ratios of means as in the column cosine; null without"`
	_               struct{} `meaning:"causal attention, with gain control, and where this theory does not"`
	_               struct{} `meaning:"apply"`
	Causal          float64  `column:"cosine_causal,nullable"`
	_               struct{} `meaning:"mean cosine of two different tokens among the first 50 tokens of a"`
	_               struct{} `meaning:"sequence (the first quarter if it has fewer than 200), in the theory"`
	_               struct{} `meaning:"of causal attention; null where cosine_causal is null"`
	CausalFirst     float64  `column:"cosine_causal_first,nullable"`
	_               struct{} `meaning:"mean cosine of two different tokens among the last 50 tokens of a"`
	_               struct{} `meaning:"sequence (the last quarter if it has fewer than 200), in the theory"`
	_               struct{} `meaning:"of causal attention; null where cosine_causal is null"`
	CausalLast      float64  `column:"cosine_causal_last,nullable"`
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

package verify

import (
	"context"

	"antipode/experiments/phase"
	"antipode/experiments/theory"
	"antipode/overlap"
	uniform "antipode/overlap/collapse"
	"antipode/overlap/propagation"
	"antipode/sde"
	"antipode/sde/brownian"
	"antipode/sde/matrices"
	"antipode/sde/network"
)

// fixture holds what the measurement of a claim needs: the seed of its random numbers and the program under
// test.
type fixture struct {
	context context.Context
	seed    uint64
	subject
	unmerged bool    // whether coinciding tokens do not merge
	share    float64 // fraction of the usual number of samples in this look
	usual    int64   // sum of the usual numbers of samples of all calls of samples, for tests
}

// looks is the greatest number of times that a claim is measured. The entries of shares are the numbers of
// samples of the successive looks, divided by the usual number of samples.
const looks = 4

var shares = [looks]float64{0.125, 0.5, 2, 8}

// samples returns the number of samples of the present look, given the usual number. The result is at least
// 16, or the usual number if that is smaller. A share of 0 gives 2 samples, which decide nothing, but show
// what would be compared.
func (f *fixture) samples(usual int64) int64 {
	f.usual += usual
	if f.share == 0 {
		return min(usual, 2)
	}
	return max(int64(f.share*float64(usual)), min(usual, 16))
}

// subject is the program under test: the functions of this module that claims are about. Tests replace these
// functions by wrong ones.
type subject struct {
	// cell returns the cell that is simulated instead of the requested cell.
	cell func(c sde.Cell) sde.Cell
	// view returns the view of the tokens that observers get instead of the view of a cell.
	view func(v *sde.View) *sde.View
	// diffusion returns the theory of two tokens, as overlap.New does.
	diffusion func(
		dim int, beta float64, attention overlap.Attention, sigma float64,
	) (*overlap.Diffusion, error)
	// hybrid returns the theory of two tokens of the hybrid, as overlap.NewHybrid does. The next field, row,
	// returns the theory of a row of attention, as propagation.FiniteRow does.
	hybrid func(
		dim int, beta float64, attention overlap.Attention, epsilon float64,
	) (*overlap.Diffusion, error)
	row func(tokens, deviation float64) (propagation.Row, error)
	// block returns a replacement for a block of the theory of signal propagation, residual for its residual
	// branches, network for a simulated network, and training for a network with its task.
	block    func(b propagation.Block) propagation.Block
	residual func(r uniform.Residual) uniform.Residual
	network  func(n network.Network) network.Network
	training func(l trainingRun) trainingRun
	// matrices returns a replacement for a stack of random attention layers, and scores returns a replacement
	// for the standard deviation of the scores in sampled rows of attention.
	matrices func(n matrices.Network) matrices.Network
	scores   func(deviation float64) float64
	// figure3 returns the parameters of Fig. 3 of the clustering paper.
	figure3 func() *phase.Experiment
}

func same[T any](x T) T { return x }

// genuine is the program under test without any replacement.
var genuine = subject{
	cell: same[sde.Cell], view: same[*sde.View], diffusion: overlap.New, hybrid: overlap.NewHybrid,
	row: propagation.FiniteRow, block: same[propagation.Block], residual: same[uniform.Residual],
	network: same[network.Network], training: same[trainingRun], matrices: same[matrices.Network],
	scores: same[float64],
	figure3: func() *phase.Experiment {
		p := phase.New()
		p.Paper()
		return p
	},
}

// limitOf returns the theoretical diffusion of the overlap of two tokens under recursion (4).
func (f *fixture) limitOf(c sde.Cell) *overlap.Diffusion {
	return must(f.diffusion(c.Dim, c.Beta, theory.Attention(c.Attention), c.Model.(sde.Transformer).Sigma))
}

// normals returns a function that fills a slice of the given length with new independent standard normal
// numbers at every call. Different streams of a seed are independent.
func (f *fixture) normals(stream uint64, length int) func(dst []float64) {
	path := brownian.NewPath(f.seed, stream, 1, length)
	draw := int64(-1)
	return func(dst []float64) {
		draw++
		path.Increment(dst, draw, 0, 0)
	}
}

// The streams of normal numbers, one for each use in claims.
const (
	rowNumbers = iota + 1
	pairNumbers
	gradientNumbers
	scoreNumbers
	residualNumbers
	startNumbers
	valueNumbers
)

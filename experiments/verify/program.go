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

// fixture holds what a measurement needs: the seed of its random numbers and the program under test.
type fixture struct {
	context context.Context
	seed    uint64
	subject
	unmerged bool    // whether coinciding tokens do not merge
	share    float64 // fraction of the usual number of samples at this look
	usual    int64   // sum of the usual numbers of samples of all calls of samples, for tests
}

// looks is the greatest number of looks at a claim. The entries of shares are the numbers of samples that
// these looks take, divided by the usual number of samples.
const looks = 4

var shares = [looks]float64{0.125, 0.5, 2, 8}

// samples returns the number of samples of this look, given the usual number. The result is at least 16, or
// the usual number if that is smaller. A share of 0 is an exception: it gives 2 samples, which decide
// nothing, but show what would be compared.
func (f *fixture) samples(usual int64) int64 {
	f.usual += usual
	if f.share == 0 {
		return min(usual, 2)
	}
	return max(int64(f.share*float64(usual)), min(usual, 16))
}

// subject is the program under test. Tests put defects in it.
type subject struct {
	// cell returns the cell to simulate instead of the requested one.
	cell func(c sde.Cell) sde.Cell
	// view returns the view that observers get instead of a cell's view.
	view func(v *sde.View) *sde.View
	// diffusion is the theory of two tokens, overlap.New.
	diffusion func(
		dim int, beta float64, attention overlap.Attention, sigma float64,
	) (*overlap.Diffusion, error)
	// hybrid is the theory of two tokens of the hybrid, overlap.NewHybrid. The next field, row, is the theory
	// of a row of attention, propagation.FiniteRow.
	hybrid func(
		dim int, beta float64, attention overlap.Attention, epsilon float64,
	) (*overlap.Diffusion, error)
	row func(tokens, deviation float64) (propagation.Row, error)
	// block returns a replacement for a block of the theory, residual for residual branches of the theory,
	// and network for a network; training returns a replacement for a network with its task.
	block    func(b propagation.Block) propagation.Block
	residual func(r uniform.Residual) uniform.Residual
	network  func(n network.Network) network.Network
	training func(l trainingRun) trainingRun
	// matrices returns a replacement for a stack of random attention layers; scores returns a replacement for
	// the standard deviation of the scores in sampled rows.
	matrices func(n matrices.Network) matrices.Network
	scores   func(deviation float64) float64
	// figure3 returns the parameters of Fig. 3.
	figure3 func() *phase.Experiment
}

func same[T any](x T) T { return x }

// genuine is the program without defects.
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

// limitOf returns the theory of a pair of tokens under recursion (4).
func (f *fixture) limitOf(c sde.Cell) *overlap.Diffusion {
	return must(f.diffusion(c.Dim, c.Beta, theory.Attention(c.Attention), c.Model.(sde.Transformer).Sigma))
}

// normals returns a function that fills a slice of the given length with new independent standard normal
// numbers at every call. The streams of a seed are independent.
func (f *fixture) normals(stream uint64, length int) func(dst []float64) {
	path := brownian.NewPath(f.seed, stream, 1, length)
	draw := int64(-1)
	return func(dst []float64) {
		draw++
		path.Increment(dst, draw, 0, 0)
	}
}

// The streams of normal numbers.
const (
	rowNumbers = iota + 1
	pairNumbers
	gradientNumbers
	scoreNumbers
	residualNumbers
	startNumbers
	valueNumbers
)

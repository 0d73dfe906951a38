package train

import (
	"fmt"
	"io"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/internal/networks"
	"antipode/experiments/parameter"
	"antipode/experiments/wording"
	"antipode/internal/lists"
	"antipode/overlap/propagation"
	"antipode/sde/network"
)

// plane compares what networks have learned at each α and β with the theory of their initialisation, where α
// is the strength of attention's residual connection and β the scale of query and key weights. The theory is
// that of sequences of infinite length.
type plane struct {
	cells  []cell
	start  float64 // mean overlap of input tokens before training
	alphaC float64 // least α at which the final cosine of the theory is at most collapsed; NaN if none
}

// cell is a pair (α, β) with the results of training and the verdict of the theory.
type cell struct {
	alpha, beta float64
	learned     float64 // learned fraction of what can be learned
	rate        float64 // the learning rate with which most was learned
	betaC       float64 // least critical β of any layer; NaN if infinite
	verdict     propagation.Verdict
}

// collapsed is the cosine of tokens above which the theory treats them as equal.
const collapsed = 0.99

// validateMap returns an error if the settings do not form a map of α and β, or if the theory of
// initialisation does not cover the networks.
func (e *Experiment) validateMap() error {
	if !e.Map {
		return nil
	}
	for _, c := range []struct {
		bad bool
		why string
	}{
		{len(e.AlphaSA) < 2 || len(e.Beta) < 2, "several values of alpha-sa and of weight-beta"},
		{!slices.Contains(propagation.KindNames, e.kindName()) || !hasScale(e.Attention[0]) || e.Causal,
			"post-norm or pre-norm, and attention softmax or gain-controlled that is not causal"},
		{len(e.settings()) != len(e.AlphaSA)*len(e.Beta)*len(e.LearningRate),
			"one value of every list but those of alpha-sa, beta and learning-rate"},
		{e.MLP == noMLP || !slices.Contains(propagation.ActivationNames, e.MLP) || e.Branches[0] != 1 ||
			e.DepthScaling ||
			e.Share != shareNothing || e.Values[0] != network.GaussianValues.String(),
			"an MLP that the theory covers, branches of strength 1, nothing shared and gaussian values"},
		{math.IsNaN(learned(e.standIn(), e.Causal, 1)), "a task that can be learned, with a known best loss"},
	} {
		if c.bad {
			return parameter.Errorf("map", "true", "needs %s", c.why)
		}
	}
	return nil
}

// kindName returns the name of the kind of Transformer block in the theory of initialisation.
func (e *Experiment) kindName() string {
	if e.Attention[0] == gain {
		return "gain-" + e.Norm[0]
	}
	return e.Norm[0]
}

// block returns the Transformer block of the theory of initialisation for networks with the given α and β.
func (e *Experiment) block(alpha, beta float64) propagation.Block {
	value := e.SigmaV2[0]
	if e.Projection != nil {
		value *= *e.Projection
	}
	return propagation.Block{
		Kind: networks.KindOf(e.kindName()), Beta: beta, AlphaSA: alpha, AlphaMLP: e.AlphaMLP, SigmaV2: value,
		SigmaW2: e.SigmaW2, SigmaB2: e.SigmaB2, Activation: networks.ActivationOf(e.MLP), Tokens: math.Inf(1),
	}
}

// planeOf returns the map of α and β that the settings and rows of a table give.
func planeOf(e *Experiment, curves []*learningCurve, rows []Row) (*plane, error) {
	p := &plane{start: startOf(rows)}
	task := e.standIn()
	for _, c := range curves {
		share := 0.0
		for _, evaluations := range c.runs {
			if end := last(evaluations); end.Status != diverged && !math.IsNaN(end.ValidationLoss) {
				share += learned(task, e.Causal, end.ValidationLoss) / float64(len(c.runs))
			}
		}
		at := slices.IndexFunc(p.cells, func(x cell) bool {
			return x.alpha == c.AlphaSA[0] && x.beta == c.Beta[0]
		})
		if at < 0 {
			p.cells = append(p.cells, cell{alpha: c.AlphaSA[0], beta: c.Beta[0], learned: math.Inf(-1)})
			at = len(p.cells) - 1
		}
		if x := &p.cells[at]; share > x.learned {
			x.learned, x.rate = share, c.LearningRate[0]
		}
	}
	return p, p.addTheory(e)
}

// startOf returns the mean cosine of input tokens before the first step of training, over all runs.
func startOf(rows []Row) float64 {
	sum, count := 0.0, 0.0
	for _, r := range rows {
		if r.Layer == 0 && r.Step == 0 {
			sum, count = sum+r.Cosine, count+1
		}
	}
	return min(1, max(0, sum/count))
}

func (p *plane) addTheory(e *Experiment) error {
	state := propagation.State{Q: 1, P: p.start}
	for k := range p.cells {
		c := &p.cells[k]
		m, err := propagation.NewMap(e.block(c.alpha, c.beta))
		if err != nil {
			return err
		}
		signal, err := m.Signal(state, e.Layers[0])
		if err != nil {
			return err
		}
		c.verdict, c.betaC = signal.Verdict(c.beta, collapsed), data.FiniteOrNaN(signal.CriticalBeta)
	}
	alpha, exists, err := propagation.CriticalAlpha(e.block(0, 0), state, e.Layers[0], collapsed)
	if p.alphaC = alpha; !exists {
		p.alphaC = math.NaN()
	}
	return err
}

// learns reports whether the networks of a cell have learned at least half as much as those of the best cell.
func (p *plane) learns(c cell) bool {
	best := lists.Max(0.0, p.cells, func(x cell) float64 { return x.learned })
	return best > 0 && c.learned >= best/2
}

// disagree reports whether the theory and the training differ in whether the networks of a cell are
// trainable.
func (p *plane) disagree(c cell) bool { return p.learns(c) != (c.verdict == propagation.Trainable) }

// describe states for how many cells of the map the theory of initialisation and the training agree.
func (p *plane) describe(w io.Writer, e *Experiment) error {
	type verdicts struct{ trainable, learns bool } // answers of the theory and of the training
	counts := map[verdicts]int{}
	best := p.cells[0]
	for _, c := range p.cells {
		counts[verdicts{c.verdict == propagation.Trainable, p.learns(c)}]++
		if c.learned > best.learned {
			best = c
		}
	}
	right, wrong := counts[verdicts{true, true}], counts[verdicts{true, false}]
	others := counts[verdicts{false, true}]
	_, err := fmt.Fprintf(w, "%s, %s, %s, the best of %s: the largest learned "+
		"fraction is %.3g (α = %s, β = %s, rate %s).\nOf %s the theory of the initialisation calls %d "+
		"trainable; %d of these learn at least half of this fraction, and %d do not.\nOf the other %d cells "+
		"%d learn at least half of it. Tokens begin with the overlap %.3g; α_c = %s for a cosine of %g.\n",
		e.Task, wording.Count(e.Layers[0], "layer"), wording.Count(e.Steps, "step"),
		wording.Count(len(e.LearningRate), "learning rate"), max(0, best.learned),
		parameter.FormatReal(best.alpha), parameter.FormatReal(best.beta), parameter.FormatReal(best.rate),
		wording.Count(len(p.cells), "cell"),
		right+wrong, right, wrong, len(p.cells)-right-wrong, others, p.start,
		wording.Or(p.alphaC, "%.3g", "none"), collapsed)
	return err
}

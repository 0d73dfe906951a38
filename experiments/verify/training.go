package verify

import (
	"errors"
	"math"

	"antipode/overlap/propagation"
	"antipode/sde/network"
	"antipode/sde/training"
	"antipode/sde/training/tasks"
)

// Claims on training are statements about networks of the papers' sizes, judged at ours: each compares two
// networks over the same seeds, and holds if the difference has the stated sign for every seed. If the two
// do not differ it holds by chance with probability 2^-seeds, which the table has as false alarm.
var trainingClaims = []Claim{
	{
		"train-identity-values", Training, "Fig. 2 of clustering",
		"identity values lead to a larger validation loss than random ones",
		"a network that draws the same values whatever their law", trainIdentityValues,
	},
	{
		"train-rank-collapse", Training, "Fig. 1e of failure-modes",
		"below α_c networks learn less than above it",
		"a network that learns although its tokens are alike, as no theory says", trainRankCollapse,
	},
	{
		"train-entropy-collapse", Training, "Fig. 1e of failure-modes",
		"above β_c deep networks learn less than below it",
		"a scale of queries and keys that does not reach the network", trainEntropyCollapse,
	},
	{
		"train-frozen", Training, "Figs. 3, 8 of failure-modes",
		"far above β_c attention stays condensed and learns less; a low rate narrows the difference",
		"an entropy that is not that of the network that is trained", trainFrozen,
	},
	{
		"train-gain-control", Training, "Fig. 6 of failure-modes",
		"gain-controlled attention learns in 30 layers where the plain one does not",
		"a gradient that does not know of the mean that is taken away", trainGainControl,
	},
	{
		"train-collapsed-input", Training, "Fig. 6 of rank-collapse",
		"embeddings that are nearly alike hinder the learning of reversals",
		"embeddings whose overlap is not what it is said to be", trainCollapsedInput,
	},
	{
		"train-depth-scaling", Training, "Fig. 5 of rank-collapse",
		"branches divided by the root of depth help 12 layers learn reversals, by Adam and SGD",
		"a strength of branches that the network does not have", trainDepthScaling,
	},
	{
		"train-gap", Training, "Fig. 8a of mind-the-gap",
		"with Xavier's queries and keys, learning begins slower where the spectral gap is removed",
		"an attention whose mean is not taken away", trainGap,
	},
	{
		"train-value-scale", Training, "Fig. 8b of mind-the-gap",
		"beside a skip connection, values of variance 1/d lead to a larger loss than of variance 1",
		"a variance of values that does not reach the network", trainValueScale,
	},
}

// pairs is how many seeds a claim on training compares.
const pairs = 8

// paired says that a difference is above 0 for every seed.
func (r *report) paired(what string, differences []float64) {
	c := comparison{what: what + " (mean difference over seeds, above 0 for each)",
		holds: len(differences) > 0, falseAlarm: math.Pow(2, -float64(len(differences)))}
	for _, d := range differences {
		c.holds = c.holds && d > 0
	}
	if e := meanOf(differences, func(d float64) float64 { return d }); !math.IsInf(e.value, 0) {
		c.measured, c.stderr = e.value, e.stderr
	}
	r.add(c)
}

// lesson is a network, what it learns, and how.
type lesson struct {
	network network.Network
	task    func(seed uint64) (training.Task, error)
	method  training.Method
	// begin, if not nil, changes the network before the first step.
	begin func(t *network.Transformer)
}

// outcomes is what a lesson leaves, seed by seed. The losses of a network that diverges are infinite.
func (f *fixture) outcomes(l lesson) ([]training.Record, error) {
	var all []training.Record
	for k := range uint64(pairs) {
		task, err := l.task(f.seed + k)
		if err != nil {
			return nil, err
		}
		t, err := training.NewTrainer(f.network(l.network), task, l.method, f.seed+k, 1)
		if err != nil {
			return nil, err
		}
		if l.begin != nil {
			l.begin(t.Transformer())
		}
		for t.Step() < l.method.Steps && err == nil {
			if err = f.context.Err(); err != nil {
				return nil, err
			}
			err = t.Next()
		}
		o := t.Record()
		if errors.Is(err, training.ErrDiverged) {
			o.Loss, o.ValidationLoss = math.Inf(1), math.Inf(1)
		} else if err != nil {
			return nil, err
		}
		all = append(all, o)
	}
	return all, nil
}

// validationLoss is what is compared in most claims.
func validationLoss(o training.Record) float64 { return o.ValidationLoss }

// differences are those of a number of two lessons, seed by seed: worse less better.
func differences(worse, better []training.Record, number func(training.Record) float64) (d []float64) {
	for k := range worse {
		d = append(d, number(worse[k])-number(better[k]))
	}
	return d
}

// compareLessons says that the first lesson ends with a larger validation loss.
func (f *fixture) compareLessons(r *report, what string, worse, better lesson) error {
	a, err := f.outcomes(worse)
	if err != nil {
		return err
	}
	b, err := f.outcomes(better)
	if err != nil {
		return err
	}
	r.paired(what, differences(a, b, validationLoss))
	return nil
}

// adam is the method of most claims.
func adam(rate float64, steps int64, batch int) training.Method {
	return training.Method{
		Optimiser: training.Optimiser{Rule: training.AdamW, Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8,
			Decay: 0.01},
		Schedule: training.Schedule{Rate: rate, Warmup: steps / 20, Decline: training.LinearDecline},
		Steps:    steps, Batch: batch, Accumulate: 1, Clip: 1, Bound: 1e6, Validation: 256,
	}
}

// bert is a post-norm network of the paper's variances that learns masked symbols of a walk.
func bert(layers, dim, tokens int, alpha, beta, rate float64, steps int64) lesson {
	n := network.Network{
		Dim: dim, Layers: layers, Heads: 1, Norm: network.PostNorm, AlphaSA: alpha, AlphaMLP: 1,
		QueryKey2: beta * math.Sqrt(math.Log(float64(tokens))), Value2: 0.2, Hidden2: 0.2, Output2: 0.2,
		Bias2: 4e-4, Activation: network.ReLU,
	}
	return lesson{network: n, method: adam(rate, steps, 16), task: func(seed uint64) (training.Task, error) {
		walk, err := tasks.Walk(7, []int{-1, 1}, 0.05)
		if err != nil {
			return nil, err
		}
		return tasks.MaskedChain(walk, tokens, (15*tokens+50)/100, seed)
	}}
}

// trainIdentityValues is the attention-only network of clustering, (4), with 16 layers, d = 24.
func trainIdentityValues(f *fixture, r *report) error {
	const layers, dim = 16, 24
	random := lesson{
		network: network.Network{
			Dim: dim, Layers: layers, Heads: 1, Norm: network.PostNorm, AlphaSA: 1,
			BranchSA: 1 / math.Sqrt(layers), AttentionOnly: true, SharedKeys: true, QueryKey2: 1, Value2: dim,
		},
		method: adam(1e-3, 150, 32),
		task: func(seed uint64) (training.Task, error) {
			law := tasks.TextureLaw{Classes: 10, Strength: 4, Negative: 0.2}
			return tasks.NewTextures(law, 4000, 1000, seed)
		},
	}
	identity := random
	identity.network.Values, identity.network.Value2 = network.IdentityValues, 1
	identity.network.SharedValues = true
	return f.compareLessons(r, "loss with identity less with random values", identity, random)
}

// criticalAlpha is α_c of bert, of the same start that random words of the walk have.
func criticalAlpha(layers int) (float64, error) {
	b := propagation.Block{Kind: propagation.PostNorm, SigmaV2: 0.2, SigmaW2: 0.2, SigmaB2: 4e-4, AlphaMLP: 1,
		Activation: propagation.ReLU, Tokens: math.Inf(1)}
	alpha, _, err := propagation.CriticalAlpha(b, propagation.State{Q: 1, P: 0.06}, layers, 0.99)
	return alpha, err
}

func trainRankCollapse(f *fixture, r *report) error {
	const layers = 12
	alpha, err := criticalAlpha(layers)
	if err != nil {
		return err
	}
	return f.compareLessons(r, "loss at α = α_c/2 less at 5 α_c",
		bert(layers, 32, 32, alpha/2, 0.1, 2e-3, 300), bert(layers, 32, 32, 5*alpha, 0.1, 2e-3, 300))
}

func trainEntropyCollapse(f *fixture, r *report) error {
	const layers = 12
	alpha, err := criticalAlpha(layers)
	if err != nil {
		return err
	}
	return f.compareLessons(r, "loss at β = 3 less at 0.1", bert(layers, 32, 32, 5*alpha, 3, 2e-3, 300),
		bert(layers, 32, 32, 5*alpha, 0.1, 2e-3, 300))
}

// trainFrozen has a single layer, and two rates of a ratio of 5 as the paper's.
func trainFrozen(f *fixture, r *report) error {
	const layers, dim, tokens, steps = 1, 64, 64, 300
	entropy := func(o training.Record) float64 { return o.Layers[1].Entropy }
	var gaps [2][]float64
	for k, rate := range []float64{2.5e-3, 5e-4} {
		condensed, err := f.outcomes(bert(layers, dim, tokens, 1, 6, rate, steps))
		if err != nil {
			return err
		}
		spread, err := f.outcomes(bert(layers, dim, tokens, 1, 0.2, rate, steps))
		if err != nil {
			return err
		}
		if k == 0 {
			r.paired("entropy at β = 0.2 less at 6", differences(spread, condensed, entropy))
			r.paired("loss at β = 6 less at 0.2", differences(condensed, spread, validationLoss))
		}
		gaps[k] = differences(condensed, spread, validationLoss)
	}
	for k := range gaps[0] {
		gaps[0][k] -= gaps[1][k]
	}
	r.paired("difference of losses at rate 2.5e-3 less at 5e-4", gaps[0])
	return nil
}

func trainGainControl(f *fixture, r *report) error {
	vanilla := bert(30, 24, 32, 1, 0.1, 2e-3, 200)
	gain := vanilla
	gain.network.GainControl = true
	return f.compareLessons(r, "loss of plain less of gain-controlled attention", vanilla, gain)
}

// reversal is the toy example of rank-collapse.
func reversal(layers int, rule training.Rule, rate float64, steps int64) lesson {
	m := adam(rate, steps, 32)
	m.Optimiser.Rule, m.Optimiser.Decay, m.Schedule, m.Clip = rule, 0, training.Schedule{Rate: rate}, 0
	return lesson{
		network: network.Network{
			Dim: 16, Layers: layers, Heads: 1, Norm: network.PostNorm, AlphaSA: 1, AlphaMLP: 1, QueryKey2: 1,
			Value2: 1, Hidden2: 1, Output2: 1, Activation: network.ReLU,
		},
		method: m,
		task: func(seed uint64) (training.Task, error) {
			return tasks.Reverse{Digits: 20, Kinds: 10, Seed: seed}, nil
		},
	}
}

func trainCollapsedInput(f *fixture, r *report) error {
	collapsed := reversal(5, training.Adam, 0.01, 600)
	collapsed.begin = func(t *network.Transformer) { tasks.Collapse(t, 0.999, f.seed) }
	return f.compareLessons(r, "loss with overlap 0.999 less without", collapsed,
		reversal(5, training.Adam, 0.01, 600))
}

func trainDepthScaling(f *fixture, r *report) error {
	for _, c := range []struct {
		rule training.Rule
		rate float64
	}{{training.Adam, 0.003}, {training.SGD, 0.1}} {
		plain := reversal(12, c.rule, c.rate, 400)
		scaled := plain
		scaled.network.BranchSA, scaled.network.BranchMLP = 1/math.Sqrt(12), 1/math.Sqrt(12)
		what := c.rule.String() + ": loss less that with branches/√12"
		if err := f.compareLessons(r, what, plain, scaled); err != nil {
			return err
		}
	}
	return nil
}

// heaviside: isometric tokens are learned by attention alone; variances of weights are times dim.
func heaviside(queryKey2, value2, alpha, rate float64, gainControl bool, steps int64) lesson {
	const dim = 64
	m := adam(rate, steps, 10)
	m.Optimiser.Rule, m.Optimiser.Decay, m.Clip, m.Validation = training.Adam, 0, 0, 10
	m.Schedule = training.Schedule{Rate: rate}
	return lesson{
		network: network.Network{
			Dim: dim, Layers: 1, Heads: 1, Norm: network.NoNorm, AlphaSA: alpha, AttentionOnly: true,
			QueryKey2: queryKey2, Value2: value2, GainControl: gainControl,
		},
		method: m,
		task: func(seed uint64) (training.Task, error) {
			return tasks.NewHeaviside(dim, dim, 50, 10, seed)
		},
	}
}

// bestLosses are the least losses of training over three rates, seed by seed, as the paper takes them.
func (f *fixture) bestLosses(
	queryKey2, value2, alpha float64, gainControl bool, steps int64,
) ([]float64, error) {
	losses := make([]float64, pairs)
	for k, rate := range []float64{1e-2, 3e-2, 1e-1} {
		all, err := f.outcomes(heaviside(queryKey2, value2, alpha, rate, gainControl, steps))
		if err != nil {
			return nil, err
		}
		for seed, o := range all {
			if k == 0 || o.Loss < losses[seed] {
				losses[seed] = o.Loss
			}
		}
	}
	return losses, nil
}

func trainGap(f *fixture, r *report) error {
	const steps = 20
	removed, err := f.bestLosses(1, 1, 0, true, steps)
	if err != nil {
		return err
	}
	kept, err := f.bestLosses(1, 1, 0, false, steps)
	if err != nil {
		return err
	}
	for k := range removed {
		removed[k] -= kept[k]
	}
	r.paired("best loss after 20 steps without the gap less with it", removed)
	return nil
}

func trainValueScale(f *fixture, r *report) error {
	const dim, steps = 64, 60
	small, err := f.bestLosses(dim, 1, 1, false, steps)
	if err != nil {
		return err
	}
	large, err := f.bestLosses(dim, dim, 1, false, steps)
	if err != nil {
		return err
	}
	for k := range small {
		small[k] -= large[k]
	}
	r.paired("best loss with values of variance 1/d less of variance 1", small)
	return nil
}

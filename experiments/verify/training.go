package verify

import (
	"errors"
	"math"
	"slices"

	"antipode/internal/lists"
	"antipode/overlap/propagation"
	"antipode/sde/network"
	"antipode/sde/training"
	"antipode/sde/training/tasks"
)

// Claims on training are statements about networks of the papers' sizes, tested on smaller networks. Each
// claim on training compares two networks over the same seeds. The claim holds if the difference has the
// stated sign for every seed, differs if the difference has the opposite sign for every seed, and is
// undecided otherwise. If the two networks do not differ, the claim holds by chance with probability
// 2^-seeds, which the table gives as the false alarm.
var trainingClaims = []Claim{
	{
		"train-identity-values", Training, "Fig. 2 of clustering",
		"identity values lead to a loss above that of variance 1/d, and below that of variance 1",
		"a network that draws the same values whatever their law", trainIdentityValues,
	},
	{
		"train-rank-collapse", Training, "Fig. 1e of failure-modes",
		"below α_c networks learn less than above it",
		"a network that learns although its tokens are alike", trainRankCollapse,
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
		"a gradient that ignores that the mean is subtracted", trainGainControl,
	},
	{
		"train-collapsed-input", Training, "Fig. 6 of rank-collapse",
		"embeddings that are nearly alike delay reversals at the rate 0.01, compared with 0.003",
		"embeddings with another overlap than the given one", trainCollapsedInput,
	},
	{
		"train-depth-scaling", Training, "Fig. 5 of rank-collapse",
		"branches divided by the root of depth help 12 layers learn reversals, by Adam",
		"a strength of branches that the network does not have", trainDepthScaling,
	},
	{
		"train-depth-scaling-sgd", Training, "Fig. 5 of rank-collapse",
		"branches divided by the root of depth help 12 layers learn reversals, by SGD",
		"a learning rate that does not reach SGD, which then learns nothing", trainDepthScalingSGD,
	},
	{
		"train-gap", Training, "Fig. 8a of mind-the-gap",
		"with Xavier's queries and keys, learning begins slower where the spectral gap is removed",
		"attention whose mean is not subtracted", trainGap,
	},
	{
		"train-value-scale", Training, "Fig. 8b of mind-the-gap",
		"beside a skip connection, values of variance 1/d lead to a larger loss than of variance 1",
		"a variance of values that does not reach the network", trainValueScale,
	},
}

// pairs is the number of seeds over which a claim on training compares two networks.
const pairs = 8

// larger tests that a number is larger for the first of two networks than for the second, for every seed.
func (r *report) larger(what string, first, second []float64) {
	difference := differences(first, second)
	c := comparison{what: what + " (mean difference over seeds, above 0 for each)",
		verdict: signs(difference), falseAlarm: math.Pow(2, -float64(len(difference)))}
	if e := meanOf(difference, identity); !math.IsInf(e.value, 0) {
		c.measured, c.stderr = e.value, e.stderr
	}
	r.add(c)
}

// signs returns the verdict on differences that should all be positive. The verdict is holds if all
// differences are positive, fails if all are negative, and undecided otherwise.
func signs(differences []float64) verdict {
	above, below := 0, 0
	for _, d := range differences {
		switch {
		case d > 0:
			above++
		case d < 0:
			below++
		}
	}
	return decide(below == len(differences), above == len(differences))
}

// differences returns the differences of two lists of numbers, first minus second.
func differences(first, second []float64) []float64 {
	all := slices.Clone(first)
	for k, x := range second {
		all[k] -= x
	}
	return all
}

// trainingRun is a network, the task that it learns, and the method of training.
type trainingRun struct {
	network network.Network
	task    func(seed uint64) (training.Task, error)
	method  training.Method
	// begin, if not nil, changes the network of a seed before the first step of training.
	begin func(t *network.Transformer, seed uint64)
}

// outcomes trains the network of each seed and returns the results, seed by seed. The losses of a network
// that diverges are infinite.
func (f *fixture) outcomes(l trainingRun) []training.Record {
	var all []training.Record
	f.trainers(l, func(t *training.Trainer, l trainingRun) {
		all = append(all, f.train(t, l.method.Steps))
	})
	return all
}

// trainers creates the network of each seed and passes it to the function use, before the first step of
// training.
func (f *fixture) trainers(l trainingRun, use func(t *training.Trainer, l trainingRun)) {
	l = f.training(l)
	for seed := f.seed; seed < f.seed+pairs; seed++ {
		t := must(training.NewTrainer(f.network(l.network), must(l.task(seed)), l.method, seed, 1))
		if l.begin != nil {
			l.begin(t.Transformer(), seed)
		}
		use(t, l)
	}
}

// train takes the steps of a training run and returns its results.
func (f *fixture) train(t *training.Trainer, steps int64) training.Record {
	for t.Step() < steps {
		ensure(f.context.Err())
		if err := t.Next(); errors.Is(err, training.ErrDiverged) {
			o := t.Record()
			o.Loss, o.ValidationLoss = math.Inf(1), math.Inf(1)
			return o
		} else {
			ensure(err)
		}
	}
	return t.Record()
}

// losses returns the validation losses at the end of training, seed by seed.
func (f *fixture) losses(l trainingRun) []float64 { return validationLosses(f.outcomes(l)) }

func validationLosses(all []training.Record) (losses []float64) {
	return lists.Map(all, func(o training.Record) float64 { return o.ValidationLoss })
}

func entropies(all []training.Record) (entropies []float64) {
	return lists.Map(all, func(o training.Record) float64 { return o.Layers[1].Entropy })
}

// adam returns the method of training of most claims, with the optimiser AdamW.
func adam(rate float64, steps int64, batch int) training.Method {
	return training.Method{
		Optimiser: training.Optimiser{Rule: training.AdamW, Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8,
			Decay: 0.01},
		Schedule: training.Schedule{Rate: rate, Warmup: steps / 20, Decline: training.LinearDecline},
		Steps:    steps, Batch: batch, Accumulate: 1, Clip: 1, Bound: 1e6, Validation: 256,
	}
}

// bert returns a post-norm network with the paper's variances that learns masked symbols of a random walk.
func bert(layers, dim, tokens int, alpha, beta, rate float64, steps int64) trainingRun {
	n := network.Network{
		Dim: dim, Layers: layers, Heads: 1, Norm: network.PostNorm, AlphaSA: alpha, AlphaMLP: 1,
		QueryKey2: beta * math.Sqrt(math.Log(float64(tokens))), Value2: 0.2, Hidden2: 0.2, Output2: 0.2,
		Bias2: 4e-4, Activation: network.ReLU,
	}
	return trainingRun{network: n, method: adam(rate, steps, 16), task: maskedWalk(tokens)}
}

// trainIdentityValues uses the attention-only network (4) of the clustering paper, with 16 layers and d = 24,
// which learns masked symbols of a random walk. Every example of the training is new.
func trainIdentityValues(f *fixture, r *report) {
	const layers, dim, tokens = 16, 24, 32
	random := trainingRun{
		network: network.Network{
			Dim: dim, Layers: layers, Heads: 1, Norm: network.PostNorm, AlphaSA: 1,
			BranchSA: 1 / math.Sqrt(layers), AttentionOnly: true, SharedKeys: true, QueryKey2: 1, Value2: 1,
		},
		method: adam(3e-3, 600, 16),
		task:   maskedWalk(tokens),
	}
	identity, variance1 := random, random
	identity.network.Values, identity.network.SharedValues = network.IdentityValues, true
	variance1.network.Value2 = dim
	small, one, large := f.losses(random), f.losses(identity), f.losses(variance1)
	r.larger("loss with the identity less with values of variance 1/d", one, small)
	r.larger("loss with values of variance 1 less with the identity", large, one)
}

// maskedWalk returns a task in which 15 % of the symbols of a random walk are masked.
func maskedWalk(tokens int) func(seed uint64) (training.Task, error) {
	return func(seed uint64) (training.Task, error) {
		walk := must(tasks.Walk(7, []int{-1, 1}, 0.05))
		return tasks.MaskedChain(walk, tokens, (15*tokens+50)/100, seed)
	}
}

// criticalAlpha returns the critical strength α_c of the residual connection of the networks of bert, for the
// overlap that random symbols of the walk have at the input.
func criticalAlpha(layers int) float64 {
	b := propagation.Block{Kind: propagation.PostNorm, SigmaV2: 0.2, SigmaW2: 0.2, SigmaB2: 4e-4, AlphaMLP: 1,
		Activation: propagation.ReLU, Tokens: math.Inf(1)}
	alpha, _, err := propagation.CriticalAlpha(b, propagation.State{Q: 1, P: 0.06}, layers, 0.99)
	ensure(err)
	return alpha
}

func trainRankCollapse(f *fixture, r *report) {
	const layers = 12
	alpha := criticalAlpha(layers)
	r.larger("loss at α = α_c/2 less at 5 α_c", f.losses(bert(layers, 32, 32, alpha/2, 0.1, 2e-3, 300)),
		f.losses(bert(layers, 32, 32, 5*alpha, 0.1, 2e-3, 300)))
}

func trainEntropyCollapse(f *fixture, r *report) {
	const layers = 12
	alpha := criticalAlpha(layers)
	r.larger("loss at β = 3 less at 0.1", f.losses(bert(layers, 32, 32, 5*alpha, 3, 2e-3, 300)),
		f.losses(bert(layers, 32, 32, 5*alpha, 0.1, 2e-3, 300)))
}

// trainFrozen compares networks of a single layer at two learning rates, the larger 5 times the smaller, as
// in the paper.
func trainFrozen(f *fixture, r *report) {
	const layers, dim, tokens, steps = 1, 64, 64, 300
	var gaps [2][]float64
	for k, rate := range []float64{2.5e-3, 5e-4} {
		condensed := f.outcomes(bert(layers, dim, tokens, 1, 6, rate, steps))
		spread := f.outcomes(bert(layers, dim, tokens, 1, 0.2, rate, steps))
		if k == 0 {
			r.larger("entropy at β = 0.2 less at 6", entropies(spread), entropies(condensed))
			r.larger("loss at β = 6 less at 0.2", validationLosses(condensed), validationLosses(spread))
		}
		gaps[k] = differences(validationLosses(condensed), validationLosses(spread))
	}
	r.larger("difference of losses at rate 2.5e-3 less at 5e-4", gaps[0], gaps[1])
}

func trainGainControl(f *fixture, r *report) {
	vanilla := bert(30, 24, 32, 1, 0.1, 2e-3, 200)
	gain := vanilla
	gain.network.GainControl = true
	r.larger("loss of plain less of gain-controlled attention", f.losses(vanilla), f.losses(gain))
}

// reversal returns the toy example of the rank-collapse paper, the reversal of a sequence, with the network
// of the corresponding figure of this program.
func reversal(layers int, rule training.Rule, rate float64, steps int64) trainingRun {
	m := adam(rate, steps, 32)
	m.Optimiser.Rule, m.Optimiser.Decay, m.Schedule, m.Clip = rule, 0, training.Schedule{Rate: rate}, 0
	return trainingRun{
		network: network.Network{
			Dim: 16, Layers: layers, Heads: 1, Norm: network.PostNorm, AlphaSA: 1, AlphaMLP: 1, QueryKey2: 1,
			Value2: 1, Hidden2: 1, Output2: 1, Activation: network.ReLU,
			LayerNorm: network.LayerNorm{Centred: true, Affine: true, Epsilon: 1e-5},
		},
		method: m,
		task: func(seed uint64) (training.Task, error) {
			return tasks.Reverse{Digits: 20, Kinds: 10, Seed: seed}, nil
		},
	}
}

// trainCollapsedInput compares how soon networks learn at the paper's learning rate, 0.01, and at the rate
// 0.003. Most networks with overlapping input tokens do not learn at the larger rate. All networks without
// overlap learn at both rates. At a single rate the effect of overlap does not have the same sign for all
// seeds: at 0.01 a few networks learn in spite of the overlap, and at 0.003 most networks learn sooner.
func trainCollapsedInput(f *fixture, r *report) {
	var delays [2][]float64 // delays without and with overlap of the input
	for k := range delays {
		at := func(rate float64) []float64 {
			l := reversal(5, training.Adam, rate, 2000)
			if k == 1 {
				l.begin = func(t *network.Transformer, seed uint64) { tasks.Collapse(t, 0.999, seed) }
			}
			return f.stepsToLearn(l, 1)
		}
		delays[k] = differences(at(0.01), at(0.003))
	}
	r.larger("steps to a loss below 1 at rate 0.01 less at 0.003, with overlap 0.999 less without", delays[1],
		delays[0])
}

// stepsToLearn returns, seed by seed, the number of steps of training until the validation loss is below a
// value. The loss is checked every 50 steps. If the loss never falls below the value or the network diverges,
// the result is the number of all steps plus 50.
func (f *fixture) stepsToLearn(l trainingRun, below float64) (steps []float64) {
	const every = 50
	f.trainers(l, func(t *training.Trainer, l trainingRun) {
		taken := l.method.Steps + every
		for t.Step() < l.method.Steps {
			loss := f.train(t, min(t.Step()+every, l.method.Steps)).ValidationLoss
			if loss < below {
				taken = t.Step()
			}
			if loss < below || math.IsInf(loss, 1) {
				break
			}
		}
		steps = append(steps, float64(taken))
	})
	return steps
}

func trainDepthScaling(f *fixture, r *report) {
	plain, scaled := scaledBranches(training.Adam, 0.003, 400)
	r.larger("loss less that with branches/√12", f.losses(plain), f.losses(scaled))
}

// trainDepthScalingSGD compares networks with and without scaled branches under SGD, each at the better of
// two learning rates. trainDepthScalingSGD takes more steps than with Adam, as both networks start slowly.
func trainDepthScalingSGD(f *fixture, r *report) {
	var best [2][]float64
	for _, rate := range []float64{0.1, 0.3} {
		plain, scaled := scaledBranches(training.SGD, rate, 1500)
		for k, l := range []trainingRun{plain, scaled} {
			best[k] = leastOf(best[k], f.losses(l))
		}
	}
	r.larger("best loss less that with branches/√12", best[0], best[1])
}

// scaledBranches returns training runs of networks of 12 layers with residual branches of strength 1 (plain),
// and of strength 1/√12 (scaled).
func scaledBranches(rule training.Rule, rate float64, steps int64) (plain, scaled trainingRun) {
	plain = reversal(12, rule, rate, steps)
	scaled = plain
	scaled.network.BranchSA, scaled.network.BranchMLP = 1/math.Sqrt(12), 1/math.Sqrt(12)
	return plain, scaled
}

// leastOf returns the smaller of two losses for each seed. If best is empty, leastOf returns losses.
func leastOf(best, losses []float64) []float64 {
	for k := range best {
		losses[k] = min(best[k], losses[k])
	}
	return losses
}

// heaviside returns a training run in which attention alone learns isometric tokens. The given variances of
// weights are multiplied by dim.
func heaviside(queryKey2, value2, alpha, rate float64, gainControl bool, steps int64) trainingRun {
	const dim = 64
	m := adam(rate, steps, 10)
	m.Optimiser.Rule, m.Optimiser.Decay, m.Clip, m.Validation = training.Adam, 0, 0, 10
	m.Schedule = training.Schedule{Rate: rate}
	return trainingRun{
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

// bestLosses returns the smallest training losses over three learning rates, seed by seed, as in the paper.
func (f *fixture) bestLosses(
	queryKey2, value2, alpha float64, gainControl bool, steps int64,
) (best []float64) {
	for _, rate := range []float64{1e-2, 3e-2, 1e-1} {
		all := f.outcomes(heaviside(queryKey2, value2, alpha, rate, gainControl, steps))
		best = leastOf(best, lists.Map(all, func(o training.Record) float64 { return o.Loss }))
	}
	return best
}

func trainGap(f *fixture, r *report) {
	const steps = 20
	r.larger("best loss after 20 steps without the gap less with it",
		f.bestLosses(1, 1, 0, true, steps), f.bestLosses(1, 1, 0, false, steps))
}

func trainValueScale(f *fixture, r *report) {
	const dim, steps = 64, 60
	r.larger("best loss with values of variance 1/d less of variance 1",
		f.bestLosses(dim, 1, 1, false, steps), f.bestLosses(dim, dim, 1, false, steps))
}

package train

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"antipode/experiments/parameter"
	"antipode/sde/network"
	"antipode/sde/training"
	"antipode/sphere/elementary"
)

// setting is what training runs that differ only in their seeds have in common: the network, the method and
// the task. Each list of the embedded experiment has one value.
type setting struct {
	Experiment
	network network.Network // with the sizes that the task requires
	method  training.Method
}

// settings returns the settings of the experiment: all combinations of values of its lists. From setting to
// setting, the last list varies most often.
func (e *Experiment) settings() []setting {
	one := []Experiment{*e}
	one = spread(one, func(s *Experiment) *[]int { return &s.Layers })
	one = spread(one, func(s *Experiment) *[]string { return &s.Norm })
	one = spread(one, func(s *Experiment) *[]string { return &s.Attention })
	for k := range one {
		if !hasScale(one[k].Attention[0]) {
			one[k].Beta = []float64{math.NaN()}
		}
	}
	one = spread(one, func(s *Experiment) *[]string { return &s.Values })
	for k := range one {
		if v := values(one[k].Values[0]); !v.scaled() {
			one[k].SigmaV2 = []float64{v.sigmaV2(e.Dim)}
		}
	}
	one = spread(one, func(s *Experiment) *[]float64 { return &s.AlphaSA })
	one = spread(one, func(s *Experiment) *[]float64 { return &s.Beta })
	one = spread(one, func(s *Experiment) *[]float64 { return &s.SigmaV2 })
	one = spread(one, func(s *Experiment) *[]float64 { return &s.Branches })
	for k := range one {
		if e.DepthScaling {
			one[k].Branches[0] /= math.Sqrt(float64(one[k].Layers[0]))
		}
	}
	one = spread(one, func(s *Experiment) *[]float64 { return &s.Overlap })
	one = spread(one, func(s *Experiment) *[]string { return &s.Optimiser })
	one = spread(one, func(s *Experiment) *[]float64 { return &s.LearningRate })
	settings := make([]setting, len(one))
	for k, s := range one {
		settings[k] = setting{Experiment: s, network: s.standIn().Fit(s.law()), method: s.method()}
	}
	return settings
}

// spread replaces each experiment by several experiments, one for each value of a list among its parameters.
func spread[T any](all []Experiment, list func(*Experiment) *[]T) (more []Experiment) {
	for _, e := range all {
		for _, value := range *list(&e) {
			one := e
			*list(&one) = []T{value}
			more = append(more, one)
		}
	}
	return more
}

// freeVariance is the variance of free scores for which the standard deviation of their exponentials equals
// the mean of the exponentials: σ_A = 1 in Mind the Gap, A.3. (The paper says that the scores are lognormal;
// then their exponentials would have no finite variance.)
const freeVariance = math.Ln2

// law returns the network of a setting, without the sizes that the task determines.
func (e *Experiment) law() network.Network {
	n := network.Network{
		Dim: int(e.Dim), Layers: e.Layers[0],
		Norm:    network.Placement(slices.Index(network.PlacementNames, e.Norm[0])),
		AlphaSA: e.AlphaSA[0], BranchSA: e.Branches[0],
		Heads: int(e.Heads), Causal: e.Causal, Uniform: e.Attention[0] == uniform,
		GainControl: e.Attention[0] == gain || e.Attention[0] == freeGain,
		TiedKeys:    e.Share == shareKeysTied && !isFree(e.Attention[0]), SharedKeys: e.Share != shareNothing,
		SharedValues: e.Share == shareAll,
		Value2:       e.SigmaV2[0], FinalNorm: e.FinalNorm,
	}
	if law := values(e.Values[0]).law(); law == sharedIdentity {
		n.Values, n.SharedValues = network.IdentityValues, true
	} else {
		n.Values = network.ValueLaw(slices.Index(network.ValueLawNames, law))
	}
	// A parameter of the network that has no effect is 0, because the random numbers of a network depend on
	// all its parameters.
	switch attention := e.Attention[0]; {
	case hasScale(attention):
		n.QueryKey2 = e.Beta[0] * math.Sqrt(elementary.Log(e.length()))
	case attention == identity:
		n.Attention = network.FreeWeights
	case isFree(attention):
		n.Attention, n.QueryKey2 = network.FreeScores, freeVariance
	}
	if n.Norm != network.NoNorm || n.FinalNorm {
		n.LayerNorm = network.LayerNorm{
			Centred: e.LayerNorm != rms, Affine: e.LayerNorm == affine, Epsilon: 1e-5,
		}
	}
	if e.Projection != nil {
		n.Projection, n.Projection2 = true, *e.Projection
		n.Projections = network.ValueLaw(slices.Index(network.ValueLawNames, e.ProjectionLaw))
	}
	if n.AttentionOnly = e.MLP == noMLP; !n.AttentionOnly {
		n.Activation = network.Activation(slices.Index(network.ActivationNames, e.MLP))
		n.AlphaMLP, n.BranchMLP = e.AlphaMLP, e.Branches[0]
		n.Width, n.Hidden2, n.Output2, n.Bias2 = int(e.Width), e.SigmaW2, e.SigmaW2, e.SigmaB2
	}
	return n
}

// method returns how the network of a setting is trained.
func (e *Experiment) method() training.Method {
	return training.Method{
		Optimiser: training.Optimiser{
			Rule:     training.Rule(slices.Index(training.RuleNames, e.Optimiser[0])),
			Momentum: e.Momentum, Beta1: e.Beta1, Beta2: e.Beta2, Epsilon: e.Epsilon, Decay: e.Decay,
		},
		Schedule: training.Schedule{Rate: e.LearningRate[0], Warmup: e.Warmup,
			Decline: training.Decline(slices.Index(training.DeclineNames, e.Schedule))},
		Steps: e.Steps, Batch: int(e.Batch), Accumulate: int(e.Accumulate), Clip: e.Clip,
		Smoothing: e.Smoothing, Bound: e.Bound,
		Dropout: network.Dropout{Embedding: e.Dropout, Attention: e.attentionDropout(), MLP: e.MLPDropout,
			Branch: e.Dropout},
		ScoreWarmup: e.ScoreWarmup,
		Strengths:   training.Strengths(slices.Index(training.StrengthsNames, e.Strengths)),
		Validation:  int(e.Validation),
	}
}

// attentionDropout returns the dropout probability of the attention weights, which is the general dropout
// probability unless another one is given.
func (e *Experiment) attentionDropout() float64 {
	if e.AttentionDropout != nil {
		return *e.AttentionDropout
	}
	return e.Dropout
}

// validate returns an error for an invalid network or training method of a setting.
func (s *setting) validate() error {
	if s.Dim%s.Heads != 0 {
		return parameter.Errorf("heads", s.Heads, "must divide the dimension, %d", s.Dim)
	}
	if err := s.network.Validate(); err != nil {
		if problem, ok := strings.CutPrefix(err.Error(), fmt.Sprintf("tokens %d: ", s.Tokens)); ok {
			return parameter.Errorf("tokens", s.Tokens, "%s", problem)
		}
		return parameter.Errorf("dim", s.Dim, "%v", err)
	}
	return s.validateTask(source{})
}

// validateTask returns an error if the task of a setting is invalid on the given data.
func (s *setting) validateTask(data source) error {
	task, err := s.task(0, data)
	if err != nil {
		return err
	}
	for _, limit := range []struct {
		name, of string
		value    int64
		split    training.Split
	}{
		{"batch", "examples that are learned from", s.Batch, training.Train},
		{"validation", "validation examples", s.Validation, training.Validation},
	} {
		if n := task.Examples(limit.split); n > 0 && limit.value > n {
			return parameter.Errorf(limit.name, limit.value, "must be at most the number of %s, %d", limit.of,
				n)
		}
	}
	if err := s.method.Validate(task); err != nil {
		return parameter.Errorf("steps", s.Steps, "%v", err)
	}
	return nil
}

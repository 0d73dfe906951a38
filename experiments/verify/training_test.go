package verify

import (
	"math"
	"strings"
	"testing"

	"antipode/internal/longtest"
	"antipode/sde/network"
	"antipode/sde/training"
	"antipode/sde/training/tasks"
)

// A claim that one network exceeds another holds if all differences between them have that sign. If all have
// the other sign, a claim on training differs at this size, and any other claim fails; otherwise the claim is
// undecided.
func TestVerdictsOnPairs(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		set           string
		first, second []float64
		want          verdict
		alarm         float64
	}{
		{Training, []float64{1.1, 3, 1e-9}, []float64{1, 1, 0}, holds, 0.125},
		{Training, []float64{inf, 3, 1}, []float64{1, 1, 0}, holds, 0.125},
		{Training, []float64{1.1, 3, 1}, []float64{1, 1, 1}, undecided, 0.125},
		{Training, []float64{1.1, 3, 1}, []float64{1, 1, 1.01}, undecided, 0.125},
		{Training, []float64{1, 1, 0}, []float64{1.1, 3, 1e-9}, differs, 0.125},
		{Training, []float64{1.1, nan}, []float64{1, 1}, undecided, 0.25},
		{Training, []float64{1.1, inf}, []float64{1, inf}, undecided, 0.25},
		{Training, nil, nil, differs, 1},
		{Spectra, []float64{2, 1}, []float64{3, 3}, fails, 0.25},
		{Spectra, []float64{2, 1}, []float64{1, 3}, undecided, 0.25},
	} {
		var r report
		r.larger("x", c.first, c.second)
		result := r.result(Claim{Set: c.set})
		if result.Verdict != c.want || result.FalseAlarm != c.alarm {
			t.Errorf("%+v: %v, %v", c, result.Verdict, result.FalseAlarm)
		}
	}
	var r report
	r.larger("x", []float64{2, 4, 7}, []float64{1, 2, 1})
	if x := r.comparisons[0]; x.measured != 3 || !(x.stderr > 1.527 && x.stderr < 1.528) {
		t.Errorf("%+v", x)
	}
}

// Claims on training are measured only if they are asked for, as a set of their own.
func TestTrainingIsASetOfItsOwn(t *testing.T) {
	e := New()
	for _, c := range e.Claims() {
		if c.Set == Training {
			t.Errorf("%s is measured by default", c.ID)
		}
	}
	e.Sets = []string{Training}
	if n := len(e.Claims()); n != len(trainingClaims) {
		t.Errorf("%d claims on training", n)
	}
	e.Only = []string{"train-gap", "thm2-below"}
	if n := len(e.Claims()); n != 2 {
		t.Errorf("%d of 2 claims", n)
	}
	var text strings.Builder
	rows := []Row{
		{Source: "training, x", Verdict: holds, FalseAlarm: 0.25}, {Source: "training, y", Verdict: differs},
		{Source: "spectra, z", Verdict: holds, FalseAlarm: 1e-7},
		{ID: "first", Source: "spectra, u", Verdict: undecided, FalseAlarm: 2e-7},
		{ID: "second", Source: "spectra, v", Verdict: undecided},
		{Source: "spectra, w", Verdict: fails},
	}
	if err := Summarize(&text, rows); err != nil {
		t.Fatal(err)
	}
	want := "2 of 6 claims hold, 1 differs at this size. If all claims are true, the probability that " +
		"one fails by chance is at most 3e-07. Of networks that do not differ, a comparison on training " +
		"holds by chance with probability 0.0039.\n2 claims are undecided, as their samples ended, or " +
		"seeds disagree, before all comparisons were decided: first, second.\n"
	if text.String() != want {
		t.Errorf("%s", text.String())
	}
}

// A claim on training does not hold if the networks that it compares are made equal: their losses are then
// equal for every seed, after any number of steps.
func TestClaimsOnTrainingNeedADifference(t *testing.T) {
	longtest.Only(t)
	easy := func(seed uint64) (training.Task, error) { return tasks.NewHeaviside(64, 64, 2, 1, seed) }
	differences := map[string]func(l *trainingRun){
		"train-identity-values": func(l *trainingRun) {
			l.network.Values, l.network.Value2, l.network.SharedValues = network.GaussianValues, 1, false
		},
		"train-rank-collapse":     func(l *trainingRun) { l.network.AlphaSA = 1 },
		"train-entropy-collapse":  func(l *trainingRun) { l.network.QueryKey2 = 1 },
		"train-frozen":            func(l *trainingRun) { l.network.QueryKey2 = 1 },
		"train-gain-control":      func(l *trainingRun) { l.network.GainControl = false },
		"train-collapsed-input":   func(l *trainingRun) { l.begin = nil },
		"train-depth-scaling":     func(l *trainingRun) { l.network.BranchSA, l.network.BranchMLP = 0, 0 },
		"train-depth-scaling-sgd": func(l *trainingRun) { l.network.BranchSA, l.network.BranchMLP = 0, 0 },
		"train-gap":               func(l *trainingRun) { l.network.GainControl, l.task = false, easy },
		"train-value-scale":       func(l *trainingRun) { l.network.Value2, l.task = 1, easy },
	}
	for _, c := range trainingClaims {
		made := genuine
		made.training = func(l trainingRun) trainingRun {
			differences[c.ID](&l)
			l.network.Layers, l.method.Steps, l.method.Batch, l.method.Validation = 1, 1, 1, 1
			return l
		}
		result, err := c.check(&fixture{context: t.Context(), seed: 1, subject: made})
		if err != nil || result.Verdict != undecided || result.Measured != 0 {
			t.Errorf("%s: %v, measured %v, %v", c.ID, result.Verdict, result.Measured, err)
		}
	}
}

// graded is a task whose loss hardly depends on the network, because all its targets are the same number.
type graded struct {
	*tasks.Heaviside
	target float64
}

func (g graded) Example(split training.Split, index int64, into *training.Example) {
	g.Heaviside.Example(split, index, into)
	for k := range into.Values.Data {
		into.Values.Data[k] = g.target
	}
}

// A claim on training holds if the losses are in the order that it states, and differs if they are in the
// opposite order. Here the networks are replaced by ones that do not learn and keep only β, and the losses
// are chosen by the targets.
func TestClaimsOnTrainingStateAnOrder(t *testing.T) {
	wide := math.Sqrt(math.Log(64)) // QueryKey2 of β = 1 with 64 tokens
	grades := map[string]func(l trainingRun) int{
		// The loss with the identity must be between those with random values of two variances.
		"train-identity-values": func(l trainingRun) int {
			return 2*toInt(l.network.Value2 > 1) + toInt(l.network.Values == network.IdentityValues)
		},
		"train-rank-collapse":    func(l trainingRun) int { return toInt(l.network.AlphaSA < 0.25) },
		"train-entropy-collapse": func(l trainingRun) int { return toInt(l.network.QueryKey2 > wide) },
		"train-frozen": func(l trainingRun) int {
			return toInt(l.network.QueryKey2 > wide) * (1 + toInt(l.method.Schedule.Rate > 1e-3))
		},
		"train-gain-control": func(l trainingRun) int { return toInt(!l.network.GainControl) },
		"train-collapsed-input": func(l trainingRun) int {
			return toInt(l.begin != nil && l.method.Schedule.Rate > 0.005)
		},
		"train-depth-scaling":     func(l trainingRun) int { return toInt(l.network.BranchSA == 0) },
		"train-depth-scaling-sgd": func(l trainingRun) int { return toInt(l.network.BranchSA == 0) },
		"train-gap":               func(l trainingRun) int { return toInt(l.network.GainControl) },
		"train-value-scale":       func(l trainingRun) int { return toInt(l.network.Value2 == 1) },
	}
	for _, c := range trainingClaims {
		for _, want := range []verdict{holds, differs} {
			made := genuine
			made.training = func(l trainingRun) trainingRun {
				grade := grades[c.ID](l)
				beta := l.network.QueryKey2
				if want == differs {
					grade, beta = 1-grade, 1/beta
				}
				l.network = network.Network{Dim: 16, Layers: 1, Heads: 1, Norm: network.NoNorm, AlphaSA: 1,
					AttentionOnly: true, QueryKey2: beta, Value2: 1e-6}
				l.method.Steps, l.method.Batch, l.method.Validation, l.begin = 1, 1, 1, nil
				l.task = func(seed uint64) (training.Task, error) {
					task, err := tasks.NewHeaviside(4, 16, 1, 1, seed)
					return graded{task, math.Trunc(math.Pow(3, float64(grade)))}, err // 0, 1, 3 or 9
				}
				return l
			}
			result, err := c.check(&fixture{context: t.Context(), seed: 1, subject: made})
			if err != nil || result.Verdict != want {
				t.Errorf("%s: %v, want %v; %s: %v, %v", c.ID, result.Verdict, want, result.What,
					result.Measured, err)
			}
		}
	}
}

func toInt(is bool) int {
	if is {
		return 1
	}
	return 0
}

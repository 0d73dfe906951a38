package verify

import (
	"fmt"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"

	"antipode/sde/network"
	"antipode/sde/training"
	"antipode/sde/training/tasks"
	"antipode/sphere"
)

// runsFile has a line for each training run of the claims on training: the claim, the network, the method of
// training, the task, and the overlap of tokens that the run begins with. Fields that are 0 are left out.
const runsFile = "testdata/training.txt"

// The claims on training train the networks that the file says, on the tasks and with the methods that it
// says. The runs themselves are replaced by ones of a single step of a tiny network.
func TestRunsOfClaimsOnTraining(t *testing.T) {
	var lines strings.Builder
	for _, c := range trainingClaims {
		made := genuine
		made.training = func(l trainingRun) trainingRun {
			fmt.Fprintf(&lines, "%s\t%s\n", c.ID, described(l))
			l.network = network.Network{Dim: 16, Layers: 1, Heads: 1, Norm: network.NoNorm, AlphaSA: 1,
				AttentionOnly: true, QueryKey2: 1, Value2: 1}
			l.method.Steps, l.method.Batch, l.method.Validation, l.begin = 1, 1, 1, nil
			l.task = func(seed uint64) (training.Task, error) { return tasks.NewHeaviside(4, 16, 1, 1, seed) }
			return l
		}
		must(c.check(&fixture{context: t.Context(), seed: 1, subject: made}))
	}
	if *update {
		ensure(os.WriteFile(runsFile, []byte(lines.String()), 0o644))
	}
	got, want := strings.Split(lines.String(), "\n"), strings.Split(string(must(os.ReadFile(runsFile))), "\n")
	if len(got) != len(want) {
		t.Fatalf("%d runs, not %d", len(got), len(want))
	}
	for k, line := range got {
		if line != want[k] {
			t.Errorf("%s\nnot %s", line, want[k])
		}
	}
}

// described returns the fields of a training run as a text.
func described(l trainingRun) string {
	task := must(l.task(1))
	text := fmt.Sprintf("network%s\tmethod%s\ttask%s, examples %d and %d", fields(l.network),
		fields(l.method), fields(task.Fit(network.Network{})), task.Examples(training.Train),
		task.Examples(training.Validation))
	if l.begin == nil {
		return text
	}
	trained := must(training.NewTrainer(l.network, task, l.method, 1, 1)).Transformer()
	l.begin(trained, 1)
	for _, p := range trained.Parameters {
		if p.Name == "embedding.word.weight" {
			a, b := p.Value[:p.Cols], p.Value[p.Cols:2*p.Cols]
			cosine := sphere.Dot(a, b) / math.Sqrt(sphere.Dot(a, a)*sphere.Dot(b, b))
			text += fmt.Sprintf("\t1 - cosine of the first two words %.3g", 1-cosine)
		}
	}
	return text
}

// fields returns the names and values of the fields of a struct that are not 0.
func fields(x any) (text string) {
	of := reflect.ValueOf(x)
	for k := range of.NumField() {
		value := of.Field(k)
		switch name := " " + of.Type().Field(k).Name; {
		case value.IsZero():
		case value.Kind() == reflect.Struct:
			text += name + " (" + fields(value.Interface())[1:] + ")"
		case value.Kind() == reflect.Float64:
			text += fmt.Sprintf("%s %.6g", name, value.Float())
		default:
			text += fmt.Sprintf("%s %v", name, value.Interface())
		}
	}
	return text
}

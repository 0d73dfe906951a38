package train

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
	"antipode/sde/network"
)

// A figure with more settings than colours is drawn in families of at most six: each setting once, with its
// best learning rate, and in the same colour in all families.
func TestFamilies(t *testing.T) {
	for name, want := range map[string][]string{
		"mind-the-gap-11": {
			"no-norm, α = 0: 0 softmax attention, 1 gain-controlled attention, 2 free attention, " +
				"3 free-gain-controlled attention, 4 identity attention",
			"no-norm, α = 1: 0 softmax attention, 1 gain-controlled attention, 2 free attention, " +
				"3 free-gain-controlled attention, 4 identity attention",
			"post-norm, α = 0: 0 softmax attention, 1 gain-controlled attention, 2 free attention, " +
				"3 free-gain-controlled attention, 4 identity attention",
			"post-norm, α = 1: 0 softmax attention, 1 gain-controlled attention, 2 free attention, " +
				"3 free-gain-controlled attention, 4 identity attention",
		},
		"rank-collapse-5": {
			"adam: 0 β = 0.5778, branches = 1, 1 β = 0.5778, branches = 0.2887, 2 β = 1.288, branches = 1, " +
				"3 β = 1.288, branches = 0.2887",
			"sgd: 0 β = 0.5778, branches = 1, 1 β = 0.5778, branches = 0.2887, 2 β = 1.288, branches = 1, " +
				"3 β = 1.288, branches = 0.2887",
		},
		"mind-the-gap-8a": nil, // four settings
	} {
		e := New()
		figureOf(name).ours(e)
		e.LearningRate = e.LearningRate[:1]
		var curves []*learningCurve
		for _, s := range e.settings() {
			curves = append(curves, &learningCurve{setting: s, varies: s.valuesOf(e)})
		}
		var got []string
		for _, f := range familiesOf(curves) {
			var lines []string
			for _, l := range f.lines {
				lines = append(lines, fmt.Sprint(l.series, " ", l.name))
			}
			got = append(got, f.name+": "+strings.Join(lines, ", "))
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	e := New()
	e.Beta = []float64{1, 2, 3, 4, 5, 6, 7}
	var curves []*learningCurve
	for _, s := range e.settings() {
		curves = append(curves, &learningCurve{setting: s, varies: s.valuesOf(e)})
	}
	if f := familiesOf(curves); f != nil {
		t.Errorf("seven values of one parameter make %d families", len(f))
	}
}

// Networks with every kind of attention learn, with the same bits for any number of workers, and are drawn in
// families. Attention whose weights are learned directly, without softmax, has no entropy, and the report
// does not mention it.
func TestKindsOfAttention(t *testing.T) {
	e := tiny()
	e.Task, e.Dim, e.Layers, e.Steps, e.Dropout = heaviside, 4, []int{2}, 40, 0
	e.Attention, e.AlphaSA = attentionNames, []float64{0, 1}
	one := 1.
	e.Projection, e.ProjectionLaw = &one, "identity"
	table := experimenttest.Table(t, e, run.Options{Seed: 2, Workers: 1})
	again := experimenttest.Table(t, e, run.Options{Seed: 2, Workers: 5})
	if experimenttest.Text(again) != experimenttest.Text(table) {
		t.Error("five workers have other bits")
	}
	losses := map[string][2]float64{}
	for _, r := range rowsOf(t, e, 2) {
		if math.IsNaN(r.Layer) {
			l := losses[string(r.Attention)]
			l[min(int(r.Step), 1)] = r.Loss
			losses[string(r.Attention)] = l
		}
		if math.IsNaN(r.Beta) == hasScale(string(r.Attention)) ||
			r.Layer > 0 && math.IsNaN(r.Entropy) != (r.Attention == identity) {
			t.Fatalf("%+v", r)
		}
	}
	for name, l := range losses {
		if len(losses) != 6 || !(l[1] < 0.8*l[0]) {
			t.Errorf("%s: loss from %v to %v", name, l[0], l[1])
		}
	}
	var text bytes.Buffer
	if err := e.Describe(&text, table); err != nil || strings.Contains(text.String(), "NaN") ||
		strings.Count(text.String(), "the entropy of attention goes") != 10 {
		t.Errorf("%s %v", &text, err)
	}
	if _, err := e.Draw(table); err != nil {
		t.Error(err)
	}
}

// Without a skip connection, and with the mean of attention removed, the tokens vanish within seven layers,
// and the report gives no number for their cosine.
func TestVanishingTokens(t *testing.T) {
	e := tiny()
	e.Task, e.Dim, e.Layers, e.Steps, e.Every, e.Dropout = heaviside, 8, []int{7}, 2, 1, 0
	e.Norm, e.Attention, e.AlphaSA = []string{network.NoNorm.String()}, []string{gain}, []float64{0}
	var text bytes.Buffer
	err := e.Describe(&text, experimenttest.Table(t, e, run.Options{Seed: 2}))
	said := text.String()
	if err != nil || strings.Contains(said, "NaN") || !strings.Contains(said, "tokens have no cosine") {
		t.Errorf("%s %v", &text, err)
	}
}

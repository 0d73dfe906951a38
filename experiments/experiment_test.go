package experiments

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"antipode/experiments/advise"
	"antipode/experiments/attentionmatrix"
	"antipode/experiments/attentionphase"
	"antipode/experiments/crowd"
	"antipode/experiments/evolve"
	"antipode/experiments/experimenttest"
	"antipode/experiments/field"
	"antipode/experiments/figure"
	"antipode/experiments/gradients"
	"antipode/experiments/hybrid"
	"antipode/experiments/internal/attention"
	"antipode/experiments/measure"
	"antipode/experiments/mlp"
	"antipode/experiments/overlap"
	"antipode/experiments/phase"
	"antipode/experiments/propagation"
	"antipode/experiments/rankcollapse"
	"antipode/experiments/residual"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/experiments/simulate"
	"antipode/experiments/spectrum"
	"antipode/experiments/stability"
	"antipode/experiments/stablerank"
	"antipode/experiments/tokens"
	"antipode/experiments/train"
	"antipode/experiments/trainability"
	"antipode/experiments/verify"
	"antipode/experiments/weak"
	"antipode/experiments/widthgradients"
	"antipode/internal/longtest"
	"antipode/sde"
	"antipode/sde/matrices"
	"antipode/sphere/must"
)

var update = flag.Bool("update", false, "write the golden files anew")

// small has, for each experiment, a function that changes its parameters to a size that runs in a fraction of
// a second. Each experiment must have its entry.
var small = map[string]func(e run.Experiment){
	"advise": func(e run.Experiment) {
		a := e.(*advise.Experiment)
		a.Layers, a.Dim, a.Heads, a.Width, a.Tokens, a.Check = 3, 12, 3, 20, 7, 2
		a.Query, a.Value, a.Hidden, a.Output = 0.5, 0.3, 0.25, 0.35
	},
	"phase": func(e run.Experiment) {
		p := e.(*phase.Experiment)
		p.Dim, p.Beta = []int{2, 3, 5}, []float64{0.3, 1.5}
		p.Trajectories, p.Depth, p.Horizon = 20, 400, 20
	},
	"overlap": func(e run.Experiment) {
		o := e.(*overlap.Experiment)
		depth, horizon := int64(400), 25.
		o.Dim, o.Beta, o.Depth, o.Horizon = []int{2, 7}, []float64{0, 1, 3}, &depth, &horizon
	},
	"simulate": func(e run.Experiment) {
		s := e.(*simulate.Experiment)
		s.Tokens, s.Save = 3, "states"
		s.Start = experimenttest.Must(setting.ParseStart("opposite:1,2"))
		s.Trajectories, s.Depth, s.Horizon, s.Every = 20, 10, 2, 0.5
	},
	"measure": func(e run.Experiment) {
		m := e.(*measure.Experiment)
		for k, file := range []string{"float32.npy", "mask.npy"} {
			if err := m.Parameters()[k].Set("measure/hidden/testdata/" + file); err != nil {
				panic(err)
			}
		}
		m.Beta = 2
	},
	"mlp": func(e run.Experiment) {
		m := e.(*mlp.Experiment)
		m.Dim, m.Beta, m.Strength, m.Variance = []int{4, 12}, []float64{0.5, 2}, []float64{0.3, 5}, 36
		m.Trajectories, m.Depth, m.Horizon = 20, 10, 5
	},
	"hybrid": func(e run.Experiment) {
		h := e.(*hybrid.Experiment)
		h.Attention = sde.Softmax
		h.Beta, h.Epsilon = []float64{0.5, 1}, []float64{0, 1.2, 2}
		h.Trajectories, h.Depth, h.Horizon = 20, 10, 20
	},
	"crowd": func(e run.Experiment) {
		c := e.(*crowd.Experiment)
		c.Dim, c.Beta, c.Tokens = []int{3, 5}, []float64{0.3, 1.5}, []int{20, 3}
		c.Trajectories, c.Depth, c.Horizon, c.Time = 12, 9, 7, 2
	},
	"tokens": func(e run.Experiment) {
		k := e.(*tokens.Experiment)
		k.Tokens, k.Beta = []int{2, 5}, []float64{0, 3}
		k.Interaction = experimenttest.Must(setting.ParseInteraction("gaussian:0.5"))
		k.Trajectories, k.Depth, k.Horizon = 20, 10, 10
	},
	"evolve": func(e run.Experiment) {
		v := e.(*evolve.Experiment)
		v.Model, v.Tokens = []setting.Model{"transformer", "hybrid", "flow"}, 3
		v.Dim, v.Beta, v.LogTime = []int{2, 5}, []float64{3}, true
		v.Trajectories, v.Depth, v.Horizon = 10, 10, 3
	},
	"attention-matrix": func(e run.Experiment) {
		a := e.(*attentionmatrix.Experiment)
		a.Tokens, a.Dim = 6, 4
	},
	"residual": func(e run.Experiment) {
		r := e.(*residual.Experiment)
		r.Tokens, r.Dim, r.Depth, r.Horizon, r.Samples = 2, 3, []int{4, 8, 16}, 0.5, 20
	},
	"stability": func(e run.Experiment) {
		s := e.(*stability.Experiment)
		s.Masses, s.Beta, s.Dim = [][2]int{{1, 2}, {3, 1}}, []float64{0, 1}, []int{2, 4}
		s.Trajectories, s.Depth = 10, 10
	},
	"weak": func(e run.Experiment) {
		w := e.(*weak.Experiment)
		w.Dim, w.Depth, w.Trajectories = 3, []int{8, 16, 32, 64}, 200
	},
	"field": func(e run.Experiment) { e.(*field.Experiment).Points = 12 },
	"propagation": func(e run.Experiment) {
		p := e.(*propagation.Experiment)
		p.Block, p.Beta = []string{"pre-norm", "gain-post-norm"}, []float64{0.5, 2}
		p.Layers, p.Activation, p.Start = 4, "tanh", 0.1
		networks, tokens := int64(2), int64(6)
		p.Simulate, p.Tokens, p.Dim = &networks, &tokens, 8
	},
	"rank-collapse": func(e run.Experiment) {
		networks := int64(2)
		e.(*rankcollapse.Experiment).Networks = &networks
	},
	"gradients": func(e run.Experiment) {
		g := e.(*gradients.Experiment)
		g.Block, g.Beta, g.Start = "gain-pre-norm", []float64{0.5, 2}, 0.1
		g.Layers, g.Tokens, g.Dim, g.Networks = 2, 6, 8, 2
	},
	"trainability": func(e run.Experiment) {
		t := e.(*trainability.Experiment)
		t.AlphaSA, t.Beta, t.Activation = []float64{0, 1, 2}, []float64{0, 1, 2}, "gelu"
	},
	"spectrum": func(e run.Experiment) {
		s, dim := e.(*spectrum.Experiment), int64(8)
		s.Attention, s.Tokens, s.Dim = []matrices.Attention{matrices.Markov, matrices.Softmax}, 6, &dim
		s.Layers, s.Samples, s.LayerNorm = 2, 2, true
	},
	"stable-rank": func(e run.Experiment) {
		s := e.(*stablerank.Experiment)
		s.Attention = []matrices.Attention{matrices.Markov, matrices.ReLU}
		s.Tokens, s.Layers, s.Samples = []int{8, 16, 24, 32}, 2, 3
	},
	"width-gradients": func(e run.Experiment) {
		g := e.(*widthgradients.Experiment)
		g.Architecture = []attention.Architecture{attention.Plain, attention.SkipLayerNorm}
		g.Tokens = []int{8, 12}
		g.Layers, g.Samples = []int{1, 2}, 3
	},
	"attention-phase": func(e run.Experiment) {
		a, tokens := e.(*attentionphase.Experiment), int64(100)
		a.Beta, a.Rho, a.Tokens = []float64{0, 1, 2}, []float64{0, 0.3, 1}, &tokens
	},
	"train": func(e run.Experiment) {
		t := e.(*train.Experiment)
		t.Tokens, t.Vocabulary, t.Layers, t.Dim, t.Heads = 4, 3, []int{2}, 6, 2
		t.Norm, t.LearningRate = []string{"post-norm", "pre-norm"}, []float64{0.01}
		t.Batch, t.Steps, t.Every, t.Validation, t.Seeds, t.Warmup = 5, 12, 5, 6, 2, 2
	},
	"verify": func(e run.Experiment) {
		e.(*verify.Experiment).Only = []string{"eq21", "lemma5-minus", "masses-entrance", "c4"}
	},
}

// quick changes an experiment to its small size, except that the theory and the simulated growth of phase,
// and the theory of overlap, take less time: the exact law takes least in d = 2. It is for tests of how a run
// is done, which do not look at what it gives.
func quick(e run.Experiment) {
	small[e.Name()](e)
	switch e := e.(type) {
	case *phase.Experiment:
		e.Dim, e.Beta, e.Depth, e.Horizon = []int{2}, []float64{0.3, 1, 1.5}, 100, 2
	case *overlap.Experiment:
		e.Dim = []int{2}
	}
}

// quicker are the experiments whose size of quick is not their small one.
var quicker = map[string]bool{"phase": true, "overlap": true}

// far returns runs for cases that the small ones do not reach: trajectories of two tokens that end early,
// also by the chain in d > 10, where χ² numbers are drawn by rejection; trajectories of four tokens; and
// chains of the hybrid far below the range of float64.
func far() map[string]run.Experiment {
	phase, tokens, hybrid := phase.New(), tokens.New(), hybrid.New()
	phase.Dim, phase.Beta = []int{4, 12}, []float64{2}
	phase.Trajectories, phase.Depth, phase.Horizon = 100, 10, 10_000
	tokens.Tokens, tokens.Dim, tokens.Beta = []int{2, 4}, 3, []float64{2}
	tokens.Trajectories, tokens.Depth, tokens.Horizon = 100, 10, 10_000
	hybrid.Attention, hybrid.Beta, hybrid.Epsilon = sde.Softmax, []float64{1}, []float64{0, 0.5, 1.25, 1.8}
	hybrid.Trajectories, hybrid.Depth, hybrid.Horizon = 20, 10, 600
	all := map[string]run.Experiment{"phase-far": phase, "tokens-far": tokens, "hybrid-far": hybrid,
		// weights together with hidden states, and what is inferred from states alone
		"measure-weights": measured(map[string]string{"file": "measure/hidden/testdata/float32.npy",
			"weights": "measure/weights/testdata/model.safetensors"}),
		"measure-infer": measured(map[string]string{"file": "measure/inference/testdata/chain.npy",
			"infer": "ensemble", "infer-mlp": "tanh", "infer-w": "4"})}
	maps.Copy(all, three())
	maps.Copy(all, derived())
	return all
}

// derived returns small runs with derivatives, at depths and horizons at which their exact laws take least
// time. Those of Gaussian value matrices take long nevertheless; derivatives of phase and overlap are also
// among what TestEveryParameterHasAnEffectOrIsInapplicable has recorded.
func derived() map[string]run.Experiment {
	phase, hybrid, overlap := phase.New(), hybrid.New(), overlap.New()
	phase.Derivatives, hybrid.Derivatives, overlap.Derivatives = true, true, true
	phase.Dim, phase.Beta = []int{3}, []float64{0, 1.5}
	phase.Trajectories, phase.Depth, phase.Horizon = 100, 100, 2
	hybrid.Attention, hybrid.Beta, hybrid.Epsilon = sde.Softmax, []float64{1}, []float64{0, 2}
	hybrid.Trajectories, hybrid.Depth, hybrid.Horizon = 100, 30, 6
	depth, horizon := int64(200), 1.
	overlap.Depth, overlap.Horizon, overlap.Beta = &depth, &horizon, []float64{1, 2}
	all := map[string]run.Experiment{"hybrid-derivatives": hybrid}
	if longtest.Enabled {
		all["phase-derivatives"], all["overlap-derivatives"] = phase, overlap
	}
	return all
}

// three returns runs with the theory of three tokens.
func three() map[string]run.Experiment {
	tokens, evolve := tokens.New(), evolve.New()
	tokens.Tokens, tokens.Dim, tokens.Beta, tokens.Theory = []int{2, 3}, 2, []float64{1, 2}, true
	tokens.Trajectories, tokens.Depth, tokens.Horizon, tokens.Tolerance = 20, 10, 4, 0.05
	evolve.Model, evolve.Tokens, evolve.Dim, evolve.Beta = []setting.Model{setting.Transformer}, 3, []int{2},
		[]float64{1}
	evolve.Trajectories, evolve.Depth, evolve.Horizon, evolve.Tolerance, evolve.Theory = 20, 2, 3, 0.05, true
	return map[string]run.Experiment{"tokens-three": tokens, "evolve-three": evolve}
}

// measured returns a measure experiment with some parameters set by name and text.
func measured(parameters map[string]string) run.Experiment {
	m := measure.New()
	for _, p := range m.Parameters() {
		if text, is := parameters[p.Name]; is {
			if err := p.Set(text); err != nil {
				panic(err)
			}
		}
	}
	return m
}

// The rows of every experiment at its small size, and of the runs of far, have the bits of the golden files
// on every machine. Rows that come from linear algebra, whose sums are rounded in another order on another
// architecture, agree to some digits.
func TestGolden(t *testing.T) {
	longtest.Only(t)
	all := far()
	for _, e := range All() {
		all[e.Name()] = e
		smallTable(t, e.Name())
	}
	for name, e := range all {
		table := smallTables[name]
		if table == nil {
			table = experimenttest.Table(t, e, run.Options{Seed: 1})
		}
		got := experimenttest.Text(table)
		path := filepath.Join("testdata", "golden", name+".jsonl")
		if *update {
			must.Do(t, os.WriteFile(path, []byte(got), 0o666))
		}
		want := must.Get(os.ReadFile(path))(t)
		rounded := linearAlgebra[e.Name()] || linearAlgebra[name]
		if got != string(want) && !(rounded && sameNumbers(got, string(want), digits(name))) {
			t.Errorf("%s: other rows than in %s:\n%s", name, path, got)
		}
	}
}

var linearAlgebra = map[string]bool{
	"spectrum": true, "attention-matrix": true, "stable-rank": true, "width-gradients": true, "measure": true,
	"advise": true, "tokens-three": true, "evolve-three": true,
}

// digits returns the number of digits to which rows are the same on all machines. Estimates by measure
// --infer involve second derivatives by difference quotients, which lose half of the digits.
func digits(name string) int {
	if name == "measure-infer" {
		return 4
	}
	return 9
}

// sameNumbers compares two texts word by word. Numbers may differ in relative terms by 10^-digits; for
// numbers below 0.001 the bound is 10^(-digits-3) in absolute terms.
func sameNumbers(a, b string, digits int) bool {
	relative := math.Pow(10, -float64(digits))
	separators := func(r rune) bool { return strings.ContainsRune(" ,:{}[]\"\n", r) }
	return slices.EqualFunc(strings.FieldsFunc(a, separators), strings.FieldsFunc(b, separators),
		func(v, w string) bool {
			x, errX := strconv.ParseFloat(v, 64)
			y, errY := strconv.ParseFloat(w, 64)
			return v == w || errX == nil && errY == nil && math.Abs(x-y) <= relative*(math.Abs(x)+1e-3)
		})
}

// Rows are the same for 2 and for 7 workers. The files of TestGoldenFiles, except those
// of phase and overlap, are written by one worker.
func TestRowsDoNotDependOnWorkers(t *testing.T) {
	for _, e := range All() {
		quick(e)
		want := experimenttest.Text(quickTable(t, e.Name()))
		table := experimenttest.Table(t, e, run.Options{Seed: 1, Workers: 7})
		if experimenttest.Text(table) != want {
			t.Errorf("%s: other rows with 7 workers than with 2", e.Name())
		}
	}
}

// forms are experiments whose figures contain all elements that figures are made of: lines, marks and colour
// bars, panels, arrows, and maps. Only these are drawn as PNG.
var forms = map[string]bool{
	"phase": true, "evolve": true, "field": true, "attention-matrix": true, "simulate": true,
}

// Every experiment, at its small size, can be run, described and drawn.
func TestEveryExperimentDescribesAndDraws(t *testing.T) {
	longtest.Only(t)
	for _, e := range All() {
		small[e.Name()](e)
		table := smallTable(t, e.Name())
		if s := smallStates[e.Name()]; s.Done != s.Total || s.Total == 0 {
			t.Errorf("%s: progress ends at %d of %d", e.Name(), s.Done, s.Total)
		}
		var text bytes.Buffer
		if err := e.Describe(&text, table); err != nil || text.Len() == 0 {
			t.Errorf("%s: text %q, error %v", e.Name(), &text, err)
		}
		if e.Name() == "verify" {
			if _, err := e.Draw(table); !errors.Is(err, figure.ErrNone) {
				t.Errorf("verify has a figure: error %v", err)
			}
			continue
		}
		picture := smallFigure(t, e.Name())
		var png, svg bytes.Buffer
		if forms[e.Name()] {
			if err := picture.WritePNG(&png); err != nil || !bytes.HasPrefix(png.Bytes(), []byte("\x89PNG")) {
				t.Errorf("%s: PNG of %d bytes, error %v", e.Name(), png.Len(), err)
			}
		}
		if err := picture.WriteSVG(&svg); err != nil || !strings.Contains(svg.String(), "</svg>") {
			t.Errorf("%s: SVG of %d bytes, error %v", e.Name(), svg.Len(), err)
		}
	}
}

// setPaper sets the parameters of the figure of the source paper, if the experiment has such a figure.
func setPaper(e run.Experiment) {
	if r, has := e.(run.Reproducer); has {
		r.Paper()
	}
}

// An experiment that is read from the parameters in a table's metadata, or from the text of each parameter,
// equals the one that they were written from.
func TestParametersReadBack(t *testing.T) {
	for _, e := range All() {
		for _, change := range []func(run.Experiment){
			func(run.Experiment) {}, setPaper, small[e.Name()],
		} {
			change(e)
			if m, ok := e.(*measure.Experiment); ok && m.File == "" { // its file has no default
				small[e.Name()](e)
			}
			if err := e.Validate(); err != nil {
				t.Errorf("%s: %v", e.Name(), err)
			}
			again := must.Get(ByName(e.Name()))(t)
			if err := json.Unmarshal([]byte(run.ParametersJSON(e)), again); err != nil ||
				!reflect.DeepEqual(e, again) {
				t.Errorf("%s: JSON reads back as %+v, error %v", e.Name(), again, err)
			}
			again, _ = ByName(e.Name())
			for i, p := range e.Parameters() {
				if err := again.Parameters()[i].Set(p.Value.String()); err != nil {
					t.Errorf("%s: %s: %v", e.Name(), p.Name, err)
				}
			}
			if !reflect.DeepEqual(e, again) {
				t.Errorf("%s: texts read back as %+v", e.Name(), again)
			}
		}
	}
	if _, err := ByName("nothing"); err == nil {
		t.Error("an experiment called nothing")
	}
}

// Each key of an experiment's JSON is the name of a parameter. A parameter whose value means that there is
// nothing, such as no MLP, may be missing in it.
func TestParameterNamesAreKeys(t *testing.T) {
	nothing := map[string][]string{"mlp": {"none"}, "heads": {"1", "auto"}, "drift": {"0"},
		"tokens": {"none", "2"}, "dim": {"none"}, "attention-sum": {"fastest"}, "method": {"tokens"},
		"trajectory":  {"all"},
		"derivatives": {"false"}, "certify": {"false"}, "forecast": {"0"}, "sublayers": {"together"},
		"splitting": {"none"}, "compare": {"none"}, "thresholds": {"false"}, "theory": {"false"},
		"weights": {"none"}, "names": {"auto"}, "infer": {"none"}, "infer-mlp": {"none"}, "infer-w": {"auto"},
		"bias-deviation": {"0"}, "mlp-dropout": {"0"}, "score-warmup": {"0"}}
	for _, e := range All() {
		var keys map[string]any
		text, err := json.Marshal(e)
		if err == nil {
			err = json.Unmarshal(text, &keys)
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range e.Parameters() {
			if _, ok := keys[p.Name]; !ok && !slices.Contains(nothing[p.Name], p.Value.String()) {
				t.Errorf("%s: parameter %s is not in %s", e.Name(), p.Name, text)
			}
			delete(keys, p.Name)
		}
		if len(keys) > 0 {
			t.Errorf("%s: %v are not among the parameters", e.Name(), keys)
		}
	}
}

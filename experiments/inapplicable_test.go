package experiments

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/internal/longtest"
	"antipode/sphere/must"
)

// settings has, for each experiment, the settings in which each of its parameters is tried: flags and values
// that are added to its small size.
var settings = map[string][]string{
	"phase": {
		"dim=2 beta=1 depth=100 horizon=2 trajectories=100",
		"dim=2 beta=1 depth=100 horizon=2 trajectories=100 mlp=tanh:0.5:2",
		"law=uniform dim=3 beta=1 depth=100 horizon=2 trajectories=100",
	},
	"overlap": {
		"dim=2 beta=1.5 depth=none horizon=3 tolerance=0.05", "dim=2 beta=1 horizon=none",
		"dim=4 beta=1 depth=none", "dim=4 beta=1 epsilon=1.2",
		"dim=2 beta=1 depth=100 horizon=3 mlp=tanh:0.5:2", "dim=4 beta=1 masses=1,2 depth=none horizon=none",
		"dim=4 beta=1 horizon=1",
	},
	"simulate": {
		"", "model=hybrid save=outcomes start=uniform horizon=6",
		"model=flow save=outcomes start=uniform horizon=6",
		"model=transformer-sde", "model=hybrid-sde save=outcomes start=uniform horizon=6",
		"save=overlaps start=uniform horizon=4", "save=states interpolate=true every=0.037",
		"save=outcomes start=uniform tokens=2 dim=2 depth=40 horizon=2 tolerance=0.4 splitting=antipodal " +
			"repetitions=2",
	},
	"mlp":    {""},
	"hybrid": {"beta=1 epsilon=1.4 attention=unnormalized horizon=20"},
	"tokens": {"", "tokens=2,3"},
	"crowd":  {"", "tokens=4"},
	"evolve": {"model=transformer dim=2 beta=1.5", "", "model=transformer", "model=flow",
		"model=hybrid,flow", "model=hybrid"},
	"stability": {"masses=1,2 dim=2",
		"masses=1,2 dim=2 beta=5 depth=5 splitting=lifetime repetitions=2 trajectories=10"},
	"weak":  {"trajectories=10", "model=hybrid trajectories=10", "tokens=3 trajectories=10"},
	"field": {""},
	"propagation": {"weight-beta=2 layers=2", "simulate=none tokens=inf",
		"block=post-norm simulate=none tokens=inf", "weight-beta=2 layers=2 sequences=3",
		"weight-beta=2 layers=2 save=states"},
	"rank-collapse": {"figure=7", "figure=12", "figure=14", "figure=12 save=attention"},
	"gradients":     {""},
	"trainability":  {"", "block=gain-pre-norm"},
	"spectrum":      {"", "attention=softmax", "gap=remove layer-norm=false"},
	"stable-rank":   {"", "attention=sigmoid", "gap=remove"},
	"width-gradients": {
		"", "attention=linear", "architecture=plain gap=remove",
	},
	"residual": {""},
	"advise": {"query-deviation=0.4", "query-deviation=0.4 input=given",
		"query-deviation=0.4 input=patches norm=pre-norm check=0"},
	"measure":          {"", "block=post-norm", "weights=measure/weights/testdata/model.safetensors"},
	"attention-matrix": {""},
	"attention-phase":  {"", "tokens=inf", "tokens=40 simulate=2 dim=16"},
	"train": {
		"", "seeds=1 steps=6 optimiser=momentum mlp=none norm=no-norm",
		"seeds=1 steps=6 attention=uniform final-norm=true norm=no-norm",
		"task=masked seeds=1 steps=6", "task=masked seeds=1 steps=6 tokens=9 values=gaussian:1/d",
		"task=heaviside seeds=1 steps=6 mlp=none",
		"task=images seeds=1 steps=6", "seeds=1 steps=6 attention=free projection=1",
		"seeds=1 steps=6 attention=identity",
	},
	"verify": {""},
}

// others has, for each name of a parameter, values of which at least one is allowed and differs from the
// parameter's value. Values for a parameter of one experiment, as in gradients.figure, are tried before those
// for the name alone.
var others = map[string][]string{
	"weight-beta":            {"0.7"},
	"activation":             {"erf", "relu"},
	"alpha-mlp":              {"0.7"},
	"alpha-sa":               {"0.6"},
	"angles":                 {"33,44"},
	"architecture":           {"skip"},
	"attention":              {"unnormalized", "softmax", "relu"},
	"beta":                   {"0.7"},
	"block":                  {"pre-norm", "gain-post-norm"},
	"boundary":               {"true"},
	"branches":               {"0.6"},
	"certify":                {"true"},
	"collapse":               {"0.5"},
	"covariance":             {"symmetric", "0.8,0.6,0.3"},
	"depth":                  {"12", "9,18,36"},
	"derivatives":            {"true"},
	"dim":                    {"3", "4", "7"},
	"epsilon":                {"0.9"},
	"drift":                  {"1.3"},
	"forecast":               {"1e4"},
	"every":                  {"0.3"},
	"examples":               {"9"},
	"figure":                 {"8", "9", "6", "4", "13"},
	"embedding-deviation":    {"0.3"},
	"features":               {"5"},
	"gated":                  {"true", "false"},
	"hidden-deviation":       {"0.4"},
	"input":                  {"given", "words"},
	"gap":                    {"remove", "keep"},
	"gradients.figure":       {"3c"},
	"heads":                  {"2"},
	"sublayers":              {"in-sequence"},
	"horizon":                {"1.5", "0.25"},
	"interpolate":            {"true"},
	"interaction":            {"rotation:30"},
	"key-scale":              {"0.5"},
	"law":                    {"uniform", "rademacher", "lognormal"},
	"layer-norm":             {"true", "false"},
	"layers":                 {"3"},
	"log-time":               {"true", "false"},
	"map":                    {"true"},
	"masses":                 {"2,3"},
	"method":                 {"tokens", "chain"},
	"model":                  {"hybrid", "flow", "transformer"},
	"networks":               {"3"},
	"no-shortcuts":           {"true"},
	"noise":                  {"independent", "common"},
	"only":                   {"c4"},
	"bias-deviation":         {"0.3"},
	"output-deviation":       {"0.4"},
	"projection-deviation":   {"none"},
	"query-deviation":        {"0.7"},
	"points":                 {"7"},
	"positions":              {"false", "true"},
	"ratio":                  {"0.5"},
	"rms":                    {"true"},
	"rho":                    {"0.4"},
	"samples":                {"4"},
	"save":                   {"overlaps", "outcomes", "attention", "density"},
	"scheme":                 {"heun", "rk4", "geodesic"},
	"sigma":                  {"0.8"},
	"repetitions":            {"7"},
	"splitting":              {"antipodal", "single", "lifetime"},
	"sigma-b2":               {"0.3"},
	"sigma-v2":               {"0.5"},
	"sigma-w2":               {"0.6"},
	"simulate":               {"3"},
	"causal":                 {"true"},
	"size":                   {"paper"},
	"skip":                   {"true"},
	"start":                  {"uniform", "0.35"},
	"strength":               {"0.7"},
	"tokens":                 {"4", "3"},
	"temperature":            {"matched"},
	"time":                   {"1"},
	"tolerance":              {"0.5"},
	"trajectories":           {"37"},
	"trajectory":             {"2:5"},
	"types":                  {"0", "1"},
	"value-deviation":        {"0.4"},
	"values":                 {"orthogonal"},
	"each":                   {"true"},
	"compare":                {"measure/hidden/testdata/each.npz", "measure/hidden/testdata/float16.npy"},
	"theory":                 {"true"},
	"thresholds":             {"true"},
	"weights":                {"measure/weights/testdata/model.safetensors"},
	"names":                  {"measure/weights/testdata/names.json"},
	"measure.heads":          {"4"},
	"infer":                  {"network"},
	"infer-mlp":              {"relu"},
	"infer-w":                {"2"},
	"file":                   {"measure/hidden/testdata/float16.npy"},
	"mask":                   {"none"},
	"z0":                     {"0.4", "uniform"},
	"simulate.dim":           {"4"},
	"stable-rank.tokens":     {"12,24"},
	"stable-rank.model":      {"vit"},
	"sequences":              {"2"},
	"text":                   {"../LICENSE"}, // a text that does not change
	"width-gradients.tokens": {"12,24"},
	"overlap.masses":         {"1,3", "1,2"},
	"overlap.depth":          {"130"}, // the exact law takes more time if the layers are few
	"phase.depth":            {"130"},
	"accumulate":             {"2"},
	"adam-beta1":             {"0.5"},
	"adam-beta2":             {"0.5"},
	"adam-epsilon":           {"0.1"},
	"batch":                  {"7"},
	"bound":                  {"0.01"},
	"branch-mlp":             {"0.5"},
	"branch-sa":              {"0.5"},
	"check":                  {"3"},
	"config":                 {"advise/testdata/config.json"},
	"clip":                   {"0.1"},
	"dropout":                {"0.2"},
	"final-norm":             {"true", "false"},
	"learn-strengths":        {"both"},
	"learning-rate":          {"0.02"},
	"mlp":                    {"tanh", "relu", "tanh:0.8:2"},
	"momentum":               {"0.5"},
	"norm":                   {"peri-norm", "pre-norm", "post-norm"},
	"optimiser":              {"adamw", "sgd"},
	"projection":             {"0.5"},
	"projection-law":         {"identity"},
	"schedule":               {"cosine"},
	"seeds":                  {"3"},
	"share":                  {"all"},
	"smoothing":              {"0.2"},
	"steps":                  {"9"},
	"task":                   {"reverse"},
	"train.overlap":          {"0.5"},
	"train.task":             {"masked", "reverse"},
	"train.values":           {"shared-identity"},
	"by-layer":               {"true"},
	"depth-scaling":          {"true"},
	"image-law":              {"place"},
	"memory":                 {"2"},
	"patch":                  {"16"},
	"attention-dropout":      {"0.3"},
	"mlp-dropout":            {"0.3"},
	"score-warmup":           {"7"},
	"verify.set":             {"spectra"},
	"train.attention":        {"gain-controlled"},
	"train.every":            {"4"},
	"train.heads":            {"3"},
	"train.layer-norm":       {"rms"},
	"train.dim":              {"8"},
	"validation":             {"9"},
	"variance":               {"2.5"},
	"vocabulary":             {"5"},
	"warmup":                 {"3"},
	"weight-decay":           {"0.3"},
	"width":                  {"5"},
}

// A parameter that is applicable changes the rows of the table or the report. An inapplicable one changes
// neither, is refused if it is given, and is not in the file. A parameter whose other values are all refused
// cannot be tried.
func TestEveryParameterHasAnEffectOrIsInapplicable(t *testing.T) {
	longtest.Only(t)
	for _, e := range All() {
		t.Run(e.Name(), func(t *testing.T) {
			chosen := settings[e.Name()]
			if len(chosen) == 0 {
				t.Fatal("no settings")
			}
			tried, record := map[string]bool{}, newRecord(t, "effects", e.Name())
			for _, setting := range chosen {
				checkSetting(t, e.Name(), setting, tried, record)
			}
			record.finish(t)
		})
	}
}

// checkSetting checks the parameters of an experiment with some flags set, and compares what the runs give
// with the record, unless it is nil. It skips those parameters in once that are in tried, and adds to tried
// those that it checks.
func checkSetting(t *testing.T, experiment, setting string, tried map[string]bool, record *record) {
	t.Helper()
	name := "small"
	if setting != "" {
		name = setting
	}
	first, without := flagged(t, experiment, setting), flagged(t, experiment, setting)
	want := outputOf(t, first, true)
	record.check(t, name, first, want)
	var inapplicable []string
	for _, p := range first.Parameters() {
		e := flagged(t, experiment, setting)
		at, whose := find(t, e, p.Name), experiment+" "+p.Name
		if slices.Contains(costly, whose) || !another(t, e, at) {
			continue
		}
		if find(t, e, p.Name).Inapplicable != "" {
			checkGiven(t, name, e, p.Name, false)
			if another(t, without, find(t, without, p.Name)) {
				inapplicable = append(inapplicable, p.Name+" "+at.Value.String())
			} else { // the others allow no other value of it
				checkNoEffect(t, name, p.Name, e, want)
			}
			continue
		}
		if once[whose] {
			if tried[whose] {
				continue
			}
			tried[whose] = true
		}
		checkGiven(t, name, e, p.Name, !p.Preset)
		got := outputOf(t, e, !slices.Contains(slowOutput, experiment))
		value, _, _ := strings.Cut(at.Value.String(), "#") // without the hash of a file
		record.check(t, fmt.Sprintf("%s, %s=%s", name, p.Name, value), e, got)
		if got.report == want.report && got.rows == want.rows {
			t.Errorf("%s: %s %s has no effect", name, p.Name, at.Value)
		}
	}
	if len(inapplicable) > 0 {
		checkNoEffect(t, name, strings.Join(inapplicable, ", "), without, want)
	}
}

// checkNoEffect checks that an experiment gives the wanted report and rows although inapplicable parameters
// have other values.
func checkNoEffect(t *testing.T, name, inapplicable string, e run.Experiment, want output) {
	t.Helper()
	if got := outputOf(t, e, false); got.report != want.report || got.rows != want.rows {
		t.Errorf("%s: of these, one is inapplicable and has an effect: %s", name, inapplicable)
	}
}

// checkGiven checks whether a parameter of an experiment may be given and is written to files.
func checkGiven(t *testing.T, name string, e run.Experiment, parameterName string, written bool) {
	t.Helper()
	refused := parameter.CheckGiven(e.Parameters(),
		func(q parameter.Parameter) bool { return q.Name == parameterName }) != nil
	inapplicable := find(t, e, parameterName).Inapplicable != ""
	if is := hasKey(t, e, parameterName); refused != inapplicable || is != written {
		t.Errorf("%s: %s is inapplicable: %v, refused: %v, in the file: %v", name, parameterName,
			inapplicable, refused, is)
	}
}

// slowOutput are experiments whose figures have curves of the theory that take a second, and one whose JSON
// takes as long as its report. These are recorded only once for each setting.
var slowOutput = []string{"phase", "hybrid", "stability", "advise"}

// costly are parameters that are not tried. Some change only the running time of runs as short as these; some
// take too long (models are tried with the tag long). interpolate changes nothing at whole layers, and
// without it only whole layers are allowed. From the file of measure's small run, which is too short, nothing
// can be inferred.
var costly = []string{"measure infer",
	"phase no-shortcuts", "tokens no-shortcuts", "mlp no-shortcuts", "rank-collapse size", "gradients size",
	"simulate attention-sum", "tokens attention-sum", "evolve attention-sum",
	"simulate interpolate", "advise model", "stable-rank model", "train data", "train figure",
}

// once are parameters that take seconds where they are applicable, and files, which do not depend on the
// other parameters. They are tried only in the first such setting.
var once = map[string]bool{"overlap tokens": true, "overlap boundary": true, "evolve theory": true,
	"evolve figure": true, "measure file": true, "measure mask": true}

// another sets a parameter to another value that the experiment allows, and reports whether there is one.
func another(t *testing.T, e run.Experiment, p parameter.Parameter) bool {
	t.Helper()
	before := p.Value.String()
	candidates := append(slices.Clone(others[e.Name()+"."+p.Name]), others[p.Name]...)
	if len(candidates) == 0 {
		t.Fatalf("%s: no other value of %s", e.Name(), p.Name)
	}
	for _, text := range candidates {
		if p.Set(text) == nil && p.Value.String() != before && e.Validate() == nil {
			return true
		}
		must.Do(t, p.Set(before))
	}
	return false
}

// smallOf returns the experiment of a name at its small size.
func smallOf(t *testing.T, name string) run.Experiment {
	t.Helper()
	e, shrink := must.Get(ByName(name))(t), small[name]
	if shrink == nil {
		t.Fatalf("%s: no small parameters", name)
	}
	shrink(e)
	return e
}

func find(t *testing.T, e run.Experiment, name string) parameter.Parameter {
	t.Helper()
	all := e.Parameters()
	at := slices.IndexFunc(all, func(p parameter.Parameter) bool { return p.Name == name })
	if at < 0 {
		t.Fatalf("%s has no parameter %s", e.Name(), name)
	}
	return all[at]
}

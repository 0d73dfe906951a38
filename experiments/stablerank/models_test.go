package stablerank

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/internal/longtest"
	"antipode/sde"
	"antipode/sde/network"
	"antipode/sphere/must"

	"gonum.org/v1/gonum/mat"
)

// modelsExperiment returns a small experiment for Fig. 3 with one model.
func modelsExperiment(t *testing.T, model string) *Experiment {
	t.Helper()
	s := New()
	for _, set := range [][2]string{{"figure", "3"}, {"model", model}, {"tokens", "5"}, {"samples", "2"}} {
		for _, p := range s.Parameters() {
			if p.Name == set[0] {
				must.Do(t, p.Set(set[1]))
			}
		}
	}
	return s
}

// Rows are means over networks of statistics of their tokens: cosines and norms, and the stable rank of XXᵀ
// from all its eigenvalues.
func TestModelRows(t *testing.T) {
	longtest.Only(t)
	s := modelsExperiment(t, "gpt2")
	table := experimenttest.Table(t, s, run.Options{Seed: 3})
	rows, err := data.RowsOf[ModelRow](table)
	if err != nil || len(rows) != 13 {
		t.Fatal(len(rows), err)
	}
	var want [13][modelStatistics][2]float64 // for each network
	e := network.Ensemble{Network: network.GPT2(5), Networks: 2, Seed: 3}
	follow := e.Observer(func(k int64, _, layer int, v network.View) error {
		x := mat.NewDense(5, 768, v.Tokens.Data)
		var gram mat.Dense
		gram.Mul(x, x.T())
		var eigen mat.EigenSym
		eigen.Factorize(mat.NewSymDense(5, gram.RawMatrix().Data), false)
		squares := 0.0
		for _, value := range eigen.Values(nil) {
			squares += value * value
		}
		at := &want[layer]
		at[2][k] = squares / math.Pow(slices.Max(eigen.Values(nil)), 2)
		for i := range 5 {
			at[1][k] += math.Sqrt(gram.At(i, i)) / 5
			for j := range i {
				at[0][k] += gram.At(i, j) / math.Sqrt(gram.At(i, i)*gram.At(j, j)) / 10
			}
		}
		return nil
	})
	for k := range int64(2) {
		must.Get(follow(t.Context(), k))(t)
	}
	for l, r := range rows {
		if r.Model != GPT2 || r.Layer != int32(l) || r.Tokens != 5 || r.Samples != 2 {
			t.Errorf("%+v", r)
		}
		for k, got := range [][2]float64{{r.Cosine, r.CosineStderr}, {r.Norm, r.NormStderr},
			{r.StableRank, r.StableRankStderr}} {
			a, b := want[l][k][0], want[l][k][1]
			if !(math.Abs(got[0]-(a+b)/2) <= 1e-9*math.Abs(a)) ||
				!(math.Abs(got[1]-math.Abs(a-b)/2) <= 1e-9*math.Abs(a)) {
				t.Errorf("layer %d, number %d: %v, of networks %v", l, k, got, want[l][k])
			}
		}
	}
	var text, svg bytes.Buffer
	if err := s.Describe(&text, table); err != nil || strings.Count(text.String(), "\n") != 1 ||
		!strings.Contains(text.String(), "gpt2, 5 tokens, layer 12: stable rank ") {
		t.Errorf("%q, error %v", &text, err)
	}
	picture, err := s.Draw(table)
	if err == nil {
		err = picture.WriteSVG(&svg)
	}
	if err != nil || !strings.Contains(svg.String(), "</svg>") {
		t.Errorf("picture of %d bytes, error %v", svg.Len(), err)
	}
}

// With a text of one repeated word the tokens of BERT differ only by their positions.
func TestModelsReadText(t *testing.T) {
	path := filepath.Join(t.TempDir(), "text")
	must.Do(t, os.WriteFile(path, []byte(strings.Repeat("again ", 6)), 0o600))
	s := modelsExperiment(t, "bert")
	parameters := s.Parameters()
	must.Do(t, parameters[len(parameters)-1].Set(path))
	s.Samples = 1
	rows, err := data.RowsOf[ModelRow](experimenttest.Table(t, s, run.Options{Seed: 3}))
	// Words and types contribute equally to all tokens, and positions independently: the cosine is 2/3, with
	// fluctuations of about 0.02 = 1/√(768·3).
	if err != nil || !(math.Abs(rows[0].Cosine-2./3) <= 0.06) || !math.IsNaN(rows[0].CosineStderr) {
		t.Errorf("%+v: %v", rows[0], err)
	}
	if s.Tokens = []int{5, 6}; s.Validate() != nil { // as many as the text has words
		t.Error(s.Validate())
	}
	s.Tokens = []int{5, 7}
	if err := s.Validate(); err == nil || !strings.Contains(err.Error(), "at most the 6 words of the text") {
		t.Error(err)
	}
}

// The paper's setting remains if the flag of the figure is read again.
func TestModelsOfThePaper(t *testing.T) {
	s := New()
	for range 2 {
		must.Do(t, s.figure().Set("3"))
		if s.Paper(); len(s.Model) != 3 || slices.Max(s.Tokens) != 512 || s.Samples != 5 {
			t.Errorf("%+v", s)
		}
		if err := s.figure().Set("3"); err != nil || len(s.Model) != 3 || slices.Max(s.Tokens) != 512 {
			t.Errorf("%+v: %v", s, err)
		}
	}
}

// Parameters that have no effect on real architectures are refused, and so is a list of models that has both
// an architecture and attention alone.
func TestModelParameters(t *testing.T) {
	s := modelsExperiment(t, "vit")
	for _, p := range s.Parameters() {
		given := func(q parameter.Parameter) bool { return q.Name == p.Name }
		refused := parameter.CheckGiven(s.Parameters(), given) != nil
		allowed := slices.Contains([]string{"figure", "tokens", "samples", "model"}, p.Name)
		if refused == allowed {
			t.Errorf("%s is refused: %v", p.Name, refused)
		}
	}
	text := s.Parameters()[len(s.Parameters())-1].Name
	for models, allowed := range map[string]bool{"bert": true, "gpt2": true, "vit,gpt2": true, "vit": false,
		"attention": false} {
		s.Model = strings.Split(models, ",")
		given := func(p parameter.Parameter) bool { return p.Name == text }
		if err := parameter.CheckGiven(s.Parameters(), given); (err == nil) != allowed || text != "text" {
			t.Errorf("%s of %s: %v", text, models, err)
		}
	}
	for _, models := range [][]string{{"attention", "bert"}, {"bert", "attention"}} {
		s.Model = models
		if err := s.Validate(); err == nil ||
			!strings.Contains(err.Error(), "model "+strings.Join(models, ",")) {
			t.Errorf("%v: %v", models, err)
		}
	}
}

// A run of two networks of GPT-2's twelve layers at two widths has a row for each layer and the input, and
// keeps three numbers of each network there. Nothing is computed if there is no room for them.
func TestNeedsOfModels(t *testing.T) {
	s := modelsExperiment(t, "gpt2")
	s.Tokens = []int{5, 7}
	no := errors.New("no room")
	for part, want := range map[sde.Part]run.Needs{
		{}:                 {Rows: 26, Kept: 1248},
		{Number: 1, Of: 4}: {Rows: 39, Kept: 312},
	} {
		var needs run.Needs
		options := run.Options{Workers: 1, Part: part,
			Preflight: func(n run.Needs) error { needs = n; return no }}
		err := s.Run(t.Context(), options, nil)
		seconds := 0.0
		for _, tokens := range s.Tokens { // 20 T³ operations for the rank of each of 13 layers, of 4e-10 s
			e := must.Get(s.ensemble(GPT2, tokens, options))(t)
			seconds += e.Seconds() + 20*13*math.Pow(float64(tokens), 3)*4e-10*2
		}
		if part.Of > 0 {
			seconds /= 4
		}
		if err != no || !(math.Abs(needs.Seconds/seconds-1) <= 1e-9) {
			t.Errorf("%v, %v s, want %v", err, needs.Seconds, seconds)
		}
		if needs.Rows != want.Rows || needs.Kept != want.Kept {
			t.Errorf("%v: %+v, want %+v", part, needs, want)
		}
	}
}

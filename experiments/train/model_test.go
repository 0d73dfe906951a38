package train

import (
	"archive/zip"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"antipode/data"
	"antipode/experiments/run"
	"antipode/sde/network"

	"github.com/sbinet/npyio/npy"
)

// arraysOf reads an archive of arrays: their names and shapes, in order, and their numbers by name.
func arraysOf(t *testing.T, path string) (names []string, numbers map[string][]float64) {
	t.Helper()
	file, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	numbers = map[string][]float64{}
	for _, member := range file.File {
		content, err := member.Open()
		if err != nil {
			t.Fatal(err)
		}
		reader, err := npy.NewReader(content)
		if err != nil {
			t.Fatal(err)
		}
		var all []float64
		if err := reader.Read(&all); err != nil {
			t.Fatal(err)
		}
		numbers[member.Name] = all
		names = append(names, fmt.Sprint(member.Name, " ", reader.Header.Descr.Shape))
	}
	return names, numbers
}

// The files of a run contain the weights before the first step and after the last, and hidden states that
// agree with the rows of the table.
func TestModelFiles(t *testing.T) {
	e := New()
	e.Tokens, e.Vocabulary, e.Layers, e.Dim, e.Heads = 4, 3, []int{2}, 6, 2
	e.Batch, e.Steps, e.Every, e.Validation, e.Seeds, e.Share, e.SigmaB2 = 5, 7, 7, 3, 2, shareKeys, 0.1
	folder := t.TempDir()
	table := data.NewTable(run.Schema(e, 1))
	if err := e.Run(t.Context(), run.Options{Seed: 1, Models: folder}, table); err != nil {
		t.Fatal(err)
	}
	rows, err := data.RowsOf[Row](table)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		if math.IsNaN(row.Layer) {
			continue
		}
		when := map[int64]string{0: "first", 7: "last"}[row.Step]
		_, states := arraysOf(t, filepath.Join(folder, fmt.Sprintf("run-%d", row.Run), "states-"+when+".npz"))
		all := states[fmt.Sprintf("layer_%04d.npy", int(row.Layer))]
		cosine, norm := 0.0, 0.0
		for sequence := range 3 {
			x := all[sequence*24:][:24]
			for i := range 4 {
				norm += math.Sqrt(dot(x[6*i:], x[6*i:])) / 12
				for j := range i {
					cosine += dot(x[6*i:], x[6*j:]) /
						math.Sqrt(dot(x[6*i:], x[6*i:])*dot(x[6*j:], x[6*j:])) / 18
				}
			}
		}
		if !(math.Abs(cosine-row.Cosine) <= 1e-12) || !(math.Abs(norm-row.TokenNorm) <= 1e-12) {
			t.Errorf("run %d, step %d, layer %v: cosine %v and norm %v, in the table %v and %v", row.Run,
				row.Step, row.Layer, cosine, norm, row.Cosine, row.TokenNorm)
		}
	}
	_, first := arraysOf(t, filepath.Join(folder, "run-1", "weights-first.npz"))
	_, last := arraysOf(t, filepath.Join(folder, "run-1", "weights-last.npz"))
	fresh, err := network.New(e.settings()[0].network, 2, 0)
	if err != nil {
		t.Fatal(err)
	}
	key, _ := fresh.LayerParameter(1, "mlp.hidden.weight")
	if got := first["layers.0.linear1.weight.npy"]; !slices.Equal(got, key) {
		t.Errorf("first weights %v, want %v", got, key)
	}
	if slices.Equal(first["layers.1.linear2.bias.npy"], last["layers.1.linear2.bias.npy"]) {
		t.Error("the last weights are the first")
	}
}

func dot(x, y []float64) (sum float64) {
	for k := range 6 {
		sum += x[k] * y[k]
	}
	return sum
}

// The weights have the names and shapes of torch.nn.TransformerEncoder; in the fused matrix the rows of
// queries come first, then those of keys, then those of values. Weights that layers share are repeated in
// each layer.
func TestWeightArrays(t *testing.T) {
	n := network.Network{Tokens: 3, Dim: 4, Layers: 2, Heads: 1, AlphaSA: 1, AlphaMLP: 1, Width: 5,
		SharedKeys: true, QueryKey2: 1, Value2: 2, Hidden2: 1, Output2: 1,
		LayerNorm: network.LayerNorm{Affine: true}, Input: network.Gaussian, Q: 1}
	transformer, err := network.New(n, 3, 0)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, a := range weightArrays(transformer) {
		names = append(names, fmt.Sprint(a.Name, " ", a.Shape))
		if a.Name == "layers.1.self_attn.in_proj_weight" {
			for _, p := range transformer.Parameters {
				at := map[string]int{"attention.query.weight": 0, "attention.key.weight": 16,
					"layers.1.attention.value.weight": 32}
				if from, ok := at[p.Name]; ok && !slices.Equal(a.Numbers[from:from+16], p.Value) {
					t.Errorf("%s is not at %d", p.Name, from)
				}
			}
		}
	}
	var want []string
	for _, l := range []string{"layers.0.", "layers.1."} {
		want = append(want, l+"self_attn.in_proj_weight [12 4]", l+"self_attn.out_proj.weight [4 4]",
			l+"attention.skip [1]", l+"attention.strength [1]", l+"norm1.weight [4]", l+"norm1.bias [4]",
			l+"linear1.weight [5 4]", l+"linear1.bias [5]", l+"linear2.weight [4 5]", l+"linear2.bias [4]",
			l+"mlp.skip [1]", l+"mlp.strength [1]", l+"norm2.weight [4]", l+"norm2.bias [4]")
	}
	if !slices.Equal(names, want) {
		t.Errorf("%q", names)
	}
}

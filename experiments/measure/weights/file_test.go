package weights

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"antipode/sphere/must"
)

// arraysOf returns the arrays of a small model of a family, whose entries have the given standard deviation:
// d = 12, 3 heads of 4 dimensions, an MLP of width 20, and 2 layers.
func arraysOf(family string, deviation float64, random *rand.Rand) map[string]numbered {
	const dim, width, layers = 12, 20, 2
	l := Families[family]
	all := map[string]numbered{}
	for layer := range layers {
		for pattern, shape := range map[string][2]int{l.Query: {dim, dim}, l.Key: {dim, dim}, l.Value: {dim,
			dim},
			l.Fused: {3 * dim, dim}, l.Output: {dim, dim}, l.Up: {width, dim}, l.Gate: {width, dim},
			l.Down: {dim, width}} {
			if pattern == "" {
				continue
			}
			if l.InputsFirst {
				shape[0], shape[1] = shape[1], shape[0]
			}
			a := numbered{[]int{shape[0], shape[1]}, make([]float64, shape[0]*shape[1])}
			for k := range a.numbers {
				a.numbers[k] = deviation * random.NormFloat64()
			}
			all[withLayer(pattern, layer)] = a
		}
	}
	return all
}

type numbered struct {
	shape   []int
	numbers []float64
}

// safetensors returns the bytes of a file with these arrays, after change has changed its header.
func safetensors(arrays map[string]numbered, change func(header map[string]any)) []byte {
	header, body := map[string]any{}, []byte(nil)
	for _, name := range slices.Sorted(maps.Keys(arrays)) {
		a, first := arrays[name], len(body)
		for _, x := range a.numbers {
			body = binary.LittleEndian.AppendUint64(body, math.Float64bits(x))
		}
		header[name] = map[string]any{"dtype": "F64", "shape": a.shape, "data_offsets": []int{first,
			len(body)}}
	}
	if change != nil {
		change(header)
	}
	text, _ := json.Marshal(header)
	return framed(string(text), body)
}

// framed returns the bytes of a file with the given header and numbers.
func framed(header string, body []byte) []byte {
	file := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(file, header...), body...)
}

// npz returns the bytes of an archive with these arrays.
func npz(t testing.TB, arrays map[string]numbered) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(arrays)) {
		file := must.Get(w.Create(name + ".npy"))(t)
		a := arrays[name]
		header := fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': (%s,), }",
			strings.Trim(strings.ReplaceAll(fmt.Sprint(a.shape), " ", ", "), "[]"))
		header += strings.Repeat(" ", 117-len(header)) + "\n"
		file.Write(append([]byte("\x93NUMPY\x01\x00v\x00"), header...))
		binary.Write(file, binary.LittleEndian, a.numbers)
	}
	must.Do(t, w.Close())
	return b.Bytes()
}

// measureFile opens a file of weights and measures all its layers.
func measureFile(path string, layout *Layout, heads int) (layers []Layer, err error) {
	m, err := Open(path, layout, heads)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	meter := m.NewMeter(1)
	for layer := range m.Layers {
		l, err := meter.Measure(layer)
		if err != nil {
			return nil, err
		}
		layers = append(layers, l)
	}
	return layers, nil
}

func write(t testing.TB, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	must.Do(t, os.WriteFile(path, content, 0o666))
	return path
}

// For every family, both formats give the same measurements.
func TestFormatsOfAllFamilies(t *testing.T) {
	for _, family := range families {
		all := arraysOf(family, 0.3, rand.New(rand.NewPCG(1, 2)))
		one, err := measureFile(write(t, "m.safetensors", safetensors(all, nil)), nil, 3)
		if err != nil {
			t.Fatalf("%s: %v", family, err)
		}
		other, err := measureFile(write(t, "m.npz", npz(t, all)), nil, 3)
		if err != nil {
			t.Fatalf("%s: %v", family, err)
		}
		if !slices.Equal(one[1].Pack(), other[1].Pack()) || len(one) != 2 || len(one[0].Heads) != 3 {
			t.Errorf("%s: other numbers in .npz than in .safetensors, or not 2 layers of 3 heads", family)
		}
	}
}

// A file that cannot be read is refused with an error of one line that says what is wrong.
func TestHostileFiles(t *testing.T) {
	all := arraysOf("bert", 0.3, rand.New(rand.NewPCG(3, 4)))
	const query = "encoder.layer.1.attention.self.query.weight"
	whole := safetensors(all, nil)
	with := func(change func(header map[string]any)) []byte { return safetensors(all, change) }
	field := func(key string, value any) []byte {
		return with(func(header map[string]any) { header[query].(map[string]any)[key] = value })
	}
	renamed := func(from, to string) []byte {
		other := map[string]numbered{}
		for name, a := range all {
			other[strings.Replace(name, from, to, 1)] = a
		}
		return safetensors(other, nil)
	}
	number := func(x float64) []byte {
		other := maps.Clone(all)
		other[query] = numbered{other[query].shape, slices.Clone(other[query].numbers)}
		other[query].numbers[5] = x
		return safetensors(other, nil)
	}
	reshaped := func(name string, shape ...int) []byte {
		other := maps.Clone(all)
		count := 1
		for _, n := range shape {
			count *= n
		}
		other[name] = numbered{shape, make([]float64, count)}
		return safetensors(other, nil)
	}
	long := strings.Repeat("ab", 1<<12)
	const output = "encoder.layer.1.attention.output.dense.weight"
	two := maps.Clone(all)
	for name, a := range all {
		two["decoder."+name] = a
	}
	for k, c := range []struct {
		content []byte
		want    string
	}{
		{nil, "is not a .safetensors file"},
		{[]byte("1234567"), "is not a .safetensors file"},
		{[]byte("a text, but no weights of anything"), "its header should have"},
		{whole[:len(whole)-1], "is cut short"},
		{whole[:len(whole)/2], "is cut short"},
		{whole[:20], "its header should have"},
		{append(bytes.Clone(whole), 0), "has 1 bytes that belong to no tensor"},
		{framed("", nil), "its header is not JSON"},
		{framed("[]", nil), "its header is not JSON"},
		{framed("{", nil), "its header is not JSON"},
		{framed("{}", nil), "has no tensors"},
		{framed("{}x", nil), "its header is not JSON"},
		{framed(`{"a":1}`, nil), `entry "a" of its header does not describe a tensor`},
		{framed(`{"a":null}`, nil), "which is not known"},
		{framed(`{"__metadata__":3}`, nil), "does not describe a tensor"},
		{framed(`{"a":{"dtype":"F64","shape":[0],"data_offsets":[0,0]},"a":{}}`, nil),
			"two tensors of the name"},
		{framed(`{"`+long+`":1}`, nil), "does not describe a tensor"},
		{framed(strings.Repeat(`{"a":`, 20000), nil), "does not describe a tensor"},
		{append(bytes.Repeat([]byte{0xff}, 8), whole[8:]...), "its header should have"},
		{append([]byte{0, 0, 0, 0, 0, 0, 0, 0x80}, whole[8:]...), "its header should have"},
		{field("dtype", "F4"), `type "F4", which is not known`},
		{field("dtype", "I64"), "no real numbers"},
		{field("dtype", 64), "does not describe a tensor"},
		{field("shape", []int{12, 13}), "are not those of the shape"},
		{field("shape", []int{-12, -12}), "are not those of the shape"},
		{field("shape", []int{1 << 40, 1 << 40}), "are not those of the shape"},
		{field("shape", []float64{1.5, 96}), "does not describe a tensor"},
		{field("shape", nil), "are not those of the shape"},
		{field("data_offsets", []int{0, 1152}), "begins at byte"},
		{field("data_offsets", []int64{math.MaxInt64 - 1152, math.MaxInt64}), "begins at byte"},
		{field("data_offsets", []int{3}), "are not those of the shape"},
		{field("data_offsets", []string{"0", "1"}), "does not describe a tensor"},
		{number(math.NaN()), "not finite"},
		{number(math.Inf(-1)), "not finite"},
		{number(1e200), "above 1e+30"},
		{renamed("encoder", "coder"), "has names of none of bert, gpt2, llama, pytorch, vit"},
		{renamed("1.attention.self.query", "1.attention.self.queries"),
			"has no array \"encoder.layer.1.attention.self.query"},
		{reshaped(query, 12, 11), "has 12 outputs of 11 inputs; must have 12 of 12"},
		{reshaped(query, 144), "has 1 axes; must be a matrix"},
		{reshaped(output, 3, 3), "must have 12 of 12"},
		{reshaped("encoder.layer.0.attention.output.dense.weight", 2, 3*5461), "has heads of 5461 " +
			"dimensions"},
		{reshaped("encoder.layer.0.output.LayerNorm.weight", 7), "must be of 12 gains"},
		{safetensors(two, nil), "has several stacks of layers"},
	} {
		path := write(t, "hostile.safetensors", c.content)
		_, err := measureFile(path, nil, 3)
		checkRefused(t, fmt.Sprintf("file %d", k), err, c.want)
	}
	for heads, want := range map[int]string{5: "5 heads do not share evenly", 0: "does not say how many " +
		"heads"} {
		_, err := measureFile(write(t, "m.safetensors", whole), nil, heads)
		checkRefused(t, fmt.Sprint(heads, " heads"), err, want)
	}
	archive := npz(t, all)
	for k, content := range [][]byte{nil, []byte("PK"), archive[:len(archive)-30], archive[30:],
		bytes.Replace(archive, []byte("'<f8'"), []byte("'<c8'"), 1)} {
		_, err := measureFile(write(t, "hostile.npz", content), nil, 3)
		checkRefused(t, fmt.Sprintf("archive %d", k), err, "")
	}
}

// checkRefused checks that err is one line of moderate length that contains want. If want is empty, err may
// also be nil.
func checkRefused(t *testing.T, name string, err error, want string) {
	t.Helper()
	switch {
	case err == nil && want == "":
	case err == nil:
		t.Errorf("%s: no error, want %q", name, want)
	case !strings.Contains(err.Error(), want):
		t.Errorf("%s: error %q, want %q", name, err, want)
	case strings.ContainsAny(err.Error(), "\n\r") || len([]rune(err.Error())) > 300:
		t.Errorf("%s: error of more than a line: %q", name, err)
	}
}

func TestHostileNames(t *testing.T) {
	for text, want := range map[string]string{
		"": "is not JSON", "text": "is not JSON", "[]": "is not JSON", "{": "is not JSON",
		"null": "must be a name",
		"{}":   "must be a name with {layer} in it", `{"like":"berta"}`: "must be like one of",
		`{"like":3}`:                           "cannot unmarshal",
		`{"like":"bert","norm":"no"}`:          `must be pre-norm or post-norm`,
		`{"like":"bert","norms":"no"}`:         "unknown field",
		`{"like":"bert","heads":-1}`:           "must be from 1 to 4096",
		`{"like":"bert","heads":1e99}`:         "cannot unmarshal",
		`{"like":"bert","heads":99999}`:        "must be from 1 to 4096",
		`{"like":"bert","key-heads":-2}`:       "must be from 1 to 4096",
		`{"like":"bert","activation":"x"}`:     "must be one of linear, tanh",
		`{"like":"bert","query":"q"}`:          `for "query"; must be a name with {layer}`,
		`{"like":"bert","output":""}`:          `for "output"; must be a name with {layer}`,
		`{"like":"bert","up":""}`:              `for "up"; must be a name with {layer}`,
		`{"like":"bert","embeddings":"a"}`:     "cannot unmarshal",
		`{"model_type":"t5"}`:                  "and must be one of bert",
		`{"model_type":"bert"}`:                "there is no field num_attention_heads",
		`{"model_type":3}`:                     "is not JSON of a model's names",
		`{"model_type":"bert","n_head":"x"}`:   "field n_head is",
		`{"model_type":"gpt2","n_head":-1}`:    "field n_head is -1",
		`{"model_type":"bert","n_head":99999}`: "must be a whole number from 1 to 4096",
		`{"model_type":"bert","num_attention_heads":3,"hidden_act":"` + strings.Repeat("é", 999) + `"}`://
		"field hidden_act is",
		strings.Repeat("[", 1<<20) + "]": "more than 1048576 bytes",
		strings.Repeat("[", 20000):       "is not JSON",
	} {
		_, err := ReadNames(write(t, "names.json", []byte(text)))
		checkRefused(t, fmt.Sprintf("names %.40q", text), err, want)
	}
	for _, name := range []string{"", "berta", "x.txt", "missing.json", t.TempDir() + "/.json",
		"a\x00.json"} {
		if _, err := ReadNames(name); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: error %v", name, err)
		}
	}
}

// A map of names, or a config.json, gives what a family of models leaves open.
func TestNames(t *testing.T) {
	layout, err := ReadNames(write(t, "config.json", []byte(
		`{"model_type":"gpt2","n_head":3,"activation_function":"gelu_new","n_layer":2}`)))
	if err != nil || layout.Heads != 3 || layout.Activation != "gelu" || !layout.InputsFirst {
		t.Errorf("config.json: %+v, %v", layout, err)
	}
	layout, err = ReadNames(write(t, "names.json", []byte(`{"like":"pytorch","norm":"pre-norm","heads":4}`)))
	if err != nil || layout.Heads != 4 || layout.Norm != PreNorm ||
		layout.Fused != Families["pytorch"].Fused {
		t.Errorf("map: %+v, %v", layout, err)
	}
	for name, layout := range Families {
		if err := layout.check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A model with attention alone is measured like one with an MLP that adds nothing.
func TestAttentionAlone(t *testing.T) {
	all := arraysOf("pytorch", 0.3, rand.New(rand.NewPCG(3, 4)))
	clear(all["layers.0.linear2.weight"].numbers)
	clear(all["layers.1.linear2.weight"].numbers)
	alone := maps.Clone(all)
	maps.DeleteFunc(alone, func(name string, _ numbered) bool { return strings.Contains(name, "linear") })
	none, err := ReadNames(write(t, "names.json", []byte(`{"like":"pytorch","up":"","down":""}`)))
	if err != nil {
		t.Fatal(err)
	}
	var overlaps [2][]float64
	var heads [2][]float64
	for k, arrays := range []map[string]numbered{all, alone} {
		layout := []*Layout{nil, none}[k]
		m, err := Open(write(t, "m.npz", npz(t, arrays)), layout, 3)
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		p, err := m.Predict(nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		for layer := range m.Layers {
			l, err := m.NewMeter(1).Measure(layer)
			if err == nil {
				err = p.Pass(l)
			}
			if err != nil {
				t.Fatal(err)
			}
			if l.MLP.Strength != 0 || math.IsNaN(l.Up.Largest) != (k == 1) {
				t.Errorf("an MLP of strength %v, singular value %v", l.MLP.Strength, l.Up.Largest)
			}
			heads[k] = append(heads[k], Layer{Heads: l.Heads}.Pack()...)
			overlaps[k] = append(overlaps[k], p.Overlap())
		}
	}
	if !slices.Equal(heads[0], heads[1]) || !slices.Equal(overlaps[0], overlaps[1]) || overlaps[0][1] == 0 {
		t.Errorf("heads %v, alone %v; overlaps %v, alone %v", heads[0], heads[1], overlaps[0], overlaps[1])
	}
}

// A file of arbitrary bytes is either read or refused with one line.
func FuzzOpen(f *testing.F) {
	all := arraysOf("bert", 0.3, rand.New(rand.NewPCG(5, 6)))
	f.Add(safetensors(all, nil), true)
	f.Add(npz(f, all), false)
	f.Add(framed(`{"a":{"dtype":"F64","shape":[0],"data_offsets":[0,0]}}`, nil), true)
	f.Fuzz(func(t *testing.T, content []byte, tensors bool) {
		name := "m.npz"
		if tensors {
			name = "m.safetensors"
		}
		m, err := Open(write(t, name, content), nil, 3)
		if err == nil {
			defer m.Close()
		}
		for layer := 0; err == nil && layer < m.Layers; layer++ {
			_, err = m.read(layer)
		}
		if err != nil {
			checkRefused(t, name, err, err.Error())
		}
	})
}

package setting

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/parameter"
	"antipode/sde"
	"antipode/sphere/invariant"
)

// A number in a text may be its limit, and nothing beyond.
func TestLimitsOfNumbersInTexts(t *testing.T) {
	s := Sublayers{}
	mlp := parameter.ByName(s.Parameters(true), "mlp").Value.Set
	heads := parameter.ByName(s.Parameters(true), "heads").Value.Set
	interaction := func(text string) error {
		_, err := ParseInteraction(text)
		return err
	}
	start := func(text string) error {
		_, err := ParseStart(text)
		return err
	}
	matrix := func(text string) error {
		_, err := parseMatrix(strings.NewReader(text))
		return err
	}
	for _, c := range []struct {
		name            string
		set             func(text string) error
		allowed, beyond []string
	}{
		{"interaction", interaction,
			[]string{"gaussian:0", "gaussian:1e6", "rotation:-360", "rotation:360", "resampled:0",
				"resampled:20", "resampled:1:1", "resampled:1:1048576"},
			[]string{"gaussian:-1e-9", "gaussian:1000000.1", "rotation:-360.1", "rotation:360.1",
				"resampled:-1e-9", "resampled:20.1", "resampled:nan", "resampled:1:0", "resampled:1:1048577",
				"resampled:x", "resampled:1:", "resampled:1:2:3"}},
		{"start", start,
			[]string{"overlap:-1", "overlap:1", "opposite:1,1", "opposite:2147483647,1",
				"opposite:1,2147483647"},
			[]string{"overlap:-1.000001", "overlap:1.000001", "opposite:2147483648,1",
				"opposite:1,2147483648", "opposite:1,0"}},
		{"mlp", mlp,
			[]string{"tanh:1e6", "tanh:1:1e-4", "tanh:1:1e4", "tanh:1:1:1", "tanh:1:1:1048576"},
			[]string{"tanh:1000000.1", "tanh:1:0.99e-4", "tanh:1:10001", "tanh:1:1:0", "tanh:1:1:1048577"}},
		{"heads", heads, []string{"1", "4096"}, []string{"0", "4097", "1.5"}},
		{"matrix", matrix, []string{"1e100", "-1e100"}, []string{"1.01e100", "-1.01e100"}},
	} {
		for _, text := range c.allowed {
			if err := c.set(text); err != nil {
				t.Errorf("%s %s: %v", c.name, text, err)
			}
		}
		for _, text := range c.beyond {
			if c.set(text) == nil {
				t.Errorf("%s %s is accepted", c.name, text)
			}
		}
	}
}

// The bounds of the parameters that several experiments share are allowed values, and the next numbers beyond
// them are not. The horizon alone must be above its lower bound.
func TestBoundsOfSharedParameters(t *testing.T) {
	var dims []int
	var betas []float64
	var dim, depth, trajectories int64
	var horizon, sigma, tolerance float64
	var s Sublayers
	for _, c := range []struct {
		p            parameter.Parameter
		least, most  float64
		below, above string
	}{
		{DimsParameter(&dims), 2, 10_000, "1", "10001"},
		{DimParameter(&dim), 2, 10_000, "1", "10001"},
		{BetasParameter(&betas), 0, 1000, "-1e-9", "1000.0001"},
		{DepthParameter(&depth), 1, 1e6, "0", "1000001"},
		{HorizonParameter(&horizon), 1e-300, 1e6, "0", "1000000.1"},
		{SigmaParameter(&sigma), 1e-3, 1e3, "0.000999", "1000.1"},
		{ToleranceParameter(&tolerance), 1e-12, 0.5, "0.9e-12", "0.500001"},
		{TrajectoriesParameter(&trajectories, "cell"), 1, 1e12, "0", "1000000000001"},
		{parameter.ByName(s.Parameters(true), "drift"), 0, 1e6, "-1e-9", "1000000.1"},
		{parameter.ByName(s.Parameters(true), "heads"), 1, 4096, "0", "4097"},
	} {
		for _, x := range []float64{c.least, c.most} {
			if err := c.p.Set(parameter.FormatReal(x)); err != nil || c.p.Value.Check() != nil {
				t.Errorf("%s %g: %v", c.p.Name, x, err)
			}
		}
		for _, text := range []string{c.below, c.above} {
			if c.p.Set(text) == nil {
				t.Errorf("%s %s is accepted", c.p.Name, text)
			}
		}
	}
	for heads, allowed := range map[int64]bool{-1: false, 0: true, 4096: true, 4097: false} {
		s.Heads = heads
		if err := parameter.ByName(s.Parameters(true), "heads").Value.Check(); (err == nil) != allowed {
			t.Errorf("%d heads: %v", heads, err)
		}
	}
}

// A grid may have 100,000 cells. The error on a larger one states both factors.
func TestLargestGrids(t *testing.T) {
	if err := CheckCells("beta", 1000, Axis{100, "dimensions"}); err != nil {
		t.Error(err)
	}
	const want = "beta (11 values): with 9091 dimensions and 1 seeds these are 100001 cells; must be at " +
		"most 100000"
	err := CheckCells("beta", 11, Axis{9091, "dimensions"}, Axis{1, "seeds"})
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	var dims []int
	if err := Check([]parameter.Parameter{DimsParameter(&dims)}, dims, nil); err == nil {
		t.Error("no dimensions are accepted")
	}
}

// The clock of unnormalised attention is known up to β = 340; softmax has no such limit.
func TestLargestBetaOfTheClock(t *testing.T) {
	for _, c := range []struct {
		attention sde.Attention
		betas     []float64
		allowed   bool
	}{
		{sde.Unnormalized, []float64{0, 340}, true}, {sde.Unnormalized, []float64{1, 340.5}, false},
		{sde.Softmax, []float64{340.5, 1000}, true},
	} {
		if err := CheckClock(c.attention, c.betas); (err == nil) != c.allowed {
			t.Errorf("%v, β = %v: %v", c.attention, c.betas, err)
		}
	}
	cell := sde.Cell{Model: sde.Transformer{Sigma: 1}, Attention: sde.Unnormalized, Method: sde.Chain,
		Tokens: 2, Dim: 3}
	cell.Beta = cell.LargestBeta()
	if err := CheckOverflow(cell); err != nil {
		t.Errorf("the largest β itself: %v", err)
	}
	cell.Beta = math.Nextafter(cell.Beta, math.Inf(1))
	if CheckOverflow(cell) == nil {
		t.Errorf("β = %v is accepted", cell.Beta)
	}
}

// A number of layers may differ from a whole number by 10⁻⁹ of itself, or by 10⁻⁹ if it is below 1. A run
// has at least one layer.
func TestLayersInATime(t *testing.T) {
	for _, c := range []struct {
		depth int64
		time  float64
		want  int64 // 0 for an error
	}{
		{1, 1 + 0.9e-9, 1}, {1, 1 - 0.9e-9, 1}, {1, 1 + 1.1e-9, 0}, {1, 1 - 1.1e-9, 0},
		{1000, 1 + 0.9e-9, 1000}, {1000, 1 + 1.1e-9, 0}, {1000, 1 - 1.1e-9, 0},
		{1, 1e-10, 0}, {100, 0.01, 1}, {10, 0.25, 0},
	} {
		n, err := LayersIn("every", c.depth, c.time)
		if n != c.want || (err == nil) != (c.want > 0) ||
			err != nil && !strings.HasPrefix(err.Error(), "every "+parameter.FormatReal(c.time)+": ") {
			t.Errorf("%d × %v: %d, %v", c.depth, c.time, n, err)
		}
		if got := CheckHorizon(c.depth, c.time); (got == nil) != (c.want > 0) {
			t.Errorf("%d × %v: %v", c.depth, c.time, got)
		}
	}
	for _, c := range []struct {
		horizon, every int64
		want           []int64
	}{{10, 5, []int64{0, 5, 10}}, {10, 4, []int64{0, 4, 8, 10}}, {3, 7, []int64{0, 3}},
		{1, 1, []int64{0, 1}}} {
		if got := ObservationTimes(c.horizon, c.every); !slices.Equal(got, c.want) {
			t.Errorf("to %d, every %d: %v, want %v", c.horizon, c.every, got, c.want)
		}
	}
}

// The states of a file may take 1 GiB, and not a number more. Only their size matters here; they are not
// there.
func TestMemoryOfStates(t *testing.T) {
	part := data.NewTable(data.Schema{Columns: []data.Column{vectors("x1", 2)}})
	if err := part.Write(data.Slice[float64]{1, 0}); err != nil {
		t.Fatal(err)
	}
	for size, allowed := range map[int]bool{1 << 27: true, 1<<27 + 1: false} {
		if err := (&lastStates{size: size}).add(part, 1, 2); (err == nil) != allowed {
			t.Errorf("%d numbers: %v", size, err)
		}
		// The states before count too.
		before := lastStates{size: size - 4, states: make([]float64, 4)}
		if err := before.add(part, 1, 2); (err == nil) != allowed {
			t.Errorf("%d numbers, of which 4 are there: %v", size, err)
		}
	}
}

// A part of a table that lacks a column of states is an error.
func TestStatesWithoutAColumn(t *testing.T) {
	part := data.NewTable(data.Schema{Columns: []data.Column{vectors("x1", 2)}})
	if err := part.Write(data.Slice[float64]{1, 0}); err != nil {
		t.Fatal(err)
	}
	if err := (&lastStates{size: 4}).add(part, 2, 2); err == nil {
		t.Error("x2 is not missed")
	}
}

// A covariance is known by its name in captions and errors, and its dimension and law are checked.
func TestCovariances(t *testing.T) {
	allowed := CovarianceParameter(new(invariant.Covariance)).Value.Allowed()
	for _, limit := range []float64{-invariant.Largest, invariant.Largest, invariant.Least} {
		if !strings.Contains(allowed, parameter.FormatReal(limit)) {
			t.Errorf("%v is not in %q", limit, allowed)
		}
	}
	for _, c := range []struct {
		text    string
		caption string
		dim     int
		law     sde.Law
		refused string // value in the error; "" if it fits
	}{
		{"ginibre", "", 5, sde.Uniform, ""}, {"1,0,0", "", 5, sde.Gaussian, ""},
		{"2,0,0", ", covariance 2,0,0", 5, sde.Rademacher, ""},
		{"symmetric", ", symmetric value matrices", 5, sde.Gaussian, ""},
		{"symmetric", ", symmetric value matrices", 5, sde.Uniform, "symmetric"},
		{"scalar", ", scalar value matrices", 5, sde.Uniform, "scalar"},
		{"1,0,-0.25", ", covariance 1,0,-0.25", 4, sde.Gaussian, ""},
		{"1,0,-0.25", ", covariance 1,0,-0.25", 5, sde.Gaussian, "1,0,-0.25"},
	} {
		var v invariant.Covariance
		if err := CovarianceParameter(&v).Set(c.text); err != nil {
			t.Errorf("%s: %v", c.text, err)
		}
		if got := CovarianceCaption(v); got != c.caption {
			t.Errorf("%s: %q", c.text, got)
		}
		err := CheckCovariance(v, []int{2, c.dim, 3}, c.law)
		if c.refused == "" && err != nil ||
			c.refused != "" && (err == nil || !strings.HasPrefix(err.Error(), "covariance "+c.refused+": ")) {
			t.Errorf("%s, d = %d, %v: %v", c.text, c.dim, c.law, err)
		}
	}
	for _, text := range []string{"", "1", "1,0", "1,0,0,0", "1,x,0", "0,0,0", "1,2,0", "other"} {
		v := invariant.Symmetric
		if err := CovarianceParameter(&v).Set(text); err == nil || v != invariant.Symmetric {
			t.Errorf("%q: %v, %v", text, v, err)
		}
	}
}

// Harmonics need the identity as interaction, in few dimensions; direct sums and the fastest do not.
func TestAttentionSumsThatDoNotFit(t *testing.T) {
	rotation, err := ParseInteraction("rotation:90")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		b       Interaction
		sum     sde.AttentionSum
		dim     int
		allowed bool
	}{
		{Interaction{}, sde.HarmonicsSum, 3, true}, {Interaction{}, sde.HarmonicsSum, 9, false},
		{rotation, sde.HarmonicsSum, 3, false}, {rotation, sde.DirectSum, 3, true},
		{rotation, sde.FastestSum, 3, true}, {Interaction{}, sde.DirectSum, 9, true},
	} {
		cell := sde.Cell{Model: sde.Transformer{Sigma: 1}, Tokens: 2000, Dim: c.dim, Beta: 1, Depth: 10,
			Start: sde.UniformStart{}, AttentionSum: c.sum}
		err := CheckAttentionSum(c.b, cell)
		if (err == nil) != c.allowed ||
			err != nil && !strings.HasPrefix(err.Error(), "attention-sum harmonics: ") {
			t.Errorf("%v in %d dimensions, B = %v: %v", c.sum, c.dim, c.b, err)
		}
		if entries := AttentionSumMetadata(cell); len(entries) > 0 && c.sum == sde.DirectSum ||
			len(entries) == 0 && c.sum == sde.HarmonicsSum && c.dim == 3 {
			t.Errorf("%v in %d dimensions: %v", c.sum, c.dim, entries)
		}
	}
}

// A text names a file if it is none of the texts with a meaning of their own; the checksum is not part of the
// name.
func TestTextsThatNameFiles(t *testing.T) {
	var b Interaction
	var s Start
	for _, c := range []struct {
		p          parameter.Parameter
		text, name string // name "" for none
	}{
		{InteractionParameter(&b), "identity", ""}, {InteractionParameter(&b), "gaussian:2", ""},
		{InteractionParameter(&b), "gaussian:x", ""}, {InteractionParameter(&b), "b.txt", "b.txt"},
		{InteractionParameter(&b), "b.txt#sha256:00ff", "b.txt"}, {StartParameter(&s), "uniform", ""},
		{StartParameter(&s), "overlap:3", ""}, {StartParameter(&s), "x.arrow", "x.arrow"},
		{StartParameter(&s), "x.txt", ""},
	} {
		name, is := c.p.Value.(parameter.FileNamer).NamesFile(c.text)
		if is != (c.name != "") || is && name != c.name {
			t.Errorf("%s %s: %q, %v", c.p.Name, c.text, name, is)
		}
	}
}

// Each model has the parts that its equation has.
func TestPartsOfModels(t *testing.T) {
	for m, want := range map[Model]string{
		Transformer: "true false true gaussian", Hybrid: "false true true rademacher",
		Flow: "false false true gaussian", TransformerSDE: "true false false gaussian",
		HybridSDE: "false true false gaussian",
	} {
		got := fmt.Sprint(m.HasValueMatrices(), m.HasAmplitude(), m.IsRecursion(), m.Law())
		if got != want {
			t.Errorf("%v: %s, want %s", m, got, want)
		}
		var read Model
		if err := read.UnmarshalText([]byte(m)); err != nil || read != m {
			t.Errorf("%v reads back as %v, %v", m, read, err)
		}
	}
	m := Flow
	if err := m.UnmarshalText([]byte("flows")); err == nil || m != Flow {
		t.Errorf("%v, %v", m, err)
	}
}

// The number of layers in a time that is not checked panics, and does not become 0.
func TestCheckedLayers(t *testing.T) {
	if n := CheckedLayers(40, 2.5); n != 100 {
		t.Errorf("%d layers, want 100", n)
	}
	defer func() {
		text, is := recover().(string)
		if !is || !strings.HasPrefix(text, "setting: horizon 0.01: depth × ") {
			t.Errorf("panic %q", text)
		}
	}()
	CheckedLayers(40, 0.01)
}

// What metadata say of an interaction or a start is refused by name, the start of a file when it is needed.
func TestStrangeMetadata(t *testing.T) {
	var b Interaction
	if err := b.UnmarshalText([]byte("gaussian:x")); err == nil ||
		!strings.HasPrefix(err.Error(), "interaction gaussian:x: ") {
		t.Errorf("error %v", err)
	}
	var s Start
	if err := s.UnmarshalText([]byte("missing.arrow#sha256:0123456789abcdef")); err != nil {
		t.Fatal(err)
	}
	start, err := s.Of(3, 4)
	if start != nil || err == nil || !strings.HasPrefix(err.Error(), "start missing") {
		t.Errorf("start %v, error %v", start, err)
	}
}

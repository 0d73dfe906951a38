package matrices

import (
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"antipode/internal/instructionset"
	"antipode/sphere/must"

	"gonum.org/v1/gonum/mat"
)

// advanced returns the signal of a network after all its layers.
func advanced(t testing.TB, n Network, seed uint64, sample int64) *Signal {
	t.Helper()
	must.Do(t, n.Validate())
	s := n.Start(seed, sample)
	for range n.Layers {
		must.Do(t, s.Advance())
	}
	return s
}

// Rows of Markov matrices sum to 1, and their entries have mean 1/T and the standard deviation of the
// law. The relative standard error of the standard deviation of 90,000 entries is at most 0.011, for
// lognormal entries, whose kurtosis is 41.
func TestMarkovMatrices(t *testing.T) {
	for law := range LawNames {
		n := Network{Law: Law(law), Tokens: 300, Dim: 2, Layers: 1, Heads: 1}
		a := advanced(t, n, 1, 0).Attention(0)
		variance := 0.0
		for i := range n.Tokens {
			row := a.RawRowView(i)
			if !(math.Abs(sum(row)-1) <= 1e-14) || slices.Min(row) <= 0 {
				t.Fatalf("%v: row %d has sum %v and least entry %v", n.Law, i, sum(row), slices.Min(row))
			}
			for _, v := range row {
				variance += (v*300 - 1) * (v*300 - 1) / 90000
			}
		}
		if got, want := math.Sqrt(variance), n.Law.Deviation(); !(math.Abs(got-want) <= 0.055*want) {
			t.Errorf("%v: deviation %v, want %v", n.Law, got, want)
		}
	}
}

// The fields on which a matrix depends, and those on which it does not.
func TestMatricesAreAddressed(t *testing.T) {
	base := Network{Tokens: 6, Dim: 8, Layers: 1, Heads: 2}
	first := advanced(t, base, 1, 3)
	longer := base
	longer.Layers, longer.Gap, longer.LayerNorm = 2, RemoveMeans, true
	s := longer.Start(1, 3)
	must.Do(t, s.Advance())
	centred := mat.DenseCopyOf(first.Attention(1))
	centreRows(centred.RawMatrix())
	if !mat.Equal(s.Attention(1), centred) {
		t.Error("gap, LayerNorm or depth change a matrix")
	}
	different := []*mat.Dense{first.Attention(0), first.Attention(1), advanced(t, base, 2, 3).Attention(0),
		advanced(t, base, 1, 4).Attention(0)}
	must.Do(t, s.Advance())
	different = append(different, s.Attention(0))
	for i := range different {
		for j := range i {
			if mat.EqualApprox(different[i], different[j], 1e-3) {
				t.Errorf("matrices %d and %d are equal", i, j)
			}
		}
	}
}

func TestRowsOfAttention(t *testing.T) {
	for attention, want := range map[Attention]float64{Softmax: 1, Linear: 0, Sigmoid: 0.5,
		ReLU: 1 / math.Sqrt(2*math.Pi)} {
		n := Network{Attention: attention, Tokens: 200, Dim: 200, Layers: 1, Heads: 1}
		a := advanced(t, n, 1, 0).Attention(0)
		// The mean of 40,000 entries of size 1, whose correlations in rows and columns leave at least 400
		// independent values: 6 standard deviations are 0.3.
		if got := mat.Sum(a) / 200; math.Abs(got-want) > 0.3 || attention == Softmax &&
			math.Abs(got-1) > 1e-12 {
			t.Errorf("%v: mean row sum %v, want %v", attention, got, want)
		}
		n.Gap = RemoveMeans
		a = advanced(t, n, 1, 0).Attention(0)
		for i := range n.Tokens {
			if s := sum(a.RawRowView(i)); !(math.Abs(s) <= 1e-13) {
				t.Errorf("%v: row %d of sum %v without the gap", attention, i, s)
			}
		}
	}
}

func TestSameBitsForAnyProcessors(t *testing.T) {
	n := Network{Attention: Softmax, Tokens: 150, Dim: 200, Layers: 2, Heads: 1, LayerNorm: true}
	processors := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(processors)
	want := advanced(t, n, 1, 0).X()
	gradients := must.Get(n.Gradients(1, 0))(t)
	runtime.GOMAXPROCS(5)
	again, err := n.Gradients(1, 0)
	if err != nil || !mat.Equal(advanced(t, n, 1, 0).X(), want) || !slices.Equal(gradients, again) {
		t.Errorf("other bits on 5 processors, error %v", err)
	}
}

// Signals and gradients have the same bits with every instruction set and on every machine.
func TestSameBitsOnEveryMachine(t *testing.T) {
	const want = 0x765ae6c7c79592ba
	defer instructionset.Select(instructionset.Active())
	for _, set := range instructionset.Available() {
		must.Do(t, instructionset.Select(set))
		hash := fnv.New64a()
		for attention := range AttentionNames {
			n := Network{Attention: Attention(attention), Tokens: 29, Dim: 38, Layers: 2, Heads: 2,
				LayerNorm: true,
				Gap:       []Gap{KeepGap, RemoveMeans, RemoveUniform}[attention%3], Skip: attention%2 == 0}
			gradients := must.Get(n.Gradients(1, 2))(t)
			for _, x := range append(gradients, advanced(t, n, 1, 2).X().RawMatrix().Data...) {
				fmt.Fprintf(hash, "%x", math.Float64bits(x))
			}
		}
		if got := hash.Sum64(); got != want {
			t.Errorf("%s: hash %#x, want %#x", set, got, uint64(want))
		}
	}
}

func TestExcess(t *testing.T) {
	for _, n := range []Network{
		{Tokens: 60, Dim: 60, Layers: 3, Heads: 1}, {Tokens: 40, Dim: 90, Layers: 1, Heads: 1,
			Gap: RemoveMeans},
		{Tokens: 90, Dim: 40, Layers: 2, Heads: 1, Gap: RemoveMeans}, {Tokens: 5, Dim: 1, Layers: 2,
			Heads: 1},
	} {
		x := advanced(t, n, 1, 0).X()
		values := must.Get(SingularValues(x))(t)
		got, err := CovarianceExcess(x)
		if want := Excess(values); err != nil || !(math.Abs(got-want) <= 1e-10*want+1e-28) {
			t.Errorf("%+v: excess %v, want %v; error %v", n, got, want, err)
		}
		// The stable rank by its definition, from the covariance itself.
		var covariance mat.Dense
		covariance.Mul(x, x.T())
		rank := math.Pow(mat.Norm(&covariance, 2)/(values[0]*values[0]), 2)
		if !(math.Abs(1+got-rank) <= 1e-12*rank) {
			t.Errorf("%+v: stable rank %v, want %v", n, 1+got, rank)
		}
	}
}

// A Large network agrees with the same network whose matrices are multiplied out: the largest values to 9
// digits, and the excess within 5 standard errors for 16 probes.
func TestLarge(t *testing.T) {
	for _, n := range []Network{
		{Tokens: 130, Dim: 130, Layers: 2, Heads: 1}, {Tokens: 100, Dim: 170, Layers: 2, Heads: 1,
			Gap: RemoveMeans},
	} {
		var first *Large
		for _, workers := range []int{1, 3} {
			large := must.Get(n.NewLarge(context.Background(), 1, 4, workers))(t)
			if first == nil {
				first = large
			}
			s := n.Start(1, 4)
			for layer := 1; layer <= 2; layer++ {
				must.Do(t, s.Advance())
				want := must.Get(SingularValues(s.Attention(0)))(t)
				got := must.Get(large.AttentionValues(layer, 3))(t)
				for k := range got {
					if !(math.Abs(got[k]-want[k]) <= 1e-9*want[k]) {
						t.Errorf("s_%d = %v, want %v", k+1, got[k], want[k])
					}
				}
				excess, standardError, err := large.Excess(layer)
				if err != nil {
					t.Fatal(err)
				}
				exact, err := CovarianceExcess(s.X())
				if err != nil || !(math.Abs(excess-exact) <= 5*standardError) || standardError > 0.3*exact {
					t.Errorf("excess %v ± %v, want %v; error %v", excess, standardError, exact, err)
				}
				if same, _, _ := first.Excess(layer); same != excess {
					t.Errorf("other bits with %d workers", workers)
				}
			}
		}
	}
}

// Without a number of workers there is one for each processor, and as many processors are used as before.
func TestWorkersOfLargeNetworks(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	n := Network{Tokens: 5, Dim: 4, Layers: 1, Heads: 1}
	large := must.Get(n.NewLarge(t.Context(), 1, 4, 0))(t)
	if large.workers != 3 || runtime.GOMAXPROCS(0) != 3 {
		t.Errorf("%d workers for %d processors", large.workers, runtime.GOMAXPROCS(0))
	}
}

func TestEigenvaluesAreSorted(t *testing.T) {
	values, err := Eigenvalues(advanced(t, Network{Tokens: 40, Dim: 2, Layers: 1, Heads: 1}, 1,
		0).Attention(0))
	if err != nil || len(values) != 40 {
		t.Fatalf("%d eigenvalues, error %v", len(values), err)
	}
	if !(math.Abs(real(values[0])-1) <= 1e-13) || imag(values[0]) != 0 {
		t.Errorf("the largest eigenvalue is %v", values[0])
	}
	for k := 1; k < len(values); k++ {
		if a, b := values[k-1], values[k]; math.Hypot(real(a), imag(a)) < math.Hypot(real(b), imag(b)) {
			t.Errorf("eigenvalue %v is before %v", a, b)
		}
	}
}

func TestValidate(t *testing.T) {
	good := Network{Tokens: 4, Dim: 4, Layers: 1, Heads: 2}
	for want, change := range map[string]func(*Network){
		"tokens 1":     func(n *Network) { n.Tokens = 1 },
		"dimension 0":  func(n *Network) { n.Dim = 0 },
		"layers 0":     func(n *Network) { n.Layers = 0 },
		"heads 3":      func(n *Network) { n.Heads = 3 },
		"heads 0":      func(n *Network) { n.Heads = 0 },
		"dimension 2":  func(n *Network) { n.Dim, n.Skip = 2, true },
		"dimension 1":  func(n *Network) { n.Dim, n.Heads, n.LayerNorm = 1, 1, true },
		"Attention(9)": func(n *Network) { n.Attention = 9 },
		"Law(-1)":      func(n *Network) { n.Law = -1 },
	} {
		n := good
		change(&n)
		if err := n.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one of %s", err, want)
		}
	}
	n := Network{Attention: Linear, Tokens: 8, Dim: 60, Layers: 60, Heads: 1}
	_, err := n.Gradients(1, 0)
	if err == nil || !strings.Contains(err.Error(), "layer") {
		t.Errorf("error %v, want one of a layer", err)
	}
	n = Network{Attention: ReLU, Tokens: 2, Dim: 1, Layers: 100, Heads: 1}
	if _, err := n.Gradients(1, 0); err == nil || !strings.Contains(err.Error(), "vanishes in layer") {
		t.Errorf("error %v, want that the signal vanishes", err)
	}
}

// A large sample whose context has ended is not drawn.
func TestLargeSampleOfAnEndedContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	n := Network{Attention: Markov, Tokens: 40, Dim: 20, Layers: 3, Heads: 1}
	if large, err := n.NewLarge(ctx, 1, 0, 2); large != nil || err != context.Canceled {
		t.Errorf("%v, %v", large, err)
	}
}

// Only a network of Markov matrices and Gaussian values alone can be large: each other setting is refused by
// a panic.
func TestNetworksThatAreNotLarge(t *testing.T) {
	plain := Network{Attention: Markov, Tokens: 4, Dim: 6, Layers: 1, Heads: 1}
	for what, change := range map[string]func(n *Network){
		"softmax": func(n *Network) { n.Attention = Softmax }, "skip": func(n *Network) { n.Skip = true },
		"LayerNorm": func(n *Network) { n.LayerNorm = true }, "heads": func(n *Network) { n.Heads = 2 },
		"outliers": func(n *Network) { n.Gap = RemoveOutliers },
		"values":   func(n *Network) { n.Values = OrthogonalValues },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", what)
				}
			}()
			n := plain
			change(&n)
			n.NewLarge(t.Context(), 1, 0, 1)
		}()
	}
}

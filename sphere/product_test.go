package sphere

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestDotSymmetries(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for range 1000 {
		x, y := gaussians(r, 7), gaussians(r, 7)
		minus := make([]float64, 7)
		scale(minus, x, -1)
		if Dot(x, y) != Dot(y, x) || Dot(minus, y) != -Dot(x, y) {
			t.Fatal("Dot is not exactly symmetric and odd")
		}
	}
	if Dot(nil, nil) != 0 {
		t.Error("empty product is not 0")
	}
}

func TestGramIsPositiveSemidefinite(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 2))
	for _, size := range [][2]int{{1, 1}, {1, 5}, {4, 2}, {6, 6}, {20, 3}} {
		n, d := size[0], size[1]
		x := gaussians(r, n*d)
		g := make([]float64, n*n)
		Gram(g, x, d)
		for i := range n {
			for j := range n {
				if g[i*n+j] != g[j*n+i] || !(math.Abs(g[i*n+j]-Dot(x[i*d:(i+1)*d], x[j*d:(j+1)*d])) <= 0) {
					t.Fatalf("entry %d,%d", i, j)
				}
			}
		}
		var eigen mat.EigenSym
		if !eigen.Factorize(mat.NewSymDense(n, g), false) {
			t.Fatal("no eigenvalues")
		}
		values := eigen.Values(nil)
		if values[0] < -1e-13*values[n-1] {
			t.Errorf("N=%d, d=%d: eigenvalue %g", n, d, values[0])
		}
		for k := 0; k < n-d; k++ {
			if !(math.Abs(values[k]) <= 1e-13*values[n-1]) {
				t.Errorf("N=%d, d=%d: rank exceeds d: eigenvalue %g", n, d, values[k])
			}
		}
	}
}

func TestWrongShapesPanic(t *testing.T) {
	for name, f := range map[string]func(){
		"tokens":      func() { Tokens(make([]float64, 5), 2) },
		"dimension 0": func() { Tokens(nil, 0) },
		"gram":        func() { Gram(make([]float64, 3), make([]float64, 4), 2) },
		"pair":        func() { _ = Pair(make([]float64, 6), 2, 0, nil) },
		"tolerance":   func() { NewClassifier(2, 1) },
		"no tokens":   func() { NewClassifier(0, 0.1) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

package matrices

import (
	"fmt"
	"math"
	"math/bits"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"antipode/sphere/must"
)

// plainForward computes the network in simple loops: the signal after all layers, given the weights of
// the heads of each layer.
func plainForward(n Network, layers []*layer) [][]float64 {
	var x [][]float64 // nil for the input
	for _, l := range layers {
		next := make([][]float64, n.Tokens)
		for k, h := range l.heads {
			values := plainProject(x, h.value, h.values)
			a := make([][]float64, n.Tokens)
			for i := range a {
				if !n.Attention.HasScores() {
					a[i] = append([]float64{}, h.raw.RawRowView(i)...)
				} else {
					a[i] = plainAttention(n, plainProject(x, h.queryWeight, h.query)[i],
						plainProject(x, h.keyWeight, h.key))
				}
			}
			plainGap(n.Gap, a)
			for i := range a {
				for c := range n.width() {
					total := 0.0
					for j, v := range a[i] {
						total += v * values[j][c]
					}
					if n.Skip {
						switch column := k*n.width() + c; {
						case x != nil:
							total += x[i][column]
						case i == column:
							total++
						}
					}
					next[i] = append(next[i], total)
				}
			}
		}
		for _, row := range next {
			if n.LayerNorm {
				plainNorm(row)
			}
		}
		x = next
	}
	return x
}

// plainGap removes the gap of a matrix in place. Outliers are eigenvectors of AAᵀ, and A is projected on
// their orthogonal complement.
func plainGap(g Gap, a [][]float64) {
	tokens := float64(len(a))
	matrix := mat.NewDense(len(a), len(a), nil)
	for i := range a {
		mean := 0.0
		for j, v := range a[i] {
			mean += v / tokens
			matrix.Set(i, j, v)
		}
		for j := range a[i] {
			switch g {
			case RemoveMeans:
				a[i][j] -= mean
			case RemoveUniform:
				a[i][j] -= 1 / tokens
			}
		}
	}
	if g != RemoveOutliers {
		return
	}
	var gram mat.SymDense
	gram.SymOuterK(1, matrix)
	var eigen mat.EigenSym
	eigen.Factorize(&gram, true)
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	values := eigen.Values(nil) // ascending
	for k, v := range values {
		if math.Sqrt(max(0, v)) <= 5*math.Sqrt(max(0, values[len(values)/2])) { // the middle of an odd number
			continue
		}
		for j := range a {
			inner := 0.0
			for i := range a {
				inner += vectors.At(i, k) * matrix.At(i, j)
			}
			for i := range a {
				a[i][j] -= vectors.At(i, k) * inner
			}
		}
	}
}

func plainProject(x [][]float64, weight, product *mat.Dense) (result [][]float64) {
	rows, columns := product.Dims()
	for i := range rows {
		result = append(result, make([]float64, columns))
		for c := range columns {
			if x == nil {
				result[i][c] = product.At(i, c)
				continue
			}
			for k, v := range x[i] {
				result[i][c] += v * weight.At(k, c)
			}
		}
	}
	return result
}

func plainAttention(n Network, query []float64, keys [][]float64) []float64 {
	row := make([]float64, n.Tokens)
	total := 0.0
	for j, key := range keys {
		for c := range key {
			row[j] += query[c] * key[c] / math.Sqrt(float64(len(key))) * n.KeyScale * n.KeyScale
		}
		total += math.Exp(row[j])
	}
	for j, score := range row {
		row[j] = map[Attention]float64{
			Softmax: math.Exp(score) * float64(n.Tokens) / total, Linear: score,
			Sigmoid: 1 / (1 + math.Exp(-score)), ReLU: max(score, 0),
		}[n.Attention] / float64(n.Tokens)
	}
	return row
}

func plainNorm(row []float64) {
	var mean, square float64
	for _, v := range row {
		mean += v / float64(len(row))
	}
	for _, v := range row {
		square += (v - mean) * (v - mean) / float64(len(row))
	}
	for k := range row {
		row[k] = (row[k] - mean) / math.Sqrt(square)
	}
}

// Signal and gradients of networks agree with simple loops and their differences, the gradients in every
// second entry of each matrix, for half of all combinations of the options, in which all pairs of options
// occur.
func TestGradientsAreDerivatives(t *testing.T) {
	for attention := range AttentionNames {
		for variant := range 32 {
			if (attention+bits.OnesCount(uint(variant)))%2 == 1 {
				continue
			}
			n := Network{
				Attention: Attention(attention), Tokens: 5, Dim: 6, Layers: 3, Heads: 1 + variant&1,
				Skip: variant&2 != 0, LayerNorm: variant&4 != 0, Gap: Gap(variant >> 3),
				Values:   Values(variant & 1),
				KeyScale: 1 - 0.2*float64(variant&1),
			}
			if n.Gap == RemoveOutliers {
				n.Layers = 2 // the signal may almost vanish after more layers
			}
			t.Run(fmt.Sprintf("%+v", n), func(t *testing.T) { testGradients(t, n) })
		}
	}
}

func testGradients(t *testing.T, n Network) {
	const sample = 5
	probe := n.Start(7, 9).normal(n.Tokens, queryRole, 0, 0)
	if n.Heads > 1 {
		both := mat.NewDense(n.Tokens, n.Dim, nil)
		both.Augment(probe, n.Start(7, 9).normal(n.Tokens, queryRole, 0, 1))
		probe = both
	}
	signal := n.Start(1, sample)
	signal.keeps = true
	var layers []*layer
	for range n.Layers {
		must.Do(t, signal.Advance())
		layers = append(layers, signal.last)
	}
	value := func() (total float64) {
		for i, row := range plainForward(n, layers) {
			for c, v := range row {
				total += v * probe.At(i, c)
			}
		}
		return total
	}
	for i, row := range plainForward(n, layers) {
		for c, v := range row {
			if got := signal.X().At(i, c); !(math.Abs(got-v) <= 1e-8*(1+math.Abs(v))) {
				t.Fatalf("signal (%d, %d) = %v, want %v", i, c, got, v)
			}
		}
	}
	worst, largest := 0.0, 0.0
	must.Get(n.Workspace().gradients(1, sample, probe, func(l, head int, gradient blas64.General) float64 {
		weight := layers[l].heads[head].value
		if l == 0 {
			weight = layers[l].heads[head].values
		}
		rows, columns := weight.Dims()
		for i := range rows {
			for c := i % 2; c < columns; c += 2 {
				const h = 1e-5
				w := weight.At(i, c)
				weight.Set(i, c, w+h)
				above := value()
				weight.Set(i, c, w-h)
				difference := (above - value()) / (2 * h)
				weight.Set(i, c, w)
				largest = max(largest, math.Abs(difference))
				worst = max(worst, math.Abs(gradient.Data[i*gradient.Stride+c]-difference))
			}
		}
		return 0
	}))(t)
	if worst > 1e-6*(1+largest) {
		t.Errorf("a gradient is off by %g; the largest is %g", worst, largest)
	}
}

// The sum over all unit probes is the squared norm of a Kronecker product.
func TestGradientsOfAllProbes(t *testing.T) {
	n := Network{Tokens: 5, Dim: 3, Layers: 3, Heads: 1, Gap: RemoveMeans}
	sums := make([]float64, n.Layers)
	for i := range n.Tokens {
		for c := range n.Dim {
			probe := mat.NewDense(n.Tokens, n.Dim, nil)
			probe.Set(i, c, 1)
			g, err := n.Workspace().gradients(2, 0, probe, func(_, _ int, gradient blas64.General) float64 {
				norm := mat.Norm(mat.NewDense(gradient.Rows, gradient.Cols, gradient.Data), 2)
				return norm * norm
			})
			if err != nil {
				t.Fatal(err)
			}
			for l := range sums {
				sums[l] += g[l]
			}
		}
	}
	signal := n.Start(2, 0)
	signal.keeps = true
	left, right := mat.DenseCopyOf(eye(n.Tokens)), mat.DenseCopyOf(eye(n.Dim))
	var heads []*head
	var inputs []*mat.Dense
	for range n.Layers {
		must.Do(t, signal.Advance())
		heads, inputs = append(heads, &signal.last.heads[0]), append(inputs, signal.last.input)
	}
	for l := n.Layers - 1; l >= 0; l-- {
		var a, ax, w mat.Dense
		a.Mul(left, heads[l].matrix)
		left = &a
		ax.CloneFrom(&a)
		if l > 0 {
			ax.Reset()
			ax.Mul(&a, inputs[l])
		}
		want := mat.Norm(&ax, 2) * mat.Norm(right, 2)
		if want *= want; !(math.Abs(sums[l]-want) <= 1e-12*want) {
			t.Errorf("layer %d: %v, want %v", l+1, sums[l], want)
		}
		if l > 0 {
			w.Mul(heads[l].value, right)
			right = &w
		}
	}
}

func eye(n int) mat.Matrix {
	m := mat.NewDiagDense(n, nil)
	for k := range n {
		m.SetDiag(k, 1)
	}
	return m
}

// Orthogonal values have orthogonal columns of length √D (√T if the input has more tokens), for any
// number of heads. Haar measure has mean 0, whereas Q without the signs of R would have negative
// diagonals.
func TestOrthogonalValues(t *testing.T) {
	for _, n := range []Network{
		{Tokens: 4, Dim: 6, Heads: 1, Values: OrthogonalValues}, {Tokens: 9, Dim: 6, Heads: 2,
			Values: OrthogonalValues},
	} {
		var gram mat.Dense
		w := n.Start(1, 2).first(valueRole, 0, 0)
		if rows, columns := w.Dims(); rows != n.Tokens || columns != n.width() {
			t.Fatalf("%d × %d", rows, columns)
		}
		weight, _ := n.Start(1, 2).project(valueRole, 1, 0, mat.NewDense(n.Tokens, n.Dim, nil))
		gram.Mul(weight.T(), weight)
		for i := range n.width() {
			for j := range n.width() {
				want := 0.
				if i == j {
					want = float64(n.Dim)
				}
				if !(math.Abs(gram.At(i, j)-want) <= 1e-12) {
					t.Errorf("%+v: entry (%d, %d) of WᵀW is %v, want %v", n, i, j, gram.At(i, j), want)
				}
			}
		}
	}
	// Within 4.5 standard errors of 400 means with variance 1/D·D (false alarm for fewer than 1e-5 of
	// seeds).
	n, mean := Network{Tokens: 5, Dim: 5, Heads: 1, Values: OrthogonalValues}, 0.0
	for sample := range int64(400) {
		mean += mat.Trace(n.Start(3, sample).first(valueRole, 0, 0)) / math.Sqrt(5) / 400
	}
	if !(math.Abs(mean) <= 4.5/math.Sqrt(400)) {
		t.Errorf("mean trace %v of an orthogonal matrix", mean)
	}
}

// For rows that sum to 1, RemoveMeans and RemoveUniform agree; for others they do not.
func TestRemovals(t *testing.T) {
	for attention, same := range map[Attention]bool{Softmax: true, Markov: true, Identity: true,
		ReLU: false} {
		means := Network{Attention: attention, Tokens: 7, Dim: 5, Layers: 1, Heads: 1, Gap: RemoveMeans}
		uniform := means
		uniform.Gap = RemoveUniform
		a, b := means.Start(1, 0), uniform.Start(1, 0)
		if a.Advance() != nil || b.Advance() != nil {
			t.Fatal("no signal")
		}
		if got := mat.EqualApprox(a.Attention(0), b.Attention(0), 1e-15); got != same {
			t.Errorf("%v: equal %v", attention, got)
		}
	}
}

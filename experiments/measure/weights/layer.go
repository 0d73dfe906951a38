package weights

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"antipode/experiments/measure/arrays"

	"gonum.org/v1/gonum/mat"
)

// matrices are the weight matrices of a layer, outputs × inputs. In a pre-norm layer, some weight matrices
// read the output of a norm. The columns of matrices that read the output of a norm are multiplied by the
// gains of the norm, so that the matrices act on tokens of norm √d.
type matrices struct {
	query, key, value, output *mat.Dense
	up, gate, down            *mat.Dense // gate is nil if the MLP is not gated
	attention, mlp            float64    // mean squares of the entries of their inputs
}

// read reads the weight matrices of a layer.
func (m *Model) read(layer int) (*matrices, error) {
	l, r := m.Layout, &matrices{attention: 1, mlp: 1}
	inner := m.Heads * m.HeadDim
	for _, wanted := range []struct {
		to      **mat.Dense
		pattern string
	}{
		{&r.query, l.Query}, {&r.key, l.Key}, {&r.value, l.Value}, {&r.output, l.Output}, {&r.up, l.Up},
		{&r.gate, l.Gate}, {&r.down, l.Down},
	} {
		if !slices.Contains(l.matrices(), wanted.pattern) {
			continue
		}
		var err error
		if *wanted.to, err = m.matrix(wanted.pattern, layer); err != nil {
			return nil, err
		}
	}
	if l.Fused != "" {
		all, err := m.matrix(l.Fused, layer)
		if err != nil {
			return nil, err
		}
		part := func(k int) *mat.Dense { return mat.DenseCopyOf(all.Slice(k*inner, (k+1)*inner, 0, m.Dim)) }
		r.query, r.key, r.value = part(0), part(1), part(2)
	}
	return r, m.fold(r, layer)
}

// matrix reads a weight matrix of a layer. The error says if an entry is not finite.
func (m *Model) matrix(pattern string, layer int) (*mat.Dense, error) {
	name := m.prefix + withLayer(pattern, layer)
	numbers, err := m.numbers(name)
	if err != nil {
		return nil, err
	}
	shape := m.byName[name].Shape
	read := mat.NewDense(shape[0], shape[1], numbers)
	if m.Layout.InputsFirst {
		return mat.DenseCopyOf(read.T()), nil
	}
	return read, nil
}

// largest bounds the absolute values of weights, so that no sum of products of six weights overflows float64.
const largest = 1e30

// numbers reads all entries of an array of weights, by the name of the array.
func (m *Model) numbers(name string) ([]float64, error) {
	a := m.byName[name]
	numbers, scratch := make([]float64, a.Count()), []byte(nil)
	if err := a.Read(numbers, 0, &scratch); err != nil {
		return nil, fmt.Errorf("array %.80q %w", name, err)
	}
	for _, x := range numbers {
		if math.IsNaN(x) || math.Abs(x) > largest {
			return nil, fmt.Errorf("array %.80q has a number, %v, that is not finite or above %g", name, x,
				largest)
		}
	}
	return numbers, nil
}

// fold multiplies the columns of weight matrices by the gains of the norms whose outputs the matrices read.
func (m *Model) fold(r *matrices, layer int) error {
	attention := m.Layout.AttentionNorm
	if layer == 0 && strings.Contains(attention, "{previous}") {
		attention = m.Layout.FirstNorm
		square, projected, err := m.projectedSquare()
		if err != nil {
			return err
		}
		if projected {
			attention, r.attention = "", square
		}
	}
	for _, norm := range []struct {
		pattern string
		square  *float64
		readers []*mat.Dense
	}{
		{attention, &r.attention, []*mat.Dense{r.query, r.key, r.value}},
		{m.Layout.MLPNorm, &r.mlp, []*mat.Dense{r.up, r.gate}},
	} {
		gains, err := m.gains(norm.pattern, layer, m.Dim)
		if err != nil {
			return err
		}
		if gains == nil {
			continue
		}
		if m.Layout.Norm == PostNorm {
			*norm.square = 0
			for _, g := range gains {
				*norm.square += g * g / float64(len(gains))
			}
			continue
		}
		for _, reader := range norm.readers {
			if reader != nil {
				reader.Apply(func(_, j int, v float64) float64 { return v * gains[j] }, reader)
			}
		}
	}
	return nil
}

// gains reads the gains of a norm of tokens of the given size in a layer. The result is nil if the file has
// no gains of this norm.
func (m *Model) gains(pattern string, layer, size int) ([]float64, error) {
	if pattern == "" {
		return nil, nil
	}
	for _, one := range strings.Split(pattern, "|") {
		name, a := m.named(withLayer(one, layer))
		switch {
		case a == nil:
		case len(a.Shape) != 1 || a.Shape[0] != size:
			return nil, fmt.Errorf("array %.80q has the shape %.40s; must be of %d gains", name,
				fmt.Sprint(a.Shape), size)
		default:
			return m.numbers(name)
		}
	}
	return nil, nil
}

// named returns an array, or nil, with its full name in the file. The name of an array outside the layers may
// have the prefix of the layers' names without "encoder.".
func (m *Model) named(name string) (full string, a *arrays.Array) {
	prefix := m.prefix
	if m.byName[prefix+name] == nil && strings.HasSuffix(prefix, "encoder.") {
		prefix = strings.TrimSuffix(prefix, "encoder.")
	}
	return prefix + name, m.byName[prefix+name]
}

// inputSquare returns the mean square of the entries of the input tokens of a pre-norm Transformer, computed
// from its embeddings. The result is NaN if the embeddings are not known.
func (m *Model) inputSquare() (float64, error) {
	if m.Layout.Norm == PostNorm {
		return 1, nil
	}
	sum := 0.
	for _, name := range m.Layout.Embeddings {
		name = m.prefix + name
		if a := m.byName[name]; a == nil || len(a.Shape) != 2 || a.Shape[1] != m.Dim || a.Count() == 0 ||
			a.Count() > mostEmbeddings {
			return math.NaN(), nil
		}
		numbers, err := m.numbers(name)
		if err != nil {
			return 0, err
		}
		for _, x := range numbers {
			sum += x * x / float64(len(numbers))
		}
	}
	if sum == 0 {
		return math.NaN(), nil
	}
	return sum, nil
}

// mostEmbeddings bounds the memory for an array of embeddings.
const mostEmbeddings = 1 << 28

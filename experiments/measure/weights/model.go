package weights

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"antipode/experiments/measure/arrays"
	"antipode/internal/lists"
)

// Extensions are the extensions of the files from which weights can be read.
var Extensions = []string{".safetensors", ".npz", arrays.IndexExtension}

// Model is the weights of a Transformer in an open file.
type Model struct {
	Family                   string // name of the layout; "" if the user gave the layout
	Layout                   Layout
	Layers, Dim              int
	Heads, KeyHeads, HeadDim int
	Width                    int  // width of the MLP
	Assumed                  bool // whether one head per 64 dimensions was assumed

	file   *arrays.File
	byName map[string]*arrays.Array
	prefix string
}

// Open opens the weights at path. If layout is nil, the layout is recognised from the names of the weights.
// If heads is 0, the number of heads is taken from the layout; if the layout has no number of heads, one head
// per 64 dimensions is assumed. The error is a single line.
func Open(path string, layout *Layout, heads int) (*Model, error) {
	file, err := arrays.Open(path, arrays.Any)
	if err != nil {
		return nil, err
	}
	m := &Model{file: file, byName: map[string]*arrays.Array{}}
	for k := range file.Arrays {
		m.byName[file.Arrays[k].Name] = &file.Arrays[k]
	}
	if err = m.find(layout); err == nil {
		err = m.checkNorms()
	}
	if err == nil {
		err = m.size(heads)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return m, nil
}

// Close closes the file of the model's weights.
func (m *Model) Close() error { return m.file.Close() }

// find determines the number of layers, the common prefix of the names of the weights and, if it is not
// given, the layout.
func (m *Model) find(layout *Layout) error {
	if layout != nil {
		m.Layout = *layout
		prefixes := m.prefixes(*layout)
		if len(prefixes) == 0 {
			return fmt.Errorf("has no array whose name ends in %.80q", withLayer(layout.Output, 0))
		}
		return m.count(prefixes)
	}
	for _, name := range families {
		if prefixes := m.prefixes(Families[name]); len(prefixes) > 0 {
			m.Family, m.Layout = name, Families[name]
			return m.count(prefixes)
		}
	}
	return fmt.Errorf("has names of none of %s, as %.60q; must be named by a map", strings.Join(families,
		", "), m.file.Arrays[0].Name)
}

// prefixes returns the prefixes that precede the names of a layout in a file, as found before the name of the
// output matrix of layer 0. A prefix counts only if the file has all matrices that the layout needs.
func (m *Model) prefixes(l Layout) (prefixes []string) {
	for name := range m.byName {
		prefix, is := strings.CutSuffix(name, withLayer(l.Output, 0))
		if is && (prefix == "" || strings.HasSuffix(prefix, ".") || strings.HasSuffix(prefix, "/")) &&
			m.has(prefix, l) {
			prefixes = append(prefixes, prefix)
		}
	}
	slices.Sort(prefixes)
	return prefixes
}

func (m *Model) has(prefix string, l Layout) bool {
	return !slices.ContainsFunc(l.matrices(), func(pattern string) bool {
		return m.byName[prefix+withLayer(pattern, 0)] == nil
	})
}

// matrices returns the names, with {layer}, of all matrices that a layer of the layout must have.
func (l Layout) matrices() []string {
	attention := []string{l.Query, l.Key, l.Value}
	if l.Fused != "" {
		attention = []string{l.Fused}
	}
	return lists.Filter(append(attention, l.Output, l.Up, l.Gate, l.Down),
		func(pattern string) bool { return pattern != "" })
}

// count determines the number of layers from the names of the weights.
func (m *Model) count(prefixes []string) error {
	if len(prefixes) > 1 {
		return fmt.Errorf("has several stacks of layers, %.60q and %.60q; must be one, or be named by a map",
			prefixes[0], prefixes[1])
	}
	m.prefix = prefixes[0]
	for m.byName[m.prefix+withLayer(m.Layout.Output, m.Layers)] != nil {
		if m.Layers++; m.Layers > mostLayers {
			return fmt.Errorf("has more than %d layers", mostLayers)
		}
	}
	if m.continues() {
		return fmt.Errorf("has no array %.80q", m.prefix+withLayer(m.Layout.Output, m.Layers))
	}
	if want := m.Layout.layers; want > 0 && want != m.Layers {
		return fmt.Errorf("has %d layers; must have the %d of its configuration", m.Layers, want)
	}
	for layer := range m.Layers {
		for _, pattern := range m.Layout.matrices() {
			if name := m.prefix + withLayer(pattern, layer); m.byName[name] == nil {
				return fmt.Errorf("has no array %.80q", name)
			}
		}
	}
	return nil
}

// continues reports whether the file has a matrix of a layer after the layers that were counted.
func (m *Model) continues() bool {
	for _, pattern := range m.Layout.matrices() {
		before, after, _ := strings.Cut(m.prefix+pattern, number)
		for name := range m.byName {
			middle, is := strings.CutPrefix(name, before)
			middle, ends := strings.CutSuffix(middle, after)
			layer, err := strconv.Atoi(middle)
			if is && ends && err == nil && layer >= m.Layers {
				return true
			}
		}
	}
	return false
}

func withLayer(pattern string, layer int) string {
	return strings.NewReplacer(number, strconv.Itoa(layer), "{previous}",
		strconv.Itoa(layer-1)).Replace(pattern)
}

// Bounds of the sizes of a model: the dimension of tokens, the width of MLPs, and the dimension of a head.
const (
	mostDim   = 1 << 15
	mostWidth = 1 << 18

	mostHeadDim = 512 // random matrices of this size are sampled
)

// size determines the sizes of the model from the shapes of the weight matrices of layer 0, and checks the
// shapes in all layers.
func (m *Model) size(heads int) error {
	output, err := m.shape(m.Layout.Output, 0)
	if err != nil {
		return err
	}
	m.Dim = output[0]
	if want := m.Layout.dim; want > 0 && want != m.Dim {
		return fmt.Errorf("has dimension %d; must have the %d of its configuration", m.Dim, want)
	}
	inner := output[1]
	m.Width = 1 // any value, as there is no MLP
	if !m.Layout.alone() {
		up, err := m.shape(m.Layout.Up, 0)
		if err != nil {
			return err
		}
		m.Width = up[0]
	}
	if m.Dim < 2 || m.Dim > mostDim || inner < 1 || inner > mostDim || m.Width < 1 || m.Width > mostWidth {
		return fmt.Errorf("has dimension %d, %d of all heads, and MLPs of width %d; must be from 2 to %d, "+
			"and at most %d and %d", m.Dim, inner, m.Width, mostDim, mostDim, mostWidth)
	}
	if m.Heads = max(heads, 0); m.Heads == 0 {
		m.Heads = m.Layout.Heads
	}
	if m.Heads == 0 {
		m.Heads, m.Assumed = inner/64, true
		if inner%64 != 0 {
			return fmt.Errorf("has %d dimensions of all heads together, and does not say how many heads "+
				"there are", inner)
		}
	}
	if inner%m.Heads != 0 {
		return fmt.Errorf("has %d dimensions of all heads together, which %d heads do not share evenly",
			inner, m.Heads)
	}
	if m.HeadDim = inner / m.Heads; m.HeadDim > mostHeadDim {
		return fmt.Errorf("has heads of %d dimensions; must be at most %d", m.HeadDim, mostHeadDim)
	}
	if m.KeyHeads, err = m.keyHeads(); err != nil {
		return err
	}
	for layer := range m.Layers {
		if err := m.checkShapes(layer); err != nil {
			return err
		}
	}
	return nil
}

// keyHeads returns the number of heads of keys and values. Several heads of queries may share a head of keys
// and values.
func (m *Model) keyHeads() (int, error) {
	if m.Layout.Fused != "" {
		return m.Heads, nil
	}
	key, err := m.shape(m.Layout.Key, 0)
	if err != nil {
		return 0, err
	}
	heads := key[0] / m.HeadDim
	if heads < 1 || key[0]%m.HeadDim != 0 || m.Heads%heads != 0 || m.Layout.KeyHeads > 0 &&
		heads != m.Layout.KeyHeads {
		return 0, fmt.Errorf("has keys of %d dimensions together, which do not belong to %d heads of %d "+
			"dimensions", key[0], m.Heads, m.HeadDim)
	}
	return heads, nil
}

// checkShapes returns an error unless the weight matrices of a layer have the shapes that follow from the
// sizes of the model.
func (m *Model) checkShapes(layer int) error {
	inner, keys := m.Heads*m.HeadDim, m.KeyHeads*m.HeadDim
	l := m.Layout
	wanted := map[string][2]int{l.Output: {m.Dim, inner}, l.Up: {m.Width, m.Dim}, l.Down: {m.Dim, m.Width}}
	if l.Fused != "" {
		wanted[l.Fused] = [2]int{3 * inner, m.Dim}
	} else {
		wanted[l.Query] = [2]int{inner, m.Dim}
		wanted[l.Key], wanted[l.Value] = [2]int{keys, m.Dim}, [2]int{keys, m.Dim}
	}
	if l.Gate != "" {
		wanted[l.Gate] = [2]int{m.Width, m.Dim}
	}
	for _, pattern := range l.matrices() {
		got, err := m.shape(pattern, layer)
		if err != nil {
			return err
		}
		if want := wanted[pattern]; got != want {
			return fmt.Errorf("array %.80q has %d outputs of %d inputs; must have %d of %d",
				withLayer(pattern, layer), got[0], got[1], want[0], want[1])
		}
	}
	return nil
}

// shape returns the numbers of outputs and inputs of a weight matrix as the file stores it.
func (m *Model) shape(pattern string, layer int) (shape [2]int, err error) {
	name := m.prefix + withLayer(pattern, layer)
	a := m.byName[name]
	if len(a.Shape) != 2 {
		return shape, fmt.Errorf("array %.80q has %d axes; must be a matrix", name, len(a.Shape))
	}
	if shape = [2]int{a.Shape[0], a.Shape[1]}; m.Layout.InputsFirst {
		shape[0], shape[1] = shape[1], shape[0]
	}
	return shape, nil
}

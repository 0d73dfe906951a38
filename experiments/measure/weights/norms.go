package weights

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Names of gains in a layer, without the number of the layer: those of norms of queries or keys, as q_norm,
// k_layernorm or norm_q, and those of any norm, as LayerNorm, ln_1 or norm3.
var (
	ofQueriesOrKeys = regexp.MustCompile(`(^|[./_])(((q|k|qk|query|key)_?(layer_?)?(norm|ln))|` +
		`((norm|ln)_(q|k|query|key)))s?([./_]|$)`)
	ofNorm = regexp.MustCompile(`(norm[^./]*|(^|[./_])ln(_?[^./]*)?)[./](weight|gamma|scale)$`)
)

// checkNorms returns an error if the first layer has norms that would be ignored and would change what the
// measurements mean: a norm of queries or keys or, if the layout names the norms of both branches, any norm
// that is neither of them, such as one after a branch.
func (m *Model) checkNorms() error {
	l := m.Layout
	before, after, _ := strings.Cut(l.Output, number)
	if after == "" {
		return nil
	}
	known := map[string]bool{}
	for _, pattern := range strings.Split(l.AttentionNorm+"|"+l.MLPNorm, "|") {
		for layer := range 2 { // the norm of the previous layer is that of layer 0 in layer 1
			known[m.prefix+withLayer(pattern, layer)] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m.byName)) {
		inLayer, is := strings.CutPrefix(name, m.prefix+before+"0"+after[:1])
		inLayer = strings.ToLower(inLayer)
		switch {
		case !is || known[name]:
		case ofQueriesOrKeys.MatchString(inLayer):
			return fmt.Errorf("has the norm %.80q; attention whose queries or keys are normalised is not "+
				"supported", name)
		case l.AttentionNorm != "" && l.MLPNorm != "" && ofNorm.MatchString(inLayer):
			return fmt.Errorf("has the norm %.80q, which is not one of the two norms of a layer; layers "+
				"with more norms are not supported", name)
		}
	}
	return nil
}

// projectedSquare returns the mean square of the entries of the tokens that attention reads in layer 0, if a
// matrix maps embeddings to tokens after their norm: that of the matrix times the gains of the norm, summed
// over its inputs. The result ok is false if the file has no such matrix.
func (m *Model) projectedSquare() (square float64, ok bool, err error) {
	if m.Layout.projection == "" {
		return 0, false, nil
	}
	name, a := m.named(m.Layout.projection)
	if a == nil {
		return 0, false, nil
	}
	if len(a.Shape) != 2 || a.Shape[0] != m.Dim || a.Shape[1] < 1 {
		return 0, false, fmt.Errorf("array %.80q has the shape %.40s; must have %d outputs", name,
			fmt.Sprint(a.Shape), m.Dim)
	}
	gains, err := m.gains(m.Layout.FirstNorm, 0, a.Shape[1])
	if err != nil {
		return 0, false, err
	}
	numbers, err := m.numbers(name)
	if err != nil {
		return 0, false, err
	}
	for k, x := range numbers {
		if gains != nil {
			x *= gains[k%len(gains)]
		}
		square += x * x / float64(m.Dim)
	}
	return square, true, nil
}

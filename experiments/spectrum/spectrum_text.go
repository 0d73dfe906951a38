package spectrum

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"

	"antipode/data"
	"antipode/experiments/columns"
	"antipode/experiments/run"
	"antipode/experiments/wording"
	"antipode/overlap/spectrum"
	"antipode/sde/matrices"
)

// spectrumTable is a table of Spectrum, by kinds of attention and layers.
type spectrumTable struct {
	*Spectrum
	layers map[spectrumKey]*layerValues
}

type spectrumKey struct {
	attention int8
	layer     int32
}

// layerValues are the values of a layer, sample after sample.
type layerValues struct {
	singular, covariance [][]float64
	eigen                [][]complex128
	rank, excess         []float64
}

func readSpectrum(table *data.Table) (*spectrumTable, error) {
	t := &spectrumTable{NewSpectrum(), map[spectrumKey]*layerValues{}}
	if err := run.ReadParameters(t.Spectrum, table); err != nil {
		return nil, err
	}
	r := columns.Reader{Table: table}
	attention, quantity := columns.Of[int8](&r, "attention"), columns.Of[int8](&r, "quantity")
	layer, index := columns.Of[int32](&r, "layer"), columns.Of[int32](&r, "index")
	value, imaginary := columns.Of[float64](&r, "value"), columns.Of[float64](&r, "imaginary")
	if r.Err == nil && len(value) == 0 {
		r.Err = columns.ErrNoRows
	}
	for k := range value {
		key := spectrumKey{attention[k], layer[k]}
		if t.layers[key] == nil {
			t.layers[key] = &layerValues{}
		}
		v := t.layers[key]
		switch quantity[k] {
		case singularValue:
			v.singular = appendTo(v.singular, index[k], value[k])
		case eigenvalue:
			v.eigen = appendTo(v.eigen, index[k], complex(value[k], imaginary[k]))
		case covariance:
			v.covariance = appendTo(v.covariance, index[k], value[k])
		case stableRank:
			v.rank = append(v.rank, value[k])
		case stableRankExcess:
			v.excess = append(v.excess, value[k])
		}
	}
	return t, r.Err
}

// appendTo appends a value to the last sample, or to a new one if it is the first.
func appendTo[T any](samples [][]T, index int32, value T) [][]T {
	if index == 1 || len(samples) == 0 {
		samples = append(samples, nil)
	}
	samples[len(samples)-1] = append(samples[len(samples)-1], value)
	return samples
}

// at is a layer of a kind of attention; empty if the table does not have it.
func (t *spectrumTable) at(n matrices.Network, layer int) *layerValues {
	if v := t.layers[spectrumKey{int8(n.Attention), int32(layer)}]; v != nil {
		return v
	}
	return &layerValues{}
}

// spectrumSummary is what a run says of one kind of attention.
type spectrumSummary struct {
	Attention        string    `json:"attention"`
	Tokens           int       `json:"tokens"`
	Dim              int       `json:"dim"`
	Samples          int64     `json:"samples"`
	S1               float64   `json:"s1"`
	S2               float64   `json:"s2_sqrt_t"`
	Edge             float64   `json:"edge"` // of the bulk, in the limit
	Outliers         float64   `json:"outliers"`
	StableRank       []float64 `json:"stable_rank"`
	StableRankExcess []float64 `json:"stable_rank_excess"`
}

func (t *spectrumTable) summary(n matrices.Network) spectrumSummary {
	s := spectrumSummary{Attention: n.Attention.String(), Tokens: n.Tokens, Dim: n.Dim, Samples: t.Samples, Edge: bulkEdge(n)}
	values := t.at(n, 1).singular
	for _, v := range values {
		s.S1 += v[0] / float64(len(values))
		s.S2 += v[1] * math.Sqrt(float64(n.Tokens)) / float64(len(values))
		s.Outliers += float64(outliers(n, v)) / float64(len(values))
	}
	for layer := 1; layer <= n.Layers; layer++ {
		v := t.at(n, layer)
		s.StableRank, s.StableRankExcess = append(s.StableRank, mean(v.rank)), append(s.StableRankExcess, mean(v.excess))
	}
	return s
}

// outliers counts the singular values of the attention matrix of the first layer beyond the
// edge of the bulk by more than 4T^(-2/3) of it: the largest of the bulk does that with a
// probability below 1e-6, by the law of Tracy and Widom, where entries are not far from
// normal.
func outliers(n matrices.Network, values []float64) (count int) {
	tokens := float64(n.Tokens)
	threshold := bulkEdge(n) / math.Sqrt(tokens) * (1 + 4*math.Pow(tokens, -2./3))
	for _, v := range values {
		if v > threshold {
			count++
		}
	}
	return count
}

func mean(values []float64) float64 {
	total := 0.0
	for _, v := range values {
		total += v
	}
	return total / float64(len(values))
}

// WriteJSON writes what a table of this experiment says as JSON: an object for each kind of
// attention, alone or in a list.
func (*Spectrum) WriteJSON(w io.Writer, table *data.Table) error {
	t, err := readSpectrum(table)
	if err != nil {
		return err
	}
	var summaries []spectrumSummary
	for _, n := range t.networks() {
		summaries = append(summaries, t.summary(n))
	}
	if len(summaries) == 1 {
		return json.NewEncoder(w).Encode(summaries[0])
	}
	return json.NewEncoder(w).Encode(summaries)
}

// Describe implements Experiment: some lines for each kind of attention.
func (*Spectrum) Describe(w io.Writer, table *data.Table) error {
	t, err := readSpectrum(table)
	if err != nil {
		return err
	}
	for _, n := range t.networks() {
		s := t.summary(n)
		text := fmt.Sprintf("%s, T = %d, D = %d, gap %s: s₁ = %.6g, s₂√T = %.6g, edge of the bulk %.6g in the limit, %.3g %s of a first layer.\n",
			s.Attention, s.Tokens, s.Dim, pastGap[t.Gap], s.S1, s.S2, s.Edge, s.Outliers, wording.Plural("outlier", "outliers", int64(math.Ceil(s.Outliers))))
		text += t.distances(n)
		var ranks []string
		for layer := range n.Layers {
			ranks = append(ranks, fmt.Sprintf("%.6g", s.StableRank[layer]))
		}
		text += fmt.Sprintf("Stable rank of the covariance, layer by layer: %s", strings.Join(ranks, ", "))
		if _, err := fmt.Fprintln(w, text+t.limits(n)+"."); err != nil {
			return err
		}
	}
	return nil
}

// distances compares the spectra of the first layer with their laws.
func (t *spectrumTable) distances(n matrices.Network) string {
	if v := t.at(n, 1); len(v.eigen) > 0 && n.Attention == matrices.Markov {
		singular, eigen := v.distances(n)
		return fmt.Sprintf("Kolmogorov-Smirnov distance of singular values from the quarter of a circle %.3g, of eigenvalues from the circle %.3g.\n", singular, eigen)
	}
	return ""
}

// distances are those of Kolmogorov and Smirnov between the values of all samples and their
// laws for Markov matrices.
func (v *layerValues) distances(n matrices.Network) (singular, eigen float64) {
	scale, sigma := math.Sqrt(float64(n.Tokens)), n.Law.Deviation()
	var s, e []float64
	for k := range v.singular {
		for i, x := range v.singular[k] {
			s, e = append(s, scale*x), append(e, scale*math.Hypot(real(v.eigen[k][i]), imag(v.eigen[k][i])))
		}
	}
	return distance(s, spectrum.QuarterCircle{Sigma: sigma}.Distribution), distance(e, spectrum.Circle{Radius: sigma}.Distribution)
}

// limits says what the theory of layers has for the last one.
func (t *spectrumTable) limits(n matrices.Network) string {
	if !hasTheory(n) {
		return ""
	}
	gamma, sigma := float64(n.Tokens)/float64(n.Dim), n.Law.Deviation()
	if t.Gap == keep {
		exponent, factor := spectrum.StableRankExcess(n.Layers, gamma, sigma)
		return fmt.Sprintf("; above 1 it is %.4g T^(%d) in layer %d, in the limit %.4g T^(%d)",
			mean(t.at(n, n.Layers).excess)*math.Pow(float64(n.Tokens), float64(-exponent)), exponent, n.Layers, factor, exponent)
	}
	share, err := spectrum.StableRankShare(n.Layers, gamma)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("; it is %.4g T in layer %d, in the limit %.4g T", mean(t.at(n, n.Layers).rank)/float64(n.Tokens), n.Layers, share)
}

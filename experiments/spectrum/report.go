package spectrum

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"antipode/data"
	"antipode/experiments/internal/attention"
	"antipode/experiments/wording"
	"antipode/internal/lists"
	"antipode/overlap/spectrum"
	"antipode/sde/matrices"
)

// Describe implements run.Experiment. The report of experiment spectrum has a few lines for each kind of
// attention.
func (*Experiment) Describe(w io.Writer, table *data.Table) error {
	t, err := readLayers(table)
	if err != nil {
		return err
	}
	described := lists.Filter(t.networks(), t.hasSummary)
	for _, n := range described {
		s := t.summarize(n)
		text := fmt.Sprintf("%s, T = %d, D = %d, %s: singular values of a first layer's attention matrix "+
			"s₁ = %.6g, s₂√T = %.6g, bulk up to %.6g/√T in the limit, %.3g %s.\n",
			s.Attention, s.Tokens, s.Dim, attention.GapText(t.Gap), s.S1, s.S2, s.Edge,
			s.Outliers, wording.Agree(int(math.Ceil(s.Outliers)), "outlier", "outliers"))
		text += t.distances(n)
		ranks := lists.Map(s.StableRank, func(rank float64) string { return fmt.Sprintf("%.6g", rank) })
		text += fmt.Sprintf("Stable rank of the covariance after each layer: %s", strings.Join(ranks, ", "))
		if _, err := fmt.Fprintln(w, text+t.limits(n)+"."); err != nil {
			return err
		}
	}
	if len(described) == 0 {
		return errNoKind
	}
	return nil
}

// errNoKind is the error for a table in which rows are missing for every kind of attention.
var errNoKind = errors.New("no kind of attention has all its rows")

// distances compares, in words, the spectra of the first layer's attention matrix with their limiting laws.
func (t *layered) distances(n matrices.Network) string {
	if v := t.at(n, 1); len(v.eigen) > 0 && n.Attention == matrices.Markov {
		singular, eigen := v.distances(n)
		return fmt.Sprintf("Kolmogorov-Smirnov distance of singular values from the quarter-circle law "+
			"%.3g, of eigenvalues from the circular law %.3g.\n", singular, eigen)
	}
	return ""
}

// distances returns two Kolmogorov-Smirnov distances for Markov matrices: between the singular values of all
// samples and their limiting law, and between the eigenvalues and their limiting law.
func (v *layerValues) distances(n matrices.Network) (singular, eigen float64) {
	scale, sigma := math.Sqrt(float64(n.Tokens)), n.Law.Deviation()
	s := lists.Map(slices.Concat(v.singular...), func(x float64) float64 { return scale * x })
	e := lists.Map(slices.Concat(v.eigen...),
		func(x complex128) float64 { return scale * math.Hypot(real(x), imag(x)) })
	return distance(s, spectrum.QuarterCircle{Sigma: sigma}.Distribution),
		distance(e, spectrum.Circle{Radius: sigma}.Distribution)
}

// limits states what the theory of layers of attention predicts for the last layer.
func (t *layered) limits(n matrices.Network) string {
	if !attention.HasTheory(n) {
		return ""
	}
	gamma, sigma := float64(n.Tokens)/float64(n.Dim), n.Law.Deviation()
	if t.Gap == matrices.KeepGap {
		exponent, factor := spectrum.StableRankExcess(n.Layers, gamma, sigma)
		scaled := mean(t.at(n, n.Layers).excess) * math.Pow(float64(n.Tokens), float64(-exponent))
		return fmt.Sprintf("; minus 1 it is %.4g T^(%d) in layer %d, in the limit %.4g T^(%d)", scaled,
			exponent, n.Layers, factor, exponent)
	}
	share, err := spectrum.StableRankShare(n.Layers, gamma)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("; it is %.4g T in layer %d, in the limit %.4g T",
		mean(t.at(n, n.Layers).rank)/float64(n.Tokens), n.Layers, share)
}

package propagation

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
)

// Every figure has rows, a text and a picture, and networks that can be at the paper's size.
func TestRankCollapseFigures(t *testing.T) {
	few := int64(2)
	for _, name := range collapseFigures {
		c := &RankCollapse{Figure: name, Size: "small", Networks: &few}
		table := experimenttest.Table(t, c, run.Options{Seed: 1})
		var text, svg bytes.Buffer
		if err := c.Describe(&text, table); err != nil || text.Len() == 0 || strings.Contains(text.String(), "NaN") {
			t.Errorf("figure %s: text %q, error %v", name, &text, err)
		}
		picture, err := c.Draw(table)
		if err == nil {
			err = picture.WriteSVG(&svg)
		}
		if err != nil || !strings.Contains(svg.String(), "</svg>") {
			t.Errorf("figure %s: picture of %d bytes, error %v", name, svg.Len(), err)
		}
		c.Paper()
		for _, p := range c.parts() {
			if p.networks > 0 {
				if err := p.network.Validate(); err != nil {
					t.Errorf("figure %s, %+v: %v", name, p.network, err)
				}
			}
		}
	}
}

// rowsOf are the rows of a figure at its small size.
func rowsOf(t *testing.T, figure string, networks int64) []collapseRow {
	t.Helper()
	table := experimenttest.Table(t, &RankCollapse{Figure: figure, Size: "small", Networks: &networks}, run.Options{Seed: 1})
	_, rows, err := readRankCollapse(table)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// inside checks a row: four standard errors and an allowance relative to the theory.
func (r collapseRow) inside(t *testing.T, allowance float64) {
	t.Helper()
	if !(math.Abs(r.measured-r.theory) <= 4*r.stderr+allowance*math.Abs(r.theory)) {
		t.Errorf("%s: %s", r.setting(""), r.comparison())
	}
}

// Lemma 3.1: gradients of networks with softmax, where scores have a variance of (σ_x²)² up to
// 1/16: that is the allowance, 2σ_x⁴. Where σ_x = 2 uniform attention is no longer right: the
// theory is more than 15 % away.
func TestGradientsOfUniformAttention(t *testing.T) {
	failed := false
	for _, r := range rowsOf(t, "12", 150) {
		if r.sigma <= 0.5 {
			r.inside(t, 2*math.Pow(r.sigma, 4))
		}
		if r.sigma == 2 {
			t.Logf("σ_x = 2: %s, a ratio of %.2f", r.comparison(), r.measured/r.theory)
			failed = failed || math.Abs(r.measured/r.theory-1) > 0.15
		}
	}
	if !failed {
		t.Error("uniform attention holds at σ_x = 2")
	}
}

// Theorem A.7: the distance from uniform attention, to first order in the variance of scores
// (2d/(d+d_k))²: half of that is the allowance, where it is below 1/4.
func TestDistanceFromUniformAttention(t *testing.T) {
	for _, r := range rowsOf(t, "7", 60) {
		scores := math.Pow(2*float64(r.dim)/float64(r.dim+r.keyDim), 2)
		t.Logf("d_k = %d, scores of variance %.3f: %s", r.keyDim, scores, r.comparison())
		if scores < 0.25 {
			r.inside(t, scores/2)
		}
	}
}

// Lemmas 3.2 and 3.3 and Theorem 3.3 are exact for uniform attention, at any width: Fig. 11 has
// it. Softmax at small inputs and with 1/√L differs by less than 2 % beside.
func TestDepthOfUniformAttention(t *testing.T) {
	for _, r := range rowsOf(t, "11", 200) {
		if r.uniform && r.quantity == quantitySquaredNorm {
			t.Logf("%s: %s", r.setting(""), r.comparison())
			r.inside(t, 0)
		}
	}
	for _, r := range rowsOf(t, "8", 100) {
		if r.scaled {
			r.inside(t, 0.02)
		}
	}
	for _, r := range rowsOf(t, "10", 100) {
		if r.scaled && r.relu { // the theory of wide layers
			r.inside(t, 1./float64(r.dim))
		}
	}
}

package overlap

import (
	"math"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/figure/figuretest"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/sphere/must"
)

// parametersOf returns parameters that are written as name=value, separated by spaces.
func parametersOf(text string) (all [][2]string) {
	for _, setting := range strings.Fields(text) {
		name, value, _ := strings.Cut(setting, "=")
		all = append(all, [2]string{name, value})
	}
	return all
}

// The report says why overlap -1 attracts or not, and why a number is not known.
func TestReasonsInTheReport(t *testing.T) {
	for _, c := range []struct{ parameters, want string }{
		{"covariance=0,0,1", "-1: attracting, as a = 0: multiples of the identity leave opposite tokens " +
			"opposite, in every dimension\n"},
		{"beta=400 covariance=1,0.5,0", "attracting, as a cosh 2β + b (1 + sinh 2β) + c > 1e+308\n"},
		{"beta=400 dim=9", "attracting, as cosh 2β > 1e+308 > d-2 = 7\n"},
		// 2 + 3.7622 + ½ (1 + 3.6269)
		{"covariance=1,0.5,0", "as 2 + [a cosh 2β + b (1 + sinh 2β) + c]/a = 8.07563 > d = 4\n"},
		{"epsilon=0 horizon=2 derivatives=true",
			"dP(antipodal)/dβ at time 2 is unknown: there is no noise\n"},
		{"masses=1,2 horizon=2 derivatives=true",
			"at time 2 is unknown: the derivative for clusters of unequal size is not known\n"},
		{"covariance=1,-1,0 horizon=2 derivatives=true",
			"at time 2 is unknown: the law is not known, or the derivative is not known to 0.001\n"},
		{"covariance=1,0.5,0 depth=20 horizon=2 z0=-1", "at depth 20: P(antipodal) = unknown, P(single) = " +
			"unknown: the exact law is that of independent entries"},
		{"dim=40 depth=1", "β_c = 2.165280083, and 2.506331766 at this depth\n"}, // and no expansion
	} {
		o := block(t, parametersOf(c.parameters)...)
		_, report, _ := blockRow(t, o)
		if !strings.Contains(report, c.want) {
			t.Errorf("%s: %q is not in\n%s", c.parameters, c.want, report)
		}
	}
	r := data.NullRow[fullRow]()
	if text := New().depthCertificateText(r); text != "there is no proof of β_c at this depth" {
		t.Errorf("%q", text)
	}
	if n := r.telling(); !math.IsNaN(n) {
		t.Errorf("%v trajectories without a derivative", n)
	}
	o := block(t, parametersOf("depth=20 horizon=2 derivatives=true")...)
	lines := strings.Join(o.derivativeLines(r), "\n")
	for _, place := range []string{"time 2", "depth 20"} {
		if !strings.Contains(lines, "dP(antipodal)/dβ at "+place+" is unknown: ") {
			t.Errorf("at %s: %s", place, lines)
		}
	}
	if text := besideText(math.Nextafter(1, 2), 1); text != "1.0000000000000002" {
		t.Errorf("%q", text)
	}
}

// Parameters that no theory covers are refused by name.
func TestRefusedParameters(t *testing.T) {
	for _, c := range []struct{ parameters, name, problem string }{
		{"masses=1,2 interaction=resampled:1", "masses", "must be equal with random queries and keys"},
		{"masses=1,2 epsilon=1", "masses", "must be equal in the hybrid model"},
		{"covariance=1,-0.99999999,0", "covariance", "leaves too little noise in the overlap"},
		{"beta=0:99:1 dim=2..101 epsilon=0:1:0.1", "epsilon",
			"with 100 β and 100 dimensions these are 110000 cells; must be at most 100000"},
	} {
		experimenttest.CheckRefused(t, block(t, parametersOf(c.parameters)...).Validate(), c.name, c.problem)
	}
	for _, text := range []string{"heads=7", "heads=7 interaction=resampled:1"} {
		err := parameter.CheckGiven(block(t, parametersOf(text)...).Parameters(),
			func(p parameter.Parameter) bool { return p.Name == "heads" })
		experimenttest.CheckRefused(t, err, "heads", "neither the limit nor any law at a depth that is known")
	}
}

// The figure of a grid at a depth has the exact law at the depth, and no panel of rates if none is known.
func TestFigureOfAGridAtADepth(t *testing.T) {
	o := block(t, parametersOf("dim=4,5 beta=0,1,2,3 depth=20 horizon=5")...)
	var rows []Row
	for _, dim := range o.Dim {
		for _, beta := range o.Beta {
			rows = append(rows, Row{Dim: int32(dim), Beta: beta, Antipodal: 0.5, AntipodalHorizon: 0.25,
				DepthAntipodal: beta / 8, Lyapunov: math.NaN(), Lifetime: math.NaN()})
		}
	}
	drawn := figuretest.Draw(t, o, tableOf(t, o, rows...))
	p := figuretest.Read(t, drawn, 0,
		"Antipodal probability at depth 20, time 5 (solid), in the limit (dotted)", "inverse temperature β",
		"P(antipodal)")
	p.Has(figuretest.LineOf(figure.SeriesStroke(1, 1.4), 0, 0, 1, 0.125, 2, 0.25, 3, 0.375))
	if len(drawn.Panels) != 1 {
		t.Errorf("%d panels", len(drawn.Panels))
	}
}

// Of nine lines of the hybrid model, over dimensions and noises, six are drawn, and the caption says so.
func TestLinesThatAreNotDrawn(t *testing.T) {
	o := block(t, parametersOf("dim=3,4,5 beta=1,2 epsilon=0.5,1,1.5")...)
	var rows []Row
	for _, dim := range o.Dim {
		for _, beta := range o.Beta {
			for _, epsilon := range o.Epsilon {
				rows = append(rows, Row{Dim: int32(dim), Beta: beta, Epsilon: epsilon})
			}
		}
	}
	x, all, left := o.seriesOf(rows)
	if x.symbol != "β" || len(all) != 6 || left != "; not drawn: 3 of 9 lines" {
		t.Errorf("over %s: %d lines%s", x.symbol, len(all), left)
	}
	if all[0].name != "d = 3, ε = 0.5" || all[5].name != "d = 5, ε = 1.5" || len(all[5].rows) != 2 {
		t.Errorf("from %s to %s with %d rows", all[0].name, all[5].name, len(all[5].rows))
	}
	if rates([]Row{{Lyapunov: math.NaN(), Lifetime: math.NaN()}}, "") != nil {
		t.Error("rates that are not known")
	}
	must.Get(o.Draw(experimenttest.Table(t, o, run.Options{})))(t)
}

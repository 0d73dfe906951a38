package rankcollapse

import (
	"fmt"
	"io"
	"slices"

	"antipode/experiments/parameter"
	"antipode/internal/lists"
)

// paperFigure is a figure of the paper: what is computed for the figure, and how the result is plotted and
// described.
type paperFigure struct {
	name     string
	parts    func(c *Experiment, paper bool) []part
	panels   func(paper bool) []panel // nil for heat maps of ratios
	ratio    func(r Row) float64      // the value that a heat map shows
	legend   string                   // explains lines, dots and colours
	matrix   func(r MatrixRow) string // returns the name of a saved matrix
	describe func(w io.Writer, rows []Row) error
	theory   bool // whether no networks are simulated
	heated   bool // whether the factor τ of the scores is a parameter
}

const theoryAndNetworks = "lines: theory, dots: networks ± 2 standard errors"

const ratioLegend = "colours: log10 of the squared gradient of queries over that of values"

// paperFigures are the figures of the paper that a user can choose.
var paperFigures = []paperFigure{
	{name: "7", parts: plain(distanceParts), panels: same(distancePanels), legend: theoryAndNetworks,
		matrix: keyDimName, describe: describeDistances},
	{name: "8", parts: plain(depthParts), panels: same(normPanels), legend: theoryAndNetworks,
		matrix: blockName, describe: describeLast},
	{name: "9", parts: plain(preNormParts), panels: same(preNormPanels),
		legend: "networks ± 2 standard errors", matrix: layersName, describe: describeLast},
	{name: "10", parts: plain(activationParts), panels: same(correlationPanels), legend: theoryAndNetworks,
		matrix: blockName, describe: describeLast},
	{name: "11", parts: plain(densityParts), panels: same(densityPanels), legend: "densities in networks",
		matrix: deviationName, describe: describeEach},
	{name: "12", parts: (*Experiment).gradientParts, panels: gradientPanels, legend: theoryAndNetworks,
		matrix: pointName, describe: describeWorst, heated: true},
	{name: "13", parts: (*Experiment).ratioParts, legend: ratioLegend, matrix: pointName,
		ratio: func(r Row) float64 { return r.Simulated }, describe: describeWorst, heated: true},
	{name: "14", parts: (*Experiment).ratioTheory, legend: ratioLegend,
		ratio: func(r Row) float64 { return r.Theory }, describe: describeRange, theory: true, heated: true},
}

// figureNames returns the names of paperFigures.
func figureNames() []string {
	return lists.Map(paperFigures, func(f paperFigure) string { return f.name })
}

// figure returns the chosen figure of the paper. For a name that no figure has, the result is the zero value.
func (c *Experiment) figure() paperFigure {
	k := slices.IndexFunc(paperFigures, func(f paperFigure) bool { return f.name == c.Figure })
	if k < 0 {
		return paperFigure{}
	}
	return paperFigures[k]
}

// plain turns a function of the size of networks, which returns parts, into a function of the experiment and
// the size.
func plain(parts func(paper bool) []part) func(*Experiment, bool) []part {
	return func(_ *Experiment, paper bool) []part { return parts(paper) }
}

// same turns a function that returns panels into a function of the size of networks, on which the panels do
// not depend.
func same(panels func() []panel) func(paper bool) []panel {
	return func(bool) []panel { return panels() }
}

// The functions below return the names of saved matrices. A name states how a matrix differs from the other
// matrices of its figure.

func keyDimName(r MatrixRow) string { return fmt.Sprintf("d_k = %d", r.KeyDim) }

func layersName(r MatrixRow) string { return fmt.Sprintf("L = %d", r.Layers) }

func blockName(r MatrixRow) string {
	return Row{Attention: r.Attention, Residual: r.Residual, MLP: r.MLP, Hidden: r.Hidden}.series()
}

func deviationName(r MatrixRow) string { return blockName(r) + fmt.Sprintf(", σ_x = %.3g", r.Sigma) }

func pointName(r MatrixRow) string {
	return fmt.Sprintf("n = %d, d = %d, ρ = %s, σ_x = %s", r.Tokens, r.Dim, parameter.FormatReal(r.Rho),
		parameter.FormatReal(r.Sigma))
}

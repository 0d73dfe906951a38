package rankcollapse

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/internal/networks"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
)

// Draw implements run.Experiment: lines are the theory, dots networks with two standard errors;
// of Figs. 13 and 14 tiles, in Fig. 11 densities with the theory's mean as a dashed line.
func (*Experiment) Draw(table *data.Table) (*figure.Figure, error) {
	c := New()
	if err := run.ReadParameters(c, table); err != nil {
		return nil, err
	}
	if c.matrices() {
		return networks.DrawSaved(c.Save, table, "rank-collapse",
			fmt.Sprintf("figure %s, %s size", c.Figure, c.Size), c.named)
	}
	rows, err := run.ReadRows[Row](c, table)
	if err != nil {
		return nil, err
	}
	seed, _ := table.Schema.Value(data.KeySeed)
	if c.Figure == "13" || c.Figure == "14" {
		return c.drawRatios(rows, seed)
	}
	var panels []figure.Panel
	names := &figure.Key{}
	for _, panel := range c.panels() {
		panels = append(panels, figure.Panel{Plot: panel.plot(rows, names)})
	}
	key := "lines: theory, dots: networks ± 2 standard errors"
	if c.Figure == "9" {
		key = "networks ± 2 standard errors"
	}
	if c.Figure == "11" {
		key = "densities in networks"
	}
	return figure.Pairs(panels, names, c.caption(key, seed))
}

// panel is a panel of a figure: series of rows over x.
type panel struct {
	title, x, y  string
	logX, logY   bool
	quantity     Quantity
	in           func(r Row) bool
	at           func(r Row) float64
	series       func(r Row) string
	onlyMeasured bool // lines through what is simulated
}

// panels are those of the figure that is asked for.
func (c *Experiment) panels() []panel {
	all := func(Row) bool { return true }
	layer := func(r Row) float64 { return float64(r.Layer) }
	none := func(Row) string { return "" }
	correlation := panel{title: "Correlation of tokens", x: "layer", y: "mean <x, y> / mean |x|²",
		quantity: Correlation, in: all, at: layer, series: Row.series}
	switch c.Figure {
	case "7":
		keys := func(r Row) float64 { return float64(r.KeyDim) }
		return []panel{
			{title: "Distance of attention from uniform", x: "dimension of keys, d_k", y: "‖A - 1/n‖²/n²",
				logX: true, logY: true, quantity: Distance, in: all, at: keys, series: none},
			{title: "… and of its derivative", x: "dimension of keys, d_k", y: "‖∂A/∂M - (I - 1/n)/n‖²/n²",
				logX: true, logY: true, quantity: DerivativeDistance, in: all, at: keys, series: none},
		}
	case "8":
		return []panel{{title: "Squared norm of the sequence", x: "layer", y: "‖X‖²", logY: true,
			quantity: SquaredNorm, in: all, at: layer, series: Row.series}, correlation}
	case "9":
		panels := []panel{correlation}
		for k, name := range []string{"queries", "keys", "values"} {
			panels = append(panels, panel{title: "Gradient by " + name, x: "layer", y: "E‖∂X_L/∂W‖²",
				logY: true,
				quantity: []Quantity{QueryGradient, KeyGradient,
					ValueGradient}[k], in: all, at: layer, series: Row.series})
		}
		for k, name := range []string{"queries", "keys", "values"} {
			panels = append(panels, panel{title: "… of a loss by " + name, x: "layer", y: "dn²E‖∂L/∂W‖²",
				logY: true,
				quantity: []Quantity{QueryLoss, KeyLoss,
					ValueLoss}[k], in: all, at: layer, series: Row.series})
		}
		return panels
	case "10":
		return []panel{correlation}
	case "11":
		return densityPanels()
	}
	return gradientPanels(c.Size == "paper")
}

// densityPanels are one for each kind of network.
func densityPanels() (panels []panel) {
	for _, part := range densityParts(false) {
		n := part.network
		name := "softmax"
		if n.Uniform {
			name = "uniform attention"
		}
		panels = append(panels, panel{
			title: fmt.Sprintf("%s, σ_x = %.3g", name, math.Sqrt(n.Q)), x: "log10 ‖X‖²", y: "density",
			quantity: Density, onlyMeasured: true,
			in: func(r Row) bool {
				return (r.Attention == Uniform) == n.Uniform && math.Abs(r.Sigma-math.Sqrt(n.Q)) < 1e-9
			},
			at:     func(r Row) float64 { return r.Position },
			series: func(r Row) string { return fmt.Sprintf("L = %d", r.Layer) },
		})
	}
	return panels
}

// gradientPanels have one changing parameter each.
func gradientPanels(paper bool) []panel {
	tokens, dim, _ := gradientSizes(paper)
	near := func(x, y float64) bool { return math.Abs(x-y) < 1e-9 }
	is := [4]func(r Row) bool{
		func(r Row) bool { return int(r.Dim) == dim },
		func(r Row) bool { return int(r.Tokens) == tokens },
		func(r Row) bool { return near(r.Rho, gradientRho) },
		func(r Row) bool { return near(r.Sigma, gradientSigma) },
	}
	var panels []panel
	of, y, quantity := "Queries", "E‖∂S/∂W_Q‖²", QueryGradient
	add := func(changing int, x string, logX bool, at func(r Row) float64) {
		panels = append(panels, panel{
			title: of + ", against " + x, x: x, y: y, logX: logX, logY: true,
			quantity: quantity,
			at:       at,
			series:   func(Row) string { return "" },
			in: func(r Row) bool {
				for k, fixed := range is {
					if k != changing && !fixed(r) {
						return false
					}
				}
				return true
			},
		})
	}
	line := func() {
		add(0, "dimension d", true, func(r Row) float64 { return float64(r.Dim) })
		add(1, "tokens n", true, func(r Row) float64 { return float64(r.Tokens) })
		add(2, "correlation ρ", false, func(r Row) float64 { return r.Rho })
		add(3, "deviation σ_x", true, func(r Row) float64 { return r.Sigma })
	}
	line()
	of, y, quantity = "Input", "E‖∂S/∂X‖²", InputGradient
	line()
	return panels
}

// plot is the panel of rows.
func (c panel) plot(rows []Row, names *figure.Key) *figure.Plot {
	p := figure.NewPlot(c.title, c.x, c.y)
	p.X.Logarithmic, p.Y.Logarithmic = c.logX, c.logY
	var all []string
	var ticks []float64
	series := map[string][]Row{}
	for _, r := range rows {
		if r.Quantity == c.quantity && c.in(r) {
			name := c.series(r)
			if !slices.Contains(all, name) {
				all = append(all, name)
			}
			series[name] = append(series[name], r)
			ticks = append(ticks, c.at(r))
		}
	}
	for k, name := range all {
		slices.SortStableFunc(series[name], func(a, b Row) int { return cmp.Compare(c.at(a), c.at(b)) })
		c.addSeries(p, k%len(figure.SeriesColors), name, series[name], names)
	}
	if c.logX {
		p.X.Ticks = figure.WholeTicks(figure.Distinct(ticks))
	}
	if c.logY {
		p.Y.Range(decade(p.Y.Low, math.Floor), decade(p.Y.High, math.Ceil))
	}
	return p
}

// decade is the power of ten below or above x.
func decade(x float64, round func(float64) float64) float64 {
	return math.Pow(10, round(math.Log10(x)))
}

// addSeries adds the line of the theory, or from dot to dot where there is none, and dots for what is
// simulated.
func (c panel) addSeries(p *figure.Plot, series int, name string, rows []Row, names *figure.Key) {
	var x, y []float64
	var dots figure.Intervals
	for _, r := range rows {
		at, measured := c.at(r), r.Simulated
		value := r.Theory
		if c.onlyMeasured || math.IsNaN(value) { // from dot to dot
			value = measured
		}
		x, y = append(x, at), append(y, value)
		low, high := measured-2*r.Stderr, measured+2*r.Stderr
		if c.logY {
			low = max(low, measured/1e3) // an axis of logarithms has no 0
		}
		dots.Add(at, measured, low, high)
	}
	stroke := figure.SeriesStroke(series, 1.6)
	p.Line(x, y, stroke)
	if name != "" {
		names.Add(name, stroke)
	}
	if !c.onlyMeasured {
		p.Dots(series, dots)
	}
}

// caption names figure and size, and says what is shown.
func (c *Experiment) caption(key, seed string) string {
	heat := ""
	switch {
	case !c.hasTemperature():
	case c.Temperature == nil:
		heat = ", matched temperature"
	case *c.Temperature != 1:
		heat = ", τ = " + parameter.FormatReal(*c.Temperature)
	}
	return figure.RunCaption("rank-collapse",
		fmt.Sprintf("figure %s, %s size%s; %s", c.Figure, c.Size, heat, key), seed)
}

// drawRatios draws a panel of tokens and dimensions for each correlation and deviation.
func (c *Experiment) drawRatios(rows []Row, seed string) (*figure.Figure, error) {
	value := func(r Row) float64 {
		if c.Figure == "14" {
			return r.Theory
		}
		return r.Simulated
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, r := range rows {
		low, high = min(low, value(r)), max(high, value(r))
	}
	rhos := figure.DistinctOf(rows, func(r Row) float64 { return r.Rho })
	sigmas := figure.DistinctOf(rows, func(r Row) float64 { return r.Sigma })
	var lines []figure.Row
	for _, sigma := range slices.Backward(sigmas) {
		var line figure.Row
		for _, rho := range rhos {
			p := ratioPlane(rows, rho, sigma, func(r Row) float64 {
				return (value(r) - low) / max(high-low, 1e-300)
			})
			line.Panels = append(line.Panels, figure.Panel{Plot: p})
		}
		lines = append(lines, line)
	}
	bar := figure.ColorBar{Color: figure.ProbabilityColor, Ticks: figure.BarTicks(low, high)}
	const side, more = 200, 62
	return figure.Stack(float64(side*len(rhos)+more), float64(side*len(sigmas)+30), lines, &bar,
		c.caption("colours: log10 of the gradient of queries over that of values", seed))
}

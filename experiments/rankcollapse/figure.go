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

// Draw implements run.Experiment. Lines show the theory, and dots show random networks with two standard
// errors. Figs. 13 and 14 consist of tiles. Fig. 11 shows densities, and the mean of the theory as a dashed
// line.
func (*Experiment) Draw(table *data.Table) (*figure.Figure, error) {
	c := New()
	if err := run.ReadParameters(c, table); err != nil {
		return nil, err
	}
	if c.matrices() {
		return networks.DrawSaved(c.Save, table, fmt.Sprintf("figure %s, %s size", c.Figure, c.Size),
			c.named)
	}
	rows, err := run.ReadRows[Row](c, table)
	if err != nil {
		return nil, err
	}
	shown := c.figure()
	caption := run.Caption(table, c.caption(shown.legend))
	if shown.panels == nil {
		return drawRatios(rows, shown.ratio, caption)
	}
	var panels []figure.Panel
	names := &figure.Key{}
	for _, panel := range shown.panels(c.Size == "paper") {
		panels = append(panels, figure.Panel{Plot: panel.plot(rows, names)})
	}
	return figure.Pairs(panels, names, caption)
}

// panel is a panel of a figure, with series of rows as functions of x.
type panel struct {
	title, x, y  string
	logX, logY   bool
	quantity     Quantity
	in           func(r Row) bool
	at           func(r Row) float64
	series       func(r Row) string
	onlyMeasured bool // lines connect dots instead of showing the theory
}

// byLayer returns a panel of a quantity against the layer.
func byLayer(quantity Quantity, title, y string) panel {
	return panel{title: title, x: "layer", y: y, logY: true, quantity: quantity,
		in: func(Row) bool { return true }, at: func(r Row) float64 { return float64(r.Layer) },
		series: Row.series}
}

// correlationPanels returns the panel of the correlation of tokens against the layer.
func correlationPanels() []panel {
	p := byLayer(Correlation, "Correlation of tokens", "mean <x, y> / mean |x|²")
	p.logY = false
	return []panel{p}
}

// distancePanels returns the panels of the distances of attention and of its derivative from uniform, against
// the dimension of keys.
func distancePanels() []panel {
	against := func(quantity Quantity, title, y string) panel {
		return panel{title: title, x: "dimension of keys, d_k", y: y, logX: true, logY: true,
			quantity: quantity,
			in:       func(Row) bool { return true },
			at:       func(r Row) float64 { return float64(r.KeyDim) },
			series:   func(Row) string { return "" }}
	}
	return []panel{against(Distance, "Distance of attention from uniform", "‖A - 1/n‖²/n²"),
		against(DerivativeDistance, "Distance of its derivative from uniform", "‖∂A/∂M - (I - 1/n)/n‖²/n²")}
}

// normPanels returns the panels of the norm and of the correlation of tokens against the layer.
func normPanels() []panel {
	return append([]panel{byLayer(SquaredNorm, "Squared norm of the sequence", "‖X‖²")},
		correlationPanels()...)
}

// preNormPanels returns the panels of the correlation of tokens, and of gradients both of tokens and of a
// loss, against the layer.
func preNormPanels() []panel {
	const tokens, loss = "E‖∂X_L/∂W‖²", "dn²E‖∂L/∂W‖²"
	return append(correlationPanels(),
		byLayer(QueryGradient, "Gradient by queries", tokens),
		byLayer(KeyGradient, "Gradient by keys", tokens),
		byLayer(ValueGradient, "Gradient by values", tokens),
		byLayer(QueryLoss, "Gradient of a loss by queries", loss),
		byLayer(KeyLoss, "Gradient of a loss by keys", loss),
		byLayer(ValueLoss, "Gradient of a loss by values", loss))
}

// densityPanels returns a panel of the densities of the norm for each kind of network.
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

// gradientPanels returns the panels of the gradients with respect to queries and to the input. In each panel
// one parameter varies.
func gradientPanels(paper bool) (panels []panel) {
	for _, gradient := range []struct {
		of, y    string
		quantity Quantity
	}{{"Queries", "E‖∂S/∂W_Q‖²", QueryGradient}, {"Input", "E‖∂S/∂X‖²", InputGradient}} {
		for _, p := range parameterPanels(paper) {
			p.title, p.y, p.quantity = gradient.of+", against "+p.x, gradient.y, gradient.quantity
			panels = append(panels, p)
		}
	}
	return panels
}

// parameterPanels returns one panel for each of four parameters. A panel shows the rows in which the other
// three parameters have their fixed values.
func parameterPanels(paper bool) (panels []panel) {
	tokens, dim, _ := gradientSizes(paper)
	all := []struct {
		x     string
		logX  bool
		at    func(r Row) float64
		fixed float64 // value in the panels of the other parameters
	}{
		{"dimension d", true, func(r Row) float64 { return float64(r.Dim) }, float64(dim)},
		{"tokens n", true, func(r Row) float64 { return float64(r.Tokens) }, float64(tokens)},
		{"correlation ρ", false, func(r Row) float64 { return r.Rho }, gradientRho},
		{"deviation σ_x", true, func(r Row) float64 { return r.Sigma }, gradientSigma},
	}
	for k, changing := range all {
		in := func(r Row) bool {
			for j, other := range all {
				if j != k && math.Abs(other.at(r)-other.fixed) > 1e-9 {
					return false
				}
			}
			return true
		}
		panels = append(panels, panel{x: changing.x, logX: changing.logX, logY: true, in: in, at: changing.at,
			series: func(Row) string { return "" }})
	}
	return panels
}

// plot returns the plot of those rows that belong to the panel.
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

// decade rounds x to a power of ten. The function round says whether x is rounded down or up.
func decade(x float64, round func(float64) float64) float64 {
	return math.Pow(10, round(math.Log10(x)))
}

// addSeries adds the line of the theory, and dots for random networks, to a plot. If there is no theory, the
// line connects the dots.
func (c panel) addSeries(p *figure.Plot, series int, name string, rows []Row, names *figure.Key) {
	var x, y []float64
	var dots figure.Intervals
	for _, r := range rows {
		at, measured := c.at(r), r.Simulated
		value := r.Theory
		if c.onlyMeasured || math.IsNaN(value) { // the line connects the dots
			value = measured
		}
		x, y = append(x, at), append(y, value)
		low, high := measured-2*r.Stderr, measured+2*r.Stderr
		if c.logY {
			low = max(low, measured/1e3) // a logarithmic axis has no 0
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

// caption names the figure and its size, and explains what lines, dots and colours show.
func (c *Experiment) caption(key string) string {
	heat := ""
	switch {
	case !c.hasTemperature():
	case c.Temperature == nil:
		heat = ", matched temperature"
	case *c.Temperature != 1:
		heat = ", τ = " + parameter.FormatReal(*c.Temperature)
	}
	return fmt.Sprintf("figure %s, %s size%s; %s", c.Figure, c.Size, heat, key)
}

// drawRatios plots a panel of tiles, over the numbers of tokens and dimensions, for each correlation and
// standard deviation of the input.
func drawRatios(rows []Row, value func(r Row) float64, caption string) (*figure.Figure, error) {
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
		caption)
}

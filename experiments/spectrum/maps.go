package spectrum

import (
	"fmt"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/run"
	"antipode/internal/lists"
	"antipode/sde/matrices"
)

// mostMaps is the greatest number of layers whose attention matrices a figure shows.
const mostMaps = 4

// hasEntries reports whether the table has all matrix entries and eigenvalues of every layer for the first
// sample.
func (t *layered) hasEntries(n matrices.Network) bool {
	return t.every(n, func(v *layerValues) bool {
		return len(v.entries) > 0 && len(v.entries[0]) >= n.Tokens*n.Tokens && len(v.eigen) > 0 &&
			len(v.eigen[0]) >= n.Tokens
	})
}

// maps returns the figure of the entries of attention matrices, for the first kind of attention and the first
// sample. The figure shows the attention matrices of some layers with a common colour scale, and their
// eigenvalues below.
func (t *layered) maps(table *data.Table) (*figure.Figure, error) {
	n := t.networks()[0]
	layers := figure.Spread(layersOf(n), mostMaps)
	low, high := 0.0, 0.0
	for _, l := range layers {
		for _, v := range t.at(n, l).entries[0] {
			low, high = min(low, v), max(high, v)
		}
	}
	panels := make([][]figure.Panel, 2)
	var bar figure.ColorBar
	for _, l := range layers {
		entries := t.at(n, l).entries[0]
		p := figure.NewPlot(fmt.Sprintf("%v, layer %d", n.Attention, l), "key", "query")
		heat := figure.HeatMap{Rows: n.Tokens, Columns: n.Tokens, Low: low, High: high, Roots: low == 0,
			Value: func(i, j int) float64 { return entries[i*n.Tokens+j] }}
		p.Heat(heat)
		bar = heat.Bar("")
		plane := t.plane(n, l)
		_, outside := beyond(t.at(n, l).eigen[0])
		plane.Title = fmt.Sprintf("eigenvalues: %d beyond %g", len(outside), few)
		panels[0] = append(panels[0], figure.Panel{Plot: p, ToScale: true})
		panels[1] = append(panels[1], figure.Panel{Plot: plane, ToScale: true})
	}
	text := run.Caption(table, t.setting())
	const side = 205
	return figure.Tiled(panels, side, bar, text)
}

// layersOf returns the numbers of the layers of a network, from 1.
func layersOf(n matrices.Network) []int { return lists.Of(n.Layers, func(l int) int { return l + 1 }) }

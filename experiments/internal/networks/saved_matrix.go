package networks

import (
	"fmt"
	"io"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/run"
)

// law holds the saved matrices of the first network, sequence and head of one law of networks, by layer.
type law struct {
	name     string
	matrices []savedMatrix
}

type savedMatrix struct {
	layer         int32
	rows, columns int
	values        []float64 // entries, row by row
}

// lawsOf returns the laws of networks in the rows of a table of matrices, which must be in order. Matrices
// that lack entries are left out. The function of returns the name of the law of a row, and the entry in the
// row.
func lawsOf[Row any](rows []Row, of func(r Row) (name string, e Entry)) (laws []law) {
	for _, r := range rows {
		name, e := of(r)
		if e.Network > 0 || e.Sequence > 0 || e.Head > 1 {
			continue
		}
		k := slices.IndexFunc(laws, func(l law) bool { return l.name == name })
		if k < 0 {
			k, laws = len(laws), append(laws, law{name: name})
		}
		l := &laws[k]
		if n := len(l.matrices); n == 0 || l.matrices[n-1].layer != e.Layer {
			l.matrices = append(l.matrices, savedMatrix{layer: e.Layer})
		}
		m := &l.matrices[len(l.matrices)-1]
		m.rows, m.columns = max(m.rows, int(e.Token)), max(m.columns, int(e.Other))
		m.values = append(m.values, e.Value)
	}
	for k, l := range laws {
		laws[k].matrices = slices.DeleteFunc(l.matrices,
			func(m savedMatrix) bool { return len(m.values) != m.rows*m.columns })
	}
	return slices.DeleteFunc(laws, func(l law) bool { return len(l.matrices) == 0 })
}

// read returns the laws of networks in a table of matrices.
func read[Row any](table *data.Table, of func(r Row) (name string, e Entry)) ([]law, error) {
	rows, err := run.RowsOf[Row](table)
	if err != nil {
		return nil, err
	}
	laws := lawsOf(rows, of)
	if len(laws) == 0 {
		return nil, fmt.Errorf("%w: no matrix is whole", run.ErrNoRows)
	}
	return laws, nil
}

// The greatest numbers of laws, and of layers of each law, in a figure of matrices.
const mostLaws, mostMaps = 4, 4

// DrawSaved plots the matrices of a table as heat maps with a common colour scale. The figure shows, for at
// most mostLaws laws of networks, the matrices of the first network, sequence and head in at most mostMaps
// layers. The function of returns the name of the law of a row, and the entry in the row.
func DrawSaved[Row any](
	s Saved, table *data.Table, setting string, of func(r Row) (name string, e Entry),
) (*figure.Figure, error) {
	laws, err := read(table, of)
	if err != nil {
		return nil, err
	}
	heat := figure.HeatMap{}
	var shown [][]savedMatrix
	var names []string
	for _, law := range figure.Spread(laws, mostLaws) {
		row := figure.Spread(law.matrices, mostMaps)
		for _, m := range row {
			for _, v := range m.values {
				heat.Low, heat.High = min(heat.Low, v), max(heat.High, v)
			}
		}
		names, shown = append(names, law.name), append(shown, row)
	}
	if heat.Low < 0 { // so that 0 has the colour in the middle of the scale
		heat.High = max(heat.High, -heat.Low)
		heat.Low = -heat.High
	}
	heat.Roots = heat.Low == 0
	columns, vertical, what := "key", "query", "attention of the first network and head"
	if s == SavedStates {
		columns, vertical, what = "coordinate", "token", "states of the first network"
	}
	if n := len(laws); n > mostLaws {
		what += fmt.Sprintf(", at %d of %d settings", mostLaws, n)
	}
	panels := make([][]figure.Panel, len(shown))
	for i, row := range shown {
		for k, m := range row {
			title := fmt.Sprintf("layer %d", m.layer)
			if k == 0 {
				title = names[i] + "\n" + title
			}
			p := figure.NewPlot(title, columns, vertical)
			picture := heat
			picture.Rows, picture.Columns = m.rows, m.columns
			picture.Value = func(i, j int) float64 { return m.values[i*m.columns+j] }
			p.Heat(picture)
			panels[i] = append(panels[i], figure.Panel{Plot: p, ToScale: s != SavedStates})
		}
	}
	const side = 205
	return figure.Tiled(panels, side, heat.Bar(""), run.Caption(table, setting+"; "+what))
}

// DescribeSaved writes a line for each law of networks in a table of matrices. The line states the range of
// the entries in the first and in the last layer, for the first network, sequence and head of the law.
func DescribeSaved[Row any](w io.Writer, table *data.Table, of func(r Row) (name string, e Entry)) error {
	laws, err := read(table, of)
	if err != nil {
		return err
	}
	for _, l := range laws {
		first, last := l.matrices[0], l.matrices[len(l.matrices)-1]
		text := fmt.Sprintf("%s: entries of layer %d %s", l.name, first.layer, first.extremes())
		if last.layer > first.layer {
			text += fmt.Sprintf(", of layer %d %s", last.layer, last.extremes())
		}
		if _, err := fmt.Fprintln(w, text+"."); err != nil {
			return err
		}
	}
	return nil
}

// extremes states the least and the greatest entry of a matrix in words.
func (m savedMatrix) extremes() string {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range m.values {
		low, high = min(low, v), max(high, v)
	}
	return fmt.Sprintf("from %.4g to %.4g", low, high)
}

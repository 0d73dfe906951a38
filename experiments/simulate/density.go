package simulate

import (
	"fmt"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/parameter"
	"antipode/experiments/simulate/picture"
	"antipode/experiments/wording"
	"antipode/internal/lists"
	"antipode/sde"
	"antipode/sphere/elementary"
)

// DensityRow is a row of the table of densities of tokens on the sphere in three dimensions: one area of the
// sphere for one trajectory at one time. The areas are bounded by parallels and meridians, and are equally
// large.
type DensityRow struct {
	Moment
	_         struct{} `meaning:"longitude of the middle of the cell of the sphere"`
	Longitude float64  `column:"longitude" unit:"degrees"`
	Height    float64  `column:"height" meaning:"third coordinate of the middle of the cell of the sphere"`
	Tokens    int32    `column:"tokens" unit:"tokens" meaning:"number of tokens in the cell of the sphere"`
	_         struct{} `meaning:"fraction of the tokens that are in the cell, divided by the cell's fraction"`
	_         struct{} `meaning:"of the area of the sphere"`
	Density   float64  `column:"density"`
}

// The numbers of areas of the sphere in longitude, from -180 to 180 degrees, and in height, from -1 to 1.
const (
	heights, longitudes = 90, 180
	sphereCells         = heights * longitudes
)

// densityTable is the table of densities. The table has a row for each trajectory, time and area of the
// sphere.
type densityTable struct{ tokens int }

func (*densityTable) columns() []data.Column { return data.ColumnsOf[DensityRow]() }

func (*densityTable) rowsPerTime() float64 { return sphereCells }
func (*densityTable) bytesKept() float64   { return 8 * sphereCells }

func (t *densityTable) room(times int) saved { return roomFor(times * sphereCells) }

func (t *densityTable) keep(row *saved, v *sde.View) {
	counts := row.further(sphereCells)
	for x := range slices.Chunk(v.Tokens(), 3) {
		counts[sphereCell(x)]++
	}
}

// sphereCell returns the index of the area of the sphere that contains a point.
func sphereCell(x []float64) int {
	height := int((x[2] + 1) / 2 * heights)
	longitude := int((elementary.Atan2(x[1], x[0])/math.Pi + 1) / 2 * longitudes)
	return min(max(longitude, 0), longitudes-1)*heights + min(max(height, 0), heights-1)
}

func (t *densityTable) writer(sink data.Sink) rowWriter {
	rowsOf := func(rows []DensityRow, at Moment, k int, row saved) []DensityRow {
		for cell, count := range row.numbers[k*sphereCells : (k+1)*sphereCells] {
			rows = append(rows, DensityRow{
				Moment:    at,
				Longitude: (float64(cell/heights)+0.5)*360/longitudes - 180,
				Height:    (float64(cell%heights)+0.5)*2/heights - 1,
				Tokens:    int32(count), Density: count * sphereCells / float64(t.tokens),
			})
		}
		return rows
	}
	return &partWriter[DensityRow]{sink: sink, rowsOf: rowsOf, most: rowsPerPart(t)}
}

// checkDensity returns an error if densities on the sphere are to be saved but the dimension is not three.
func (s *Experiment) checkDensity() error {
	if s.Save != saveDensity || s.Dim == 3 && s.varied.Dim == nil {
		return nil
	}
	return parameter.Errorf("save", s.Save, "densities are those of three dimensions; must be outcomes, "+
		"overlaps or states, or with --dim 3")
}

// densities returns the densities of the first trajectory in the order of time, each with all areas of the
// sphere. A table without a complete density is an error.
func (s *Experiment) densities(digest *data.Table) ([][]DensityRow, error) {
	return snapshots(digest, "sphere", sphereCells,
		func(r DensityRow) (Moment, bool) { return r.Moment, true })
}

// drawDensity plots the logarithm of the density of the first trajectory's tokens at up to six times. The
// plots are equal-area maps of the sphere with a common colour scale. Areas without tokens have the palest
// colour.
func (s *Experiment) drawDensity(digest *data.Table, caption string) (*figure.Figure, error) {
	all, err := s.densities(digest)
	if err != nil {
		return nil, err
	}
	heat := figure.HeatMap{Rows: heights, Columns: longitudes, Low: math.Inf(1), High: math.Inf(-1)}
	var shown [][]DensityRow
	for _, k := range picture.Doubling(len(all), func(k int) float64 { return all[k][0].Time }) {
		shown = append(shown, all[k])
		for _, r := range all[k] {
			if r.Tokens > 0 {
				value := math.Log10(r.Density)
				heat.Low, heat.High = min(heat.Low, value), max(heat.High, value)
			}
		}
	}
	if heat.Low > heat.High { // there are no tokens
		heat.Low, heat.High = 0, 0
	}
	// An area with one token is darker than an area without tokens.
	heat.Low, heat.High = heat.Low-0.2, max(heat.High, heat.Low+1)
	maps := lists.Map(shown, func(of []DensityRow) *figure.Plot { return densityMap(heat, of) })
	bar := heat.Bar("density")
	bar.Ticks = nil
	for e := math.Ceil(heat.Low); e <= heat.High; e++ {
		bar.Ticks = append(bar.Ticks, figure.BarTick{Share: (e - heat.Low) / (heat.High - heat.Low),
			Label: parameter.FormatReal(math.Pow(10, e))})
	}
	return drawMaps(maps, bar, caption+"; density 1: uniform; equal areas, logarithmic colours")
}

// densityMap returns the map of the density of tokens on the sphere at one time.
func densityMap(heat figure.HeatMap, of []DensityRow) *figure.Plot {
	p := figure.NewPlot("time "+parameter.FormatReal(of[0].Time), "longitude", "height")
	heat.Value = func(i, j int) float64 {
		r := of[j*heights+heights-1-i]
		if r.Tokens == 0 {
			return math.NaN()
		}
		return math.Log10(r.Density)
	}
	p.Heat(heat)
	p.X.Ticks = []figure.Tick{{Value: 0.5, Label: "-180°"}, {Value: longitudes/2 + 0.5, Label: "0°"},
		{Value: longitudes + 0.5, Label: "180°"}}
	p.Y.Ticks = []figure.Tick{{Value: 0.5, Label: "-1"}, {Value: heights/2 + 0.5, Label: "0"},
		{Value: heights + 0.5, Label: "1"}}
	return p
}

// describeDensity describes how many areas of the sphere contain the tokens of the first trajectory, at the
// first and at the last time.
func (s *Experiment) describeDensity(digest *data.Table) (string, error) {
	all, err := s.densities(digest)
	if err != nil {
		return "", err
	}
	occupied := func(of []DensityRow) (cells int) {
		for _, r := range of {
			if r.Tokens > 0 {
				cells++
			}
		}
		return cells
	}
	first, last := all[0], all[len(all)-1]
	return fmt.Sprintf("At time %s the %s of trajectory %d are in %d of %d cells of one area, "+
		"at time %s in %d.", parameter.FormatReal(last[0].Time), wording.Count(s.Tokens, "token"),
		last[0].Trajectory, occupied(last), sphereCells,
		parameter.FormatReal(first[0].Time), occupied(first)), nil
}

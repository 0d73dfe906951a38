package simulate

import (
	"fmt"
	"image/color"
	"slices"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/experiments/simulate/picture"
	"antipode/experiments/wording"
	"antipode/internal/lists"
)

// Draw implements run.Experiment. The figure depends on the content of the table. A sweep over parameters
// gives curves or a heat map that show how the trajectories end. Outcomes are drawn as fractions of
// trajectories against time. States are drawn as the tokens of the first trajectory: their angles against
// time if d = 2, and the sphere if d = 3. Attention matrices and densities of the first trajectory are drawn
// at up to six times. In all other cases the figure shows overlaps against time.
func (*Experiment) Draw(table *data.Table) (*figure.Figure, error) {
	s, err := simulationOf(table.Schema)
	if err != nil {
		return nil, err
	}
	if err := s.Drawable(); err != nil {
		return nil, err
	}
	if len(s.axes()) > 0 {
		return s.drawGrid(table)
	}
	digest, err := s.digestOf(table)
	if err != nil {
		return nil, err
	}
	caption := run.Caption(table, s.captionText())
	switch {
	case s.Save == saveAttention:
		return s.drawAttention(digest, caption)
	case s.Save == saveDensity:
		return s.drawDensity(digest, caption)
	case s.savesOutcomes():
		return s.drawFractions(digest, caption)
	case s.Save == saveStates && s.Dim == 2:
		return drawStates(digest, picture.Circle, caption)
	case s.Save == saveStates && s.Dim == 3:
		return drawStates(digest, picture.Sphere, caption)
	}
	return drawOverlaps(digest, caption)
}

// drawStates plots with the function draw how the tokens of the first trajectory move.
func drawStates(
	digest *data.Table, draw func(picture.Motion, float64, float64, string) (*figure.Figure, error),
	caption string,
) (*figure.Figure, error) {
	motion, err := readFirstStates(digest)
	if err != nil {
		return nil, err
	}
	return draw(motion, figure.Width, height, caption)
}

// height is the height of a figure, in points.
const height = 430

// captionText states the parameters that have an effect for a caption. The names of files, which could be
// long, are left out.
func (s *Experiment) captionText() string {
	text := fmt.Sprintf("%s, %s attention, %s, d = %d, β = %g", s.Model, s.Attention,
		wording.Count(s.Tokens, "token"), s.Dim, s.Beta)
	switch s.Model {
	case "hybrid":
		text += fmt.Sprintf(", ε = %g, %s amplitudes", s.Epsilon, s.Law)
	case "transformer":
		text += fmt.Sprintf(", %s values", s.Law) + setting.SigmaText(s.Sigma)
	case "transformer-sde":
		text += setting.SigmaText(s.Sigma)
	}
	text += s.Interaction.Caption() + s.beside().Caption() + fmt.Sprintf(", depth %d", s.Depth)
	if s.Save == saveStates && s.Dim == 3 {
		text += "; tails: previous positions of tokens; pale: tokens on the back of the sphere"
	}
	return text
}

// drawFractions plots the fraction of the trajectories with each outcome against time, with 95 % intervals.
func (s *Experiment) drawFractions(digest *data.Table, caption string) (*figure.Figure, error) {
	rows, err := someRows[fractionRow](digest)
	if err != nil {
		return nil, err
	}
	n := rows[0].Trajectories
	p := figure.NewPlot(fmt.Sprintf("Outcomes of %s, with 95 %% intervals",
		wording.Count(n, "trajectory")), "time", "fraction")
	p.Y.Range(0, 1)
	key := &figure.Key{}
	series := s.fractions()
	for i, event := range series { // bands are drawn before all lines
		p.Add(event.band(rows, figure.SeriesColors[i]))
	}
	times := lists.Map(rows, func(r fractionRow) float64 { return r.Time })
	for i, event := range series {
		stroke := figure.Stroke{Color: figure.SeriesColors[i], Width: 1.5, Dashes: event.dashes}
		p.Line(times, lists.Map(rows, func(r fractionRow) float64 {
			return float64(event.count(r)) / float64(r.Trajectories)
		}), stroke)
		key.Add(event.name, stroke)
	}
	if s.Tokens > 2 && slices.ContainsFunc(rows, func(r fractionRow) bool { return r.Antipodal > 0 }) {
		drawImbalance(p, key, times, rows)
	}
	theoretical, err := s.addLaw(p, times)
	if err != nil {
		return nil, err
	}
	if theoretical {
		caption += theoryText
	}
	return figure.Single(figure.Width, height, figure.Panel{Plot: p, Key: key}, caption)
}

// drawImbalance plots against time how unequal in size two opposite clusters are: the mean imbalance over the
// antipodal trajectories.
func drawImbalance(p *figure.Plot, key *figure.Key, times []float64, rows []fractionRow) {
	stroke := figure.Stroke{Color: figure.SeriesColors[4], Width: 1.5, Dashes: figure.Dotted}
	imbalance := func(r fractionRow) float64 { return r.Imbalance / float64(r.Antipodal) }
	p.BrokenLine(times, lists.Map(rows, imbalance), stroke)
	key.Add("mean imbalance of antipodal trajectories", stroke)
}

type fractionSeries struct {
	name   string
	count  func(r fractionRow) int64
	dashes []float64
}

// fractions returns the events, such as outcomes, whose fractions of trajectories are plotted.
func (s *Experiment) fractions() []fractionSeries {
	series := []fractionSeries{
		{"single", func(r fractionRow) int64 { return r.Single }, nil},
		{"antipodal", func(r fractionRow) int64 { return r.Antipodal }, nil},
		{"unclustered", func(r fractionRow) int64 { return r.Unclustered }, nil},
	}
	if s.Tokens > 2 || s.varied.Tokens != nil { // for two tokens, an antipodal pair is the outcome antipodal
		series = append(series, fractionSeries{"antipodal pair",
			func(r fractionRow) int64 { return r.Pair }, []float64{5, 3}})
	}
	return series
}

// band returns the 95 % intervals of the fraction of trajectories with an event, as a band over time.
func (s fractionSeries) band(rows []fractionRow, shade color.Color) figure.Band {
	b := figure.Band{Color: shade}
	for _, r := range rows {
		low, high := outcomes.Wilson(s.count(r), r.Trajectories)
		b.X, b.Low, b.High = append(b.X, r.Time), append(b.Low, low), append(b.High, high)
	}
	return b
}

// fewTrajectories is the greatest number of trajectories whose overlaps are plotted. Each plotted trajectory
// has its own colour.
const fewTrajectories = 6

// drawOverlaps plots overlaps of tokens against time. Each trajectory has its own colour. If there is only
// one trajectory and there are few pairs of tokens, each pair has its own colour.
func drawOverlaps(digest *data.Table, caption string) (*figure.Figure, error) {
	o, err := readOverlaps(digest)
	if err != nil {
		return nil, err
	}
	const most = 300 // more lines would hide each other
	shown := figure.Spread(o.lines, most)
	first, last := shown[0].trajectory, shown[len(shown)-1].trajectory
	title := "Overlaps in " + trajectoriesText(first, last)
	ensemble := ensembleOf(digest)
	if ensemble != nil && ensemble.End.Trajectories < leastBands {
		ensemble = nil
	}
	if ensemble != nil {
		title = fmt.Sprintf("Overlaps of %d trajectories: median, 50 and 95 %%, and %s",
			ensemble.End.Trajectories, trajectoriesText(first, last))
	}
	if len(shown) < len(o.lines) {
		title += fmt.Sprintf(": %d of %d pairs", most, len(o.lines))
	}
	p := figure.NewPlot(title, "time", "overlap")
	key := &figure.Key{}
	if ensemble != nil {
		ensemble.drawBands(p)
	}
	pairs := len(shown) / int(last-first+1)
	for k, l := range shown {
		series, name := l.series(k, last > first, pairs)
		stroke := figure.Stroke{Color: figure.SeriesColors[series], Width: 1}
		if pairs > fewTrajectories {
			stroke.Color, stroke.Width = figure.TowardsWhite(stroke.Color, min(0.5, float64(pairs)/100)), 0.7
		}
		p.Line(o.time, l.z, stroke)
		if name != "" {
			key.Add(name, stroke)
		}
	}
	if ensemble != nil {
		ensemble.drawMedian(p, key)
	}
	low := -1.03
	if p.Y.Low >= 0 { // an axis from 0 shows the lines twice as far apart
		low = 0
	}
	p.Y.Range(low, 1.03)
	return figure.Single(figure.Width, height, figure.Panel{Plot: p, Key: key}, caption)
}

// series returns the colour of the k-th line of overlaps and its name in the legend. The name is the
// trajectory if there are several trajectories, and otherwise the pair of tokens. If there are many pairs of
// tokens, all lines have one colour and no name.
func (l overlapLine) series(k int, several bool, pairs int) (color int, name string) {
	switch {
	case several:
		return int(l.trajectory) % len(figure.SeriesColors), fmt.Sprintf("trajectory %d", l.trajectory)
	case pairs <= len(figure.SeriesColors):
		return k, fmt.Sprintf("tokens %d and %d", l.i, l.j)
	}
	return 0, ""
}

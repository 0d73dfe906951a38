package train

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"antipode/experiments/figure"
	"antipode/experiments/wording"
	"antipode/internal/lists"
)

// learningCurve holds a setting with its training runs in a table.
type learningCurve struct {
	setting
	runs   [][]evaluation
	varies []variation
}

// evaluation is the state of a training run after some number of steps.
type evaluation struct {
	Row                  // row about the entire network
	cosine, rank float64 // of the tokens after the last layer
	entropy      float64 // mean entropy over the layers
	sum          float64 // sum of the entropy over the layers in the table
	layers       int32   // number of the layers that are summed
}

// learningCurvesOf returns the learning curves of those settings of the experiment that have runs among the
// rows.
func learningCurvesOf(e *Experiment, rows []Row) (curves []*learningCurve) {
	settings := e.settings()
	present := -1
	for _, evaluations := range runsOf(rows) {
		k := min(max(0, int(evaluations[0].Run)/int(e.Seeds)), len(settings)-1)
		if k != present {
			present = k
			curves = append(curves, &learningCurve{setting: settings[k], varies: settings[k].valuesOf(e)})
		}
		c := curves[len(curves)-1]
		c.runs = append(c.runs, evaluations)
	}
	return curves
}

// runsOf groups rows in any order into training runs. The row of a layer is left out if there is no row of
// the entire network at the same step.
func runsOf(rows []Row) (runs [][]evaluation) {
	rows = slices.Clone(rows)
	// Rows of the entire network, whose layer is NaN, come first.
	slices.SortStableFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(a.Run, b.Run), cmp.Compare(a.Step, b.Step), cmp.Compare(a.Layer, b.Layer))
	})
	var present *evaluation
	for _, row := range rows {
		if math.IsNaN(row.Layer) {
			if present == nil || row.Run != present.Run {
				runs = append(runs, nil)
			}
			run := &runs[len(runs)-1]
			*run = append(*run, evaluation{Row: row, cosine: math.NaN(), rank: math.NaN(),
				entropy: math.NaN()})
			present = &(*run)[len(*run)-1]
			continue
		}
		if present != nil && row.Run == present.Run && row.Step == present.Step {
			present.add(row)
		}
	}
	return runs
}

// add adds the row of a layer to the evaluation of a run.
func (m *evaluation) add(row Row) {
	if row.Layer == float64(row.Layers) {
		m.cosine, m.rank = row.Cosine, row.StableRank
	}
	if row.Layer > 0 {
		m.layers++
		m.sum += row.Entropy / float64(row.Layers)
	}
	if m.layers == row.Layers {
		m.entropy = m.sum
	}
}

func first(evaluations []evaluation) evaluation { return evaluations[0] }
func last(evaluations []evaluation) evaluation  { return evaluations[len(evaluations)-1] }

// mean returns the mean over the runs of a setting of one evaluation of each run, which the function of
// selects.
func (c *learningCurve) mean(of func([]evaluation) evaluation) (m evaluation) {
	share := 1 / float64(len(c.runs))
	for _, evaluations := range c.runs {
		at := of(evaluations)
		m.Loss += share * at.Loss
		m.ValidationLoss += share * at.ValidationLoss
		m.Accuracy += share * at.Accuracy
		m.cosine += share * at.cosine
		m.rank += share * at.rank
		m.entropy += share * at.entropy
	}
	return m
}

// diverged returns the number of runs of a setting that have diverged.
func (c *learningCurve) diverged() int { return len(c.divergences()) }

// divergences returns the steps at which runs of a setting have diverged.
func (c *learningCurve) divergences() (steps []string) {
	for _, evaluations := range c.runs {
		if end := last(evaluations); end.Status == diverged {
			steps = append(steps, fmt.Sprint(end.Step))
		}
	}
	return steps
}

// byStep returns the values of a quantity in all runs of a setting, by the step of training.
func (c *learningCurve) byStep(number func(m evaluation) float64) map[int64][]float64 {
	values := map[int64][]float64{}
	for _, evaluations := range c.runs {
		for _, m := range evaluations {
			if v := number(m); !math.IsNaN(v) {
				values[m.Step] = append(values[m.Step], v)
			}
		}
	}
	return values
}

// rateName is the name of the parameter learning rate in figures.
const rateName = "rate"

// layersName is the name of the number of layers in figures.
const layersName = "layers"

// valuesOf returns the values that a setting has of those parameters that have several values in an
// experiment.
func (s *setting) valuesOf(e *Experiment) (variations []variation) {
	add := func(count int, parameter, text string) {
		if count > 1 {
			variations = append(variations, variation{parameter, text})
		}
	}
	real := func(values []float64, name string, value float64) {
		if !math.IsNaN(value) {
			add(len(values), name, fmt.Sprintf("%s = %.4g", name, value))
		}
	}
	add(len(e.Layers), layersName, wording.Count(s.Layers[0], "layer"))
	add(len(e.Norm), "norm", s.Norm[0])
	add(len(e.Attention), "attention", s.Attention[0]+" attention")
	add(len(e.Values), "values", s.Values[0]+" values")
	real(e.AlphaSA, "α", s.AlphaSA[0])
	real(e.Beta, "β", s.Beta[0])
	real(e.SigmaV2, "σ_v²", s.SigmaV2[0])
	real(e.Branches, "branches", s.Branches[0])
	real(e.Overlap, "overlap", s.Overlap[0])
	add(len(e.Optimiser), "optimiser", s.Optimiser[0])
	real(e.LearningRate, rateName, s.LearningRate[0])
	return variations
}

// shortName names a setting by the parameters in which it differs from other settings. If there is only one
// setting, the name describes the network.
func (c *learningCurve) shortName() string {
	if len(c.varies) == 0 {
		return fmt.Sprintf("%s, %s, %s", wording.Count(c.Layers[0], "layer"), c.Norm[0], c.Optimiser[0])
	}
	texts := lists.Map(c.varies, func(v variation) string { return v.text })
	return strings.Join(texts, ", ")
}

// bestRates selects settings if there are more settings than can be plotted. Among settings that differ only
// in the learning rate, bestRates selects the setting with the least mean final loss: the validation loss or,
// for a task without classes, the training loss. The result reduced reports whether a setting was left out.
func bestRates(curves []*learningCurve) (best []*learningCurve, reduced bool) {
	if len(curves) <= len(figure.SeriesColors) {
		return curves, false
	}
	rates := map[string]int{} // index in best by setting without its learning rate
	for _, c := range curves {
		one := c.Experiment
		one.LearningRate = nil
		name := fmt.Sprintf("%+v", one)
		at, seen := rates[name]
		if !seen {
			rates[name] = len(best)
			best = append(best, c)
		} else if c.end() < best[at].end() {
			best[at] = c
		}
	}
	return best, len(best) < len(curves)
}

// end returns the mean final loss that bestRates compares. The loss is infinite if a run diverges.
func (c *learningCurve) end() float64 {
	m := c.mean(last)
	loss := m.ValidationLoss
	if math.IsNaN(m.Accuracy) {
		loss = m.Loss
	}
	if c.diverged() == 0 && !math.IsNaN(loss) {
		return loss
	}
	return math.Inf(1)
}

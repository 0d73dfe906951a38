package train

import (
	"fmt"
	"io"
	"math"
	"strings"

	"antipode/data"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/wording"
)

// Describe implements run.Experiment. The report of experiment train has two lines for each setting, or a few
// lines in all for a map of α and β.
func (*Experiment) Describe(w io.Writer, table *data.Table) error {
	e := New()
	curves, rows, err := readLearningCurves(e, table)
	if err != nil {
		return err
	}
	if e.Map {
		p, err := planeOf(e, curves, rows)
		if err != nil {
			return err
		}
		return p.describe(w, e)
	}
	for _, c := range curves {
		if _, err := fmt.Fprintln(w, c.text()); err != nil {
			return err
		}
	}
	if e.ByLayer {
		return describeLayers(w, curves, rows)
	}
	if e.overDepth() {
		return describeDepths(w, curves)
	}
	return nil
}

// text describes the training runs of a setting at the first and at the last evaluation.
func (c *learningCurve) text() string {
	begin, end := c.mean(first), c.mean(last)
	runs := wording.Count(len(c.runs), "run")
	text := fmt.Sprintf("%s, %s: the loss goes from %.4g to %.4g in %s of %s", c.Task, c.name(),
		begin.Loss, end.Loss, runs, wording.Count(c.Steps, "step"))
	if n := c.diverged(); n > 0 {
		text = fmt.Sprintf("%s, %s: %d of %s diverged, at step %s; the loss of the last steps is %.4g",
			c.Task, c.name(), n, runs, strings.Join(c.divergences(), ", "), end.Loss)
	}
	text += fmt.Sprintf(", and the validation loss is %.4g", end.ValidationLoss)
	if !math.IsNaN(end.Accuracy) {
		text += fmt.Sprintf(" with %.3g %% right", 100*end.Accuracy)
	}
	if loss, accuracy := c.best(); !math.IsNaN(loss) {
		text += fmt.Sprintf("; the best possible loss is %.4g", loss)
		if !math.IsNaN(accuracy) {
			text += fmt.Sprintf(", and the best possible accuracy is %.4g %%", 100*accuracy)
		}
		if share := learned(c.standIn(), c.Causal, end.ValidationLoss); !math.IsNaN(share) {
			text += fmt.Sprintf("; learned fraction %.3g", max(0, share))
		}
	}
	text += ".\nAfter the last layer "
	if math.IsNaN(begin.cosine) || math.IsNaN(end.cosine) {
		text += "tokens have no cosine, as they are 0 or not finite"
	} else {
		text += fmt.Sprintf("the mean cosine of tokens goes from %.3g to %.3g, "+
			"the stable rank from %.3g to %.3g", begin.cosine, end.cosine, begin.rank, end.rank)
	}
	if !math.IsNaN(begin.entropy) && !math.IsNaN(end.entropy) {
		text += fmt.Sprintf("; the entropy of attention goes from %.3g to %.3g nats",
			begin.entropy, end.entropy)
	}
	return text + "."
}

// name describes the network of a setting, and the values of the parameters that vary among settings.
func (s *setting) name() string {
	scale := ""
	if !math.IsNaN(s.Beta[0]) {
		scale = fmt.Sprintf(", β = %.6g", s.Beta[0])
	}
	if s.Branches[0] != 1 {
		scale += fmt.Sprintf(", branches = %.4g", s.Branches[0])
	}
	if s.hasWords() && s.Overlap[0] > 0 {
		scale += ", overlap = " + parameter.FormatReal(s.Overlap[0])
	}
	return fmt.Sprintf("%s, %s, %s attention, %s values, α = %s%s, σ_v² = %s, %s with rate %s",
		wording.Count(s.Layers[0], "layer"), s.Norm[0], s.Attention[0], s.Values[0],
		parameter.FormatReal(s.AlphaSA[0]), scale, parameter.FormatReal(s.SigmaV2[0]), s.Optimiser[0],
		parameter.FormatReal(s.LearningRate[0]))
}

// readLearningCurves sets the experiment to the parameters of a table, and returns the learning curves of the
// settings in the table, and all its rows.
func readLearningCurves(e *Experiment, table *data.Table) (curves []*learningCurve, rows []Row, err error) {
	if rows, err = run.ReadRows[Row](e, table); err != nil {
		return nil, nil, err
	}
	if curves = learningCurvesOf(e, rows); len(curves) == 0 {
		err = fmt.Errorf("%w of whole networks", run.ErrNoRows)
	}
	return curves, rows, err
}

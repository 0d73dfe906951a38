package train

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"

	"antipode/experiments/wording"
	"antipode/internal/lists"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// fewestDepths is the least number of depths of networks for which final losses are compared as functions of
// depth.
const fewestDepths = 3

// overDepth reports whether the final losses of settings are compared as functions of the depth of the
// networks.
func (e *Experiment) overDepth() bool { return len(e.Layers) >= fewestDepths && !e.Map }

// series are settings that differ only in the number of layers, in the order of that number.
type series struct {
	name   string
	curves []*learningCurve
}

// seriesOf groups the settings of a table into series over depth. Settings with diverging runs are left out.
func seriesOf(curves []*learningCurve) (all []*series) {
	for _, c := range curves {
		if c.diverged() > 0 {
			continue
		}
		name := c.of(func(parameter string) bool { return parameter != layersName })
		at := slices.IndexFunc(all, func(s *series) bool { return s.name == name })
		if at < 0 {
			at, all = len(all), append(all, &series{name: name})
		}
		all[at].curves = append(all[at].curves, c)
	}
	for _, s := range all {
		slices.SortFunc(s.curves, func(a, b *learningCurve) int {
			return cmp.Compare(a.Layers[0], b.Layers[0])
		})
	}
	return all
}

// ends returns the validation losses at the end of the runs of a setting, seed by seed.
func (c *learningCurve) ends() []float64 {
	return lists.Map(c.runs, func(run []evaluation) float64 { return last(run).ValidationLoss })
}

// reference returns the series with which the other series are compared: the series of the shared identity as
// value matrices if there is one, and otherwise the first series.
func reference(all []*series) *series {
	for _, s := range all {
		if values(s.curves[0].Values[0]).law() == sharedIdentity {
			return s
		}
	}
	return all[0]
}

// describeDepths states for each depth which settings learn more than the reference and which learn less.
// describeDepths also states how well one curve describes all final losses as functions of u, the theoretical
// collapse of the tokens at initialisation.
func describeDepths(w io.Writer, curves []*learningCurve) error {
	all := seriesOf(curves)
	if len(all) == 0 {
		return nil
	}
	base := reference(all)
	for _, s := range all {
		for _, c := range s.curves {
			if s == base {
				continue
			}
			for _, b := range base.curves {
				if b.Layers[0] != c.Layers[0] {
					continue
				}
				if _, err := fmt.Fprintln(w, comparisonText(c, b, s.name, base.name)); err != nil {
					return err
				}
			}
		}
	}
	return describeCollapse(w, all)
}

// comparisonText states by how much the final losses of one setting exceed those of another setting.
func comparisonText(c, base *learningCurve, name, baseName string) string {
	mean, half := pairedInterval(c.ends(), base.ends())
	verdict := fmt.Sprintf("undecided whether %s learn more than %s", name, baseName)
	switch {
	case mean-half > 0:
		verdict = fmt.Sprintf("%s learn less than %s", name, baseName)
	case mean+half < 0:
		verdict = fmt.Sprintf("%s learn more than %s", name, baseName)
	}
	return fmt.Sprintf("%s, %s: %s, the loss differs by %+.3g ± %.2g (95 %%, %s).", c.Task,
		wording.Count(c.Layers[0], "layer"), verdict, mean, half, wording.Count(len(c.runs), "seed"))
}

// pairedInterval returns the mean of the paired differences of two lists and half the length of its 95 %
// confidence interval, by Student's t law. For a single pair the interval is infinite.
func pairedInterval(first, second []float64) (mean, half float64) {
	differences := lists.Of(min(len(first), len(second)), func(k int) float64 { return first[k] - second[k] })
	n := float64(len(differences))
	if n < 2 {
		return stat.Mean(differences, nil), math.Inf(1)
	}
	mean, deviation := stat.MeanStdDev(differences, nil)
	return mean, distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(0.975) * deviation / math.Sqrt(n)
}

// describeCollapse states which fraction of the variance of the final losses an increasing function of u
// explains, where u is the theoretical collapse of the tokens at initialisation.
func describeCollapse(w io.Writer, all []*series) error {
	var u, losses []float64
	for _, s := range all {
		for _, c := range s.curves {
			if t := c.collapse(); !math.IsNaN(t) {
				u, losses = append(u, t), append(losses, stat.Mean(c.ends(), nil))
			}
		}
	}
	if len(u) < 3 {
		return nil
	}
	_, err := fmt.Fprintf(w, "An increasing curve over the theory's u, from %.3g to %.3g, explains %.3g of "+
		"the variance of the %d mean losses.\n", slices.Min(u), slices.Max(u), explained(u, losses), len(u))
	return err
}

// explained returns the fraction of the variance of y that the best increasing function of x explains. The
// best function is found by isotonic least squares: neighbouring values in the wrong order are replaced by
// their mean.
func explained(x, y []float64) float64 {
	order := lists.Of(len(x), func(k int) int { return k })
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(x[a], x[b]) })
	var blocks []block
	for i, k := range order {
		if i > 0 && x[k] == x[order[i-1]] {
			last := &blocks[len(blocks)-1]
			*last = last.with(block{y[k], 1})
			continue
		}
		blocks = append(pooled(blocks), block{y[k], 1})
	}
	mean, between, total := stat.Mean(y, nil), 0.0, 0.0
	for _, b := range pooled(blocks) {
		between += b.count * (b.mean() - mean) * (b.mean() - mean)
	}
	for _, v := range y {
		total += (v - mean) * (v - mean)
	}
	return between / total
}

// block is a set of neighbouring numbers with a common fitted value in isotonic least squares.
type block struct{ sum, count float64 }

func (b block) mean() float64         { return b.sum / b.count }
func (b block) with(more block) block { return block{b.sum + more.sum, b.count + more.count} }

// pooled merges neighbouring blocks of isotonic least squares until the means of the blocks increase. Only
// the last of the given blocks may be in the wrong order.
func pooled(blocks []block) []block {
	for n := len(blocks); n > 1 && blocks[n-1].mean() <= blocks[n-2].mean(); n = len(blocks) {
		blocks = append(blocks[:n-2], blocks[n-2].with(blocks[n-1]))
	}
	return blocks
}

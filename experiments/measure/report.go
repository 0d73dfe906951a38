package measure

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"

	"antipode/data"
	"antipode/experiments/internal/namedfile"
	"antipode/experiments/run"
	"antipode/experiments/wording"
)

// read sets the experiment to the parameters of a table and returns the rows of its layers.
func (m *Experiment) read(table *data.Table) ([]LooseRow, error) {
	if err := run.ReadParameters(m, table); err != nil {
		return nil, err
	}
	rows, err := readRows(table)
	if err == nil && len(rows) == 0 {
		err = run.ErrNoRows
	}
	return rows, err
}

// Describe implements run.Experiment. The report of experiment measure has a line for each of up to a dozen
// layers, and a summary in words.
func (*Experiment) Describe(w io.Writer, table *data.Table) error {
	m := New()
	if table.Schema.Index(headColumn) >= 0 {
		return m.describeWeights(w, table)
	}
	if table.Schema.Index(quantityColumn) >= 0 {
		return m.describeInference(w, table)
	}
	if table.Schema.Index(fileColumn) >= 0 {
		return m.describeSeveral(w, table)
	}
	rows, err := m.read(table)
	if err != nil {
		return err
	}
	theory := ""
	if m.Block != none {
		theory = "    theory"
	}
	_, err = fmt.Fprintf(w, "%s: %s.\n\n"+
		"  layer  tokens        norm     overlap (      5 %% to       95 %%)  p_plus  p_minus  clusters  "+
		"antipodal  stable rank    energy%s\n", namedfile.Name(m.File),
		wording.Count(len(rows), "layer"), theory)
	if err != nil {
		return err
	}
	for _, k := range wording.Spaced(len(rows), 12) {
		r := rows[k]
		line := fmt.Sprintf("  %5d  %6.4g  %10s  %10s (%9s to %10s)  %6s  %7s  %8s  %9s  %11s  %8s",
			r.Layer, r.Tokens, short(r.Norm), short(r.Overlap), short(r.Low), short(r.High),
			short(r.Plus), short(r.Minus), short(r.Clusters), short(r.Antipodal),
			short(r.StableRank), short(r.Energy))
		if m.Block != none {
			line += fmt.Sprintf("  %8s", short(r.Theory))
		}
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(w, "\n%s%s", m.inWords(rows), m.withoutChecksums())
	return err
}

// withoutChecksums states the SHA-256 of each .npy file that was read. The format .npy has no checksum of its
// own, so that a changed bit would go unnoticed.
func (m *Experiment) withoutChecksums() (text string) {
	for _, file := range append(m.files(), m.Mask) {
		if name, sum := namedfile.Split(file); strings.EqualFold(filepath.Ext(name), ".npy") {
			text += fmt.Sprintf("%s has no checksum to compare; the SHA-256 of what was read is %s.\n", name,
				sum)
		}
	}
	return text
}

func short(x float64) string { return wording.Or(x, "%.4g", "null") }

// differing states in words by how much two tokens of a given cosine differ, with two digits if the
// difference is small.
func differing(cosine float64) string {
	switch x := difference(cosine); {
	case x < rounding:
		return fmt.Sprintf("less than %g %%", rounding)
	case x < 9.5:
		return fmt.Sprintf("%.2g %%", x)
	default:
		return fmt.Sprintf("%.0f %%", x)
	}
}

// rounding is the difference of two tokens, in per cent, that rounding errors alone can cause.
const rounding = 1e-5

// difference returns the length of the difference of two tokens of the given cosine, in per cent of their
// length.
func difference(cosine float64) float64 { return 100 * math.Sqrt(max(0, float64(2*(1-cosine)))) }

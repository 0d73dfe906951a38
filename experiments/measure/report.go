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

// read sets the experiment to the parameters of a table and returns its layers.
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

// Describe implements run.Experiment: a line for each of up to a dozen layers, and what they come to.
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
	_, err = fmt.Fprintf(w, "%s: %s.\n\n"+
		"  layer  tokens        norm  overlap (5 %% to 95 %%)            p_plus  p_minus  clusters  "+
		"antipodal  stable rank    energy%s\n", namedfile.Name(m.File),
		wording.Count(len(rows), "layer"), theoryHead(m))
	if err != nil {
		return err
	}
	step := max(1, (len(rows)+10)/11)
	for k, r := range rows {
		if k%step != 0 && k+1 != len(rows) {
			continue
		}
		line := fmt.Sprintf("  %5d  %6.4g  %10s  %8s (%8s to %8s)  %6s  %7s  %8s  %9s  %11s  %8s",
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
	_, err = fmt.Fprintf(w, "\n%s\n%s", m.verdict(rows), m.withoutChecksums())
	return err
}

// withoutChecksums says of each file that has no checksum what was read: a .npy, in which a changed bit goes
// unnoticed.
func (m *Experiment) withoutChecksums() (text string) {
	for _, file := range append(m.files(), m.Mask) {
		if name, sum := namedfile.Split(file); strings.EqualFold(filepath.Ext(name), ".npy") {
			text += fmt.Sprintf("%s has no checksum to compare; the SHA-256 of what was read is %s.\n", name,
				sum)
		}
	}
	return text
}

func theoryHead(m *Experiment) string {
	if m.Block == none {
		return ""
	}
	return "    theory"
}

func short(x float64) string {
	if math.IsNaN(x) {
		return "null"
	}
	return fmt.Sprintf("%.4g", x)
}

// verdict says in words what becomes of the tokens from the first layer to the last.
func (m *Experiment) verdict(rows []LooseRow) string {
	first, last := rows[0], rows[len(rows)-1]
	if math.IsNaN(last.Overlap) || math.IsNaN(first.Overlap) {
		return "There are fewer than two tokens to compare."
	}
	text := fmt.Sprintf("From layer %d to %d the mean overlap goes from %s to %s, "+
		"and the stable rank from %s to %s. ", first.Layer, last.Layer,
		short(first.Overlap), short(last.Overlap), short(first.StableRank), short(last.StableRank))
	switch {
	case last.Antipodal >= 0.5:
		return text + "At the end the tokens are two opposite clusters."
	case last.Clusters == 1:
		return text + "At the end the tokens are a single cluster."
	}
	text += inWords(last.Row)
	if m.loosely() {
		return text + fmt.Sprintf("Cosines of 0.5, 0.9 and 0.99 or more connect %s tokens to %s, %s and %s "+
			"clusters.", short(last.Tokens), short(last.Half), short(last.Ninety), short(last.NinetyNine))
	}
	if last.Plus == 0 {
		return text + fmt.Sprintf("No two have a cosine of %g or more; --thresholds counts the "+
			"clusters that cosines of 0.5, 0.9 and 0.99 connect.", 1-m.Tolerance)
	}
	return text + fmt.Sprintf("Cosines of %g or more connect %s tokens to %s clusters.", 1-m.Tolerance,
		short(last.Tokens), short(last.Clusters))
}

// inWords says what the overlaps of a layer mean: normalised tokens of mean cosine c differ by √(2(1-c)) of
// their length, in the root mean square.
func inWords(r Row) string {
	return fmt.Sprintf("Tokens of layer %d have mean cosine %s: normalised, they differ by %.0f %% of "+
		"their length; nine tenths of the pairs by %.0f to %.0f %%. ", r.Layer, short(r.Overlap),
		difference(r.Overlap),
		difference(r.High), difference(r.Low))
}

// difference is by how much of their length two tokens of that cosine differ, in per cent.
func difference(cosine float64) float64 { return 100 * math.Sqrt(max(0, float64(2*(1-cosine)))) }

package measure

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"antipode/data"
	"antipode/experiments/run"
	"antipode/experiments/wording"
	"antipode/internal/lists"
)

// layers are the measured layers of one of several compared files.
type layers struct {
	name string // shortest name that distinguishes the file
	rows []LooseRow
}

// readAll sets the experiment to the parameters of a table of several files, and returns the measured layers
// of each file.
func (m *Experiment) readAll(table *data.Table) (files []layers, err error) {
	if err := run.ReadParameters(m, table); err != nil {
		return nil, err
	}
	shortest := shortNames(m.names())
	for k, name := range m.names() {
		rows, err := readRows(partOf(table, name))
		if err != nil {
			return nil, err
		}
		if len(rows) == 0 {
			return nil, fmt.Errorf("%s: %w", name, run.ErrNoRows)
		}
		files = append(files, layers{shortest[k], rows})
	}
	return files, nil
}

// shortNames returns the names of files without their folders if these names are all different, and otherwise
// the paths.
func shortNames(paths []string) []string {
	short := lists.Map(paths, filepath.Base)
	sorted := slices.Sorted(slices.Values(short))
	if len(slices.Compact(sorted)) < len(paths) {
		return paths
	}
	return short
}

// quantity is a measured quantity in which files are compared.
type quantity struct {
	name  string
	value func(r LooseRow) float64
}

var quantities = []quantity{
	{"Mean cosine of two tokens", func(r LooseRow) float64 { return r.Overlap }},
	{"Clusters that cosines of 0.9 or more connect", func(r LooseRow) float64 { return r.Ninety }},
	{"Stable rank", func(r LooseRow) float64 { return r.StableRank }},
	{"Mean norm of a token", func(r LooseRow) float64 { return r.Norm }},
}

// describeSeveral reports on several files: some lines for each quantity, with its changes from the first
// file to each other file, and a summary in words.
func (m *Experiment) describeSeveral(w io.Writer, table *data.Table) error {
	files, err := m.readAll(table)
	if err != nil {
		return err
	}
	var b strings.Builder
	for k, f := range files {
		fmt.Fprintf(&b, "%s: %s.\n", m.names()[k], wording.Count(len(f.rows), "layer"))
	}
	for _, q := range quantities {
		q.describe(&b, files)
	}
	b.WriteByte('\n')
	for _, f := range files {
		b.WriteString(f.inWords())
	}
	b.WriteString(lastChange(files))
	b.WriteString("A cosine of 0.5 means that normalised tokens differ by 100 % of their length, 0.9 by " +
		"45 %, 0.99 by 14 %.\n" + m.withoutChecksums())
	_, err = io.WriteString(w, b.String())
	return err
}

// describe writes the values of a quantity in up to eight layers of all files.
func (q quantity) describe(b *strings.Builder, files []layers) {
	fmt.Fprintf(b, "\n%s\n  layer", q.name)
	count := 0
	for k, f := range files {
		width := max(10, len(f.name))
		if fmt.Fprintf(b, "  %*s", width, f.name); k > 0 {
			fmt.Fprintf(b, "  %9s", "change")
		}
		count = max(count, len(f.rows))
	}
	b.WriteByte('\n')
	for _, layer := range wording.Spaced(count, 8) {
		fmt.Fprintf(b, "  %5d", layer)
		first := files[0].at(layer, q.value)
		for k, f := range files {
			value := f.at(layer, q.value)
			if fmt.Fprintf(b, "  %*s", max(10, len(f.name)), shown(value, "%.4g")); k > 0 {
				fmt.Fprintf(b, "  %9s", shown(value-first, "%+.3g"))
			}
		}
		b.WriteByte('\n')
	}
}

// at returns the value of a quantity in a layer of a file, or NaN if the file has no such layer.
func (f layers) at(layer int, value func(r LooseRow) float64) float64 {
	if layer >= len(f.rows) {
		return math.NaN()
	}
	return value(f.rows[layer])
}

// shown formats a number; the text of NaN is a dash.
func shown(x float64, format string) string { return wording.Or(x, format, "-") }

// inWords describes the tokens in the last layer of a file in words.
func (f layers) inWords() string {
	last := f.rows[len(f.rows)-1]
	if math.IsNaN(last.Overlap) {
		return fmt.Sprintf("%s has fewer than two tokens to compare in layer %d.\n", f.name, last.Layer)
	}
	return fmt.Sprintf("%s, layer %d: mean cosine %s, a difference of %s of the tokens' length; "+
		"cosines of 0.5, 0.9 and 0.99 connect %s tokens to %s, %s and %s clusters.\n", f.name, last.Layer,
		short(last.Overlap), differing(last.Overlap), short(last.Tokens), short(last.Half),
		short(last.Ninety), short(last.NinetyNine))
}

// lastChange describes in words how the files differ in the last layer that all of them have.
func lastChange(files []layers) string {
	last := len(files[0].rows)
	for _, f := range files {
		last = min(last, len(f.rows))
	}
	var b strings.Builder
	for _, f := range files[1:] {
		cosine := func(f layers) float64 { return f.at(last-1, quantities[0].value) }
		change := cosine(f) - cosine(files[0])
		if math.IsNaN(change) {
			continue
		}
		than := "as much alike as"
		switch {
		case change > 0:
			than = "more alike than"
		case change < 0:
			than = "less alike than"
		}
		fmt.Fprintf(&b, "In layer %d the tokens of %s are %s those of %s: their mean cosine is %s, not %s.\n",
			last-1, f.name, than, files[0].name, short(cosine(f)), short(cosine(files[0])))
	}
	return b.String()
}

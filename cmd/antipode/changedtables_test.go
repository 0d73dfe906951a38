package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"antipode/data"
	"antipode/experiments"
	"antipode/experiments/wording"
	"antipode/internal/longtest"
	"antipode/sphere/must"
)

// tableChanger makes random changes in tables, such as a person could make who edits a table with another
// program: in values, labels, columns and metadata. The checksums in the file are correct for the changed
// table.
type tableChanger struct{ random *rand.Rand }

// oddTexts are the texts that replace labels, names of columns and metadata.
var oddTexts = []string{"", " ", "x", "null", "-1", "1e400", "[", "{}", "[]", "\x1b[2J", "a\nb", "é…",
	strings.Repeat("1,", 100_000), "softmax", "gaussian", "all", "0", "9223372036854775808"}

var oddNumbers = []float64{0, math.Copysign(0, -1), 1, -1, 0.5, 2, 1e-320, 1e-9, 1e9, 1e18, -1e18, 1e308,
	-1e308, math.Inf(1), math.Inf(-1), math.MaxInt32, math.MinInt32, math.MaxInt64,
	math.MinInt64, 127, 1 << 20}

// table returns a copy of a table with one to three random changes. rowsAlone reports that the metadata were
// not changed, only rows, labels or columns.
func (c tableChanger) table(table *data.Table) (changed *data.Table, rowsAlone bool) {
	changed, rowsAlone = clone(table), true
	for range 1 + c.random.IntN(3) {
		switch k := c.random.IntN(len(changed.Columns)); c.random.IntN(10) {
		case 0, 1, 2, 3:
			c.value(changed, k)
		case 4, 5:
			c.label(changed, k)
		case 6:
			rows := changed.Rows()
			from := c.random.IntN(rows + 1)
			changed = changed.Slice(from, from+c.random.IntN(rows-from+1))
		case 7:
			c.column(changed, k)
		default:
			rowsAlone = false
			c.metadata(changed)
		}
	}
	return changed, rowsAlone
}

func clone(table *data.Table) *data.Table {
	c := &data.Table{Schema: table.Schema, Columns: slices.Clone(table.Columns)}
	c.Schema.Columns, c.Schema.Metadata = slices.Clone(c.Schema.Columns), slices.Clone(c.Schema.Metadata)
	for k, values := range c.Columns {
		c.Schema.Columns[k].Labels = slices.Clone(c.Schema.Columns[k].Labels)
		switch v := values.(type) {
		case data.Slice[int8]:
			c.Columns[k] = slices.Clone(v)
		case data.Slice[int32]:
			c.Columns[k] = slices.Clone(v)
		case data.Slice[int64]:
			c.Columns[k] = slices.Clone(v)
		case data.Slice[float64]:
			c.Columns[k] = slices.Clone(v)
		}
	}
	return c
}

// value replaces one number of column k by an odd one or by that of another row, or one label's code by
// another code.
func (c tableChanger) value(table *data.Table, k int) {
	n := table.Columns[k].Len()
	if n == 0 {
		return
	}
	at, from, odd := c.random.IntN(n), c.random.IntN(n), oddNumbers[c.random.IntN(len(oddNumbers))]
	another := c.random.IntN(3) == 0
	switch v := table.Columns[k].(type) {
	case data.Slice[int8]:
		v[at] = int8(c.random.IntN(len(table.Schema.Columns[k].Labels)))
	case data.Slice[int32]:
		if v[at] = int32(max(math.MinInt32, min(math.MaxInt32, odd))); another {
			v[at] = v[from]
		}
	case data.Slice[int64]:
		if v[at] = int64(max(math.MinInt64, min(1<<62, odd))); another {
			v[at] = v[from]
		}
	case data.Slice[float64]:
		if v[at] = odd; another {
			v[at] = v[from]
		}
		if table.Schema.Columns[k].Nullable && c.random.IntN(3) == 0 {
			v[at] = math.NaN()
		}
	}
}

// label gives one label of column k another text, or shuffles the labels.
func (c tableChanger) label(table *data.Table, k int) {
	labels := table.Schema.Columns[k].Labels
	if len(labels) == 0 {
		c.value(table, k)
		return
	}
	if c.random.IntN(3) == 0 {
		c.random.Shuffle(len(labels), func(i, j int) { labels[i], labels[j] = labels[j], labels[i] })
		return
	}
	if text := oddTexts[c.random.IntN(len(oddTexts))]; !slices.Contains(labels, text) {
		labels[c.random.IntN(len(labels))] = text
	}
}

// column renames or removes column k, converts it to whole numbers, or halves the length of its vectors.
func (c tableChanger) column(table *data.Table, k int) {
	column := &table.Schema.Columns[k]
	switch values, isReal := table.Columns[k].(data.Slice[float64]); c.random.IntN(4) {
	case 0:
		if text := oddTexts[1+c.random.IntN(len(oddTexts)-1)]; table.Schema.Index(text) < 0 {
			column.Name = text
		}
	case 1:
		if len(table.Columns) > 1 {
			table.Schema.Columns = slices.Delete(table.Schema.Columns, k, k+1)
			table.Columns = slices.Delete(table.Columns, k, k+1)
		}
	case 2:
		if isReal && column.Kind == data.Float64 {
			whole := make(data.Slice[int64], len(values))
			for i, x := range values {
				if x == x && math.Abs(x) < 1e18 {
					whole[i] = int64(x)
				}
			}
			column.Kind, column.Nullable, table.Columns[k] = data.Int64, false, whole
		}
	case 3:
		if isReal && column.Kind == data.Vector && column.Length%2 == 0 && table.Rows() == 0 {
			column.Length /= 2
		}
	}
}

// metadata changes the text of one metadata entry, or one parameter in it.
func (c tableChanger) metadata(table *data.Table) {
	if len(table.Schema.Metadata) == 0 {
		return
	}
	k := c.random.IntN(len(table.Schema.Metadata))
	entry := &table.Schema.Metadata[k]
	odd := oddTexts[c.random.IntN(len(oddTexts))]
	var parameters map[string]any
	if json.Unmarshal([]byte(entry.Value), &parameters) != nil || len(parameters) == 0 ||
		c.random.IntN(8) == 0 {
		if entry.Value = odd; c.random.IntN(3) == 0 {
			table.Schema.Metadata = slices.Delete(table.Schema.Metadata, k, k+1)
		}
		return
	}
	names := make([]string, 0, len(parameters))
	for name := range parameters {
		names = append(names, name)
	}
	slices.Sort(names)
	name := names[c.random.IntN(len(names))]
	switch c.random.IntN(4) {
	case 0:
		parameters[name] = odd
	case 1:
		parameters[name] = []any{odd, 1, nil, []any{}}[c.random.IntN(4)]
	case 2:
		parameters[name] = make([]float64, 1+c.random.IntN(100_000))
	case 3:
		if x := oddNumbers[c.random.IntN(len(oddNumbers))]; !math.IsInf(x, 0) {
			parameters[name] = x
		}
	}
	if text, err := json.Marshal(parameters); err == nil {
		entry.Value = string(text)
	}
}

// Whatever is in a table, no command panics, hangs, or prints more than one line of error; and rerun never
// says that it computed the same rows if the table's rows were changed.
func TestChangedTables(t *testing.T) {
	longtest.Only(t)
	golden, err := filepath.Glob(filepath.Join(sources, "..", "..", "experiments", "testdata", "tables",
		"0.4.0", "*.arrow"))
	if err != nil || len(golden) == 0 {
		t.Fatalf("no tables: %v", err)
	}
	t.Chdir(t.TempDir())
	for _, path := range golden {
		name := strings.TrimSuffix(filepath.Base(path), ".arrow")
		t.Run(name, func(t *testing.T) {
			table := soonDrawn(name, must.Get(data.ReadFile(path))(t))
			seed := fnv.New64()
			seed.Write([]byte(name))
			changer := tableChanger{rand.New(rand.NewPCG(seed.Sum64(), 1))}
			for range 5 {
				changed, rowsAlone := changer.table(table)
				if data.WriteFile("t.arrow", changed) != nil {
					continue // this cannot be written as a table
				}
				same := rowsAlone && equalRows(table, changed)
				tryTable(t, name, rowsAlone && !same)
			}
		})
	}
}

// soonDrawn returns a table whose figure is drawn quickly: that of phase with a law of value matrices without
// an exact law, whose lines take seconds, and that of stability with one line of its theory.
func soonDrawn(name string, table *data.Table) *data.Table {
	switch name {
	case "phase":
		for k, entry := range table.Schema.Metadata {
			if entry.Key == data.KeyParameters {
				table.Schema.Metadata[k].Value = strings.NewReplacer(`"method":"chain"`, `"method":"tokens"`,
					`"law":"gaussian"`, `"law":"uniform"`).Replace(entry.Value)
			}
		}
	case "stability":
		return table.Slice(0, 2)
	}
	return table
}

// equalRows reports whether two tables have the same columns and rows. It compares rows as JSON, where a
// label is its text.
func equalRows(a, b *data.Table) bool {
	if a.Rows() != b.Rows() || len(a.Columns) != len(b.Columns) {
		return false
	}
	for row := range a.Rows() {
		if !bytes.Equal(a.AppendRowJSON(nil, row), b.AppendRowJSON(nil, row)) {
			return false
		}
	}
	return true
}

// tryTable runs every command that reads tables on t.arrow. other says that its rows were changed, so that
// rerun must notice.
func tryTable(t *testing.T, name string, other bool) {
	t.Helper()
	for _, arguments := range [][]string{
		{"plot", "t.arrow", "--out", "t.svg"}, {"rerun", "t.arrow", "--quiet"},
		{"merge", "t.arrow", "--out", "m.arrow", "--quiet"}, {"run-crate", "t.arrow"},
		{"inspect", "t.arrow", "--json"}, {"inspect", "t.arrow"},
		{"measure", "t.arrow", "--out", "n.arrow", "--quiet"},
		{"simulate", "--start", "t.arrow", "--trajectories", "2", "--depth", "10", "--horizon", "1", "--out",
			"s.arrow", "--quiet"},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		var stdout, stderr bytes.Buffer
		start := time.Now()
		code := execute(ctx, append([]string{"antipode"}, arguments...), &stdout, &stderr)
		ended := ctx.Err() != nil
		cancel()
		said := stderr.String()
		kept := func() string { return keep(t, name) }
		switch {
		case code == exitDone && arguments[0] == "rerun" && other:
			t.Errorf("%s: %q says of other rows %q", kept(), arguments, &stdout)
		case code == exitDone || ended:
		case code != exitFailed && code != exitUsage || strings.Count(said, "\n") != 1 ||
			utf8.RuneCountInString(said) > wording.MessageColumns+1:
			t.Errorf("%s: %q: exit code %d, %.500q", kept(), arguments, code, said)
		}
		if took := time.Since(start); took > 30*time.Second {
			t.Errorf("%s: %q took %v", kept(), arguments, took)
		}
	}
	if e, table, err := experiments.Read("t.arrow"); err == nil { // as the page of explore does
		var text bytes.Buffer
		if err := e.Describe(&text, table); err == nil && !utf8.Valid(text.Bytes()) {
			t.Errorf("%s: a report that is not UTF-8", keep(t, name))
		}
	}
}

// keep copies t.arrow to the temporary folder, where a person can look at it after the test.
func keep(t *testing.T, name string) string {
	content := must.Get(os.ReadFile("t.arrow"))(t)
	path := filepath.Join(os.TempDir(), fmt.Sprintf("antipode-changed-%s-%x.arrow", name, fnvOf(content)))
	must.Do(t, os.WriteFile(path, content, 0o666))
	return path
}

func fnvOf(content []byte) uint64 {
	h := fnv.New64()
	h.Write(content)
	return h.Sum64()
}

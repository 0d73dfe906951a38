package data

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"antipode/internal/longtest"
	"antipode/sphere/must"
)

func TestNumbersReadBackTheSame(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	numbers := []float64{0, math.Copysign(0, -1), 1e-6, 9.999999e-7, 1e20, 1e21, 1e22, math.MaxFloat64,
		math.SmallestNonzeroFloat64, -0.1}
	for range 10_000 {
		if x := math.Float64frombits(random.Uint64()); !math.IsNaN(x) && !math.IsInf(x, 0) {
			numbers = append(numbers, x)
		}
	}
	for _, x := range numbers {
		text := appendJSONNumber(nil, x)
		back, err := strconv.ParseFloat(string(text), 64)
		if err != nil || math.Float64bits(back) != math.Float64bits(x) || !json.Valid(text) {
			t.Errorf("%v is written %s (%v)", x, text, err)
		}
	}
	for x, want := range map[float64]string{1e6: "1000000", 0.5: "0.5", 1e21: "1e+21", 1e-7: "1e-07",
		123456789.25: "123456789.25"} {
		if got := string(appendNumber(nil, x)); got != want {
			t.Errorf("%v is written %s, want %s", x, got, want)
		}
	}
}

func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"":                       "",
		`β "x", \n`:              `β "x", \n`,
		"a\x1b[31mb":             `a\x1b[31mb`,
		"line\nline\ttab\r":      `line\nline\ttab\r`,
		"\u009b2J":               `\u009b2J`,
		"\u202egnp.exe":          `\u202egnp.exe`,
		"\xff\xfe":               `\xff\xfe`,
		"\x7f":                   `\x7f`,
		"\u2028":                 `\u2028`,
		"\ufffd":                 "\ufffd", // which is not a byte that is not UTF-8
		"quoted \"\x00\" inside": `quoted "\x00" inside`,
	} {
		if got := Printable(text); got != want {
			t.Errorf("%q is printed %q, want %q", text, got, want)
		}
	}
}

// writers are the three forms of a table.
var writers = map[string]func(*Reader, io.Writer, int) error{
	"text": (*Reader).WriteText, "csv": (*Reader).WriteCSV, "json": (*Reader).WriteJSON,
	"lines": (*Reader).WriteJSONLines,
}

// limited is a writer with room for some bytes.
type limited struct{ room int }

func (l *limited) Write(p []byte) (int, error) {
	if len(p) > l.room {
		n := l.room
		l.room = 0
		return n, errFault
	}
	l.room -= len(p)
	return len(p), nil
}

func TestOutputErrors(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.arrow")
	mustWrite(t, path, sample(500))
	for name, write := range writers {
		var text strings.Builder
		must.Do(t, write(mustOpen(t, path), &text, -1))
		for _, room := range []int{0, 1, 100, 5000, text.Len() - 1} {
			if err := write(mustOpen(t, path), &limited{room}, -1); !errors.Is(err, errFault) {
				t.Errorf("%s with room for %d of %d bytes: %v", name, room, text.Len(), err)
			}
		}
		if err := write(mustOpen(t, path), &limited{text.Len()}, -1); err != nil {
			t.Errorf("%s with room for all: %v", name, err)
		}
	}
}

// Rows that cannot be read are an error, and not the end of the table, in every form.
func TestDamagedRowsInEveryForm(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.arrow")
	table := sample(maxBatchRows + 500)
	table.Schema.Columns, table.Columns = table.Schema.Columns[:1], table.Columns[:1]
	content := mustWrite(t, path, table)
	content[bytes.LastIndex(content, binary.LittleEndian.AppendUint32(nil,
		uint32(table.Columns[0].(Slice[int32])[maxBatchRows+400])))] ^= 4 // a number of the second batch
	must.Do(t, os.WriteFile(path, content, 0o666))
	forms := maps.Clone(writers)
	forms["parquet"] = func(r *Reader, w io.Writer, _ int) error { return r.WriteParquet(w) }
	for name, write := range forms {
		err := write(mustOpen(t, path), io.Discard, -1)
		if err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The rows that are not asked for are still there, whoever reads them.
func TestRowsAreTakenInOrder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.arrow")
	mustWrite(t, path, sample(70_000))
	r := mustOpen(t, path)
	var text strings.Builder
	for _, rows := range []int{0, 3, 65_535, 1} {
		must.Do(t, r.WriteCSV(&text, rows))
	}
	table, err := r.Next()
	if err != nil || table.Rows() != 70_000-65_539 ||
		table.Columns[0].(Slice[int32])[0] != math.MinInt32+65_539 {
		t.Errorf("%d rows follow, %v", table.Rows(), err)
	}
	if got := strings.Count(text.String(), "\n"); got != 65_539+4 {
		t.Errorf("%d lines", got)
	}
}

// heapWatcher is a writer that looks at the memory in use now and then.
type heapWatcher struct {
	base, peak uint64
	written    int
}

func (h *heapWatcher) Write(p []byte) (int, error) {
	if (h.written+len(p))>>21 > h.written>>21 {
		h.peak = max(h.peak, heap())
	}
	h.written += len(p)
	return len(p), nil
}

// heap returns the bytes of memory that are in use.
func heap() uint64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

func TestWritersNeedLittleMemory(t *testing.T) {
	longtest.Only(t)
	path := filepath.Join(t.TempDir(), "t.arrow")
	table := sample(300_000)
	table.Schema.Columns, table.Columns = table.Schema.Columns[:4], table.Columns[:4]
	mustWrite(t, path, table)
	for name, write := range writers {
		r := mustOpen(t, path)
		most := &heapWatcher{base: heap()}
		must.Do(t, write(r, most, -1))
		// A batch has 2 MiB; the whole table has 8 and as text 12 and more.
		if most.peak > most.base+6<<20 || most.written < 7<<20 {
			t.Errorf("%s: %d MiB in use for %d MiB of text", name, (most.peak-most.base)>>20,
				most.written>>20)
		}
	}
}

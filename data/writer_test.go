package data

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"antipode/data/durable"
	"antipode/sphere/must"
)

// begin creates a writer for the sample's schema over an older file.
func begin(t *testing.T) (w *Writer, path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "t.arrow")
	must.Do(t, os.WriteFile(path, []byte("old"), 0o644))
	w = must.Get(Create(path, sample(0).Schema))(t)
	return w, path
}

// onlyOld checks that the older file is all that there is.
func onlyOld(t *testing.T, path string) {
	t.Helper()
	entries := must.Get(os.ReadDir(filepath.Dir(path)))(t)
	if content, err := os.ReadFile(path); len(entries) != 1 || err != nil || string(content) != "old" {
		t.Errorf("files %v, %.20q, %v", entries, content, err)
	}
}

func TestWritesInPiecesGiveTheSameFile(t *testing.T) {
	table := sample(150_000)
	folder := t.TempDir()
	want := mustWrite(t, filepath.Join(folder, "whole.arrow"), table)
	random := rand.New(rand.NewPCG(1, 2))
	for _, largest := range []int{1000, 70_000, 140_000} {
		path := filepath.Join(folder, "pieces.arrow")
		w := must.Get(Create(path, table.Schema))(t)
		scratch := sample(largest)
		for from := 0; from < table.Rows(); {
			to := min(table.Rows(), from+random.IntN(largest))
			// The same memory for every piece: the writer must not keep it.
			for i, column := range table.Schema.Columns {
				values := scratch.Columns[i].part(0, 0)
				scratch.Columns[i] = values.join(table.Columns[i].part(from*column.width(),
					to*column.width()))
			}
			must.Do(t, w.Write(scratch.Columns...))
			from = to
		}
		must.Do(t, w.Close())
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
			t.Errorf("pieces of up to %d rows give another file (%v)", largest, err)
		}
	}
}

func TestWriteErrors(t *testing.T) {
	set := func(i int, values Values) []Values {
		columns := sample(3).Columns
		columns[i] = values
		return columns
	}
	for _, test := range []struct {
		columns []Values
		want    string
	}{
		{nil, "values of 0 columns for 6"},
		{sample(3).Columns[:5], "values of 5 columns for 6"},
		{set(0, Slice[int64]{1, 2, 3}), `column "dim" takes data.Slice[int32], not data.Slice[int64]`},
		{set(0, nil), `takes data.Slice[int32], not <nil>`},
		{set(4, Slice[string]{"a", "b", "c"}), `takes data.Slice[int8], not data.Slice[string]`},
		{set(1, Slice[int64]{1, 2}), `"trajectories" has 2 rows, "dim" has 3`},
		{set(0, Slice[int32]{1, 2}), `has 3 rows, "dim" has 2`},
		{set(5, make(Slice[float64], 8)), "8 numbers are not a whole number of vectors of length 3"},
		{set(5, make(Slice[float64], 3)), `"x1" has 1 rows`},
		{set(4, Slice[int8]{0, 3, 4}), "row 2: the code 4 is not in 0..3"},
		{set(4, Slice[int8]{0, -1, 3}), "row 1: the code -1 is not in 0..3"},
		{set(2, Slice[float64]{0, 1, math.NaN()}), `column "p", row 2: NaN`},
		{set(5, Slice[float64]{0, 1, 2, 3, math.NaN(), 5, 6, 7, 8}), `column "x1", row 1: NaN`},
	} {
		w, path := begin(t)
		err := w.Write(test.columns...)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("error %v, want %q", err, test.want)
		}
		if again := w.Write(sample(3).Columns...); again != err {
			t.Errorf("Write after an error: %v", again)
		}
		if again := w.Close(); again != err {
			t.Errorf("Close after an error: %v", again)
		}
		if err := w.Abort(); err != nil {
			t.Errorf("Abort after an error: %v", err)
		}
		onlyOld(t, path)
	}
}

func TestAbort(t *testing.T) {
	w, path := begin(t)
	must.Do(t, w.Write(sample(100_000).Columns...))
	for range 2 {
		if err := w.Abort(); err != nil {
			t.Error(err)
		}
	}
	onlyOld(t, path)
	if err := w.Write(sample(1).Columns...); err == nil {
		t.Error("Write after Abort is no error")
	}
	if err := w.Close(); err == nil {
		t.Error("Close after Abort is no error")
	}
	onlyOld(t, path)
}

func TestClosed(t *testing.T) {
	w, path := begin(t)
	must.Do(t, w.Close())
	if err := w.Write(sample(1).Columns...); err == nil {
		t.Error("Write after Close is no error")
	}
	if err := w.Close(); err == nil {
		t.Error("a second Close is no error")
	}
	if err := w.Abort(); err != nil {
		t.Error(err)
	}
	if _, err := ReadFile(path); err != nil {
		t.Error(err)
	}
}

func TestNothingAppearsBeforeClose(t *testing.T) {
	w, path := begin(t)
	must.Do(t, w.Write(sample(200_000).Columns...))
	if content, err := os.ReadFile(path); err != nil || string(content) != "old" {
		t.Errorf("%q, %v", content, err)
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 2 || !strings.HasPrefix(entries[0].Name(), ".t.arrow.") {
		t.Errorf("files %v, %v", entries, err)
	}
	must.Do(t, w.Close())
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Errorf("files %v, %v", entries, err)
	}
}

var errFault = errors.New("injected fault")

// limitedTarget is a target with room for some bytes.
type limitedTarget struct {
	target
	room    int
	aborted bool
}

func (f *limitedTarget) Write(p []byte) (int, error) {
	fits := min(f.room, len(p))
	f.room -= fits
	n, err := f.target.Write(p[:fits])
	if err == nil && fits < len(p) {
		err = errFault
	}
	return n, err
}

func (f *limitedTarget) Abort() error {
	f.aborted = true
	return f.target.Abort()
}

// redirect puts another target below a new writer.
func redirect(w *Writer, to target) {
	w.target = to
	w.output.buffer.Reset(to)
}

func writeAll(w *Writer, table *Table) error {
	if err := w.Write(table.Columns...); err != nil {
		w.Close()
		return err
	}
	return w.Close()
}

func TestDiskFullAtEveryByte(t *testing.T) {
	table := sample(maxBatchRows + 10)
	table.Schema.Columns, table.Columns = table.Schema.Columns[3:5], table.Columns[3:5]
	folder := t.TempDir()
	path := filepath.Join(folder, "t.arrow")
	size := len(mustWrite(t, path, table))
	must.Do(t, os.WriteFile(path, []byte("old"), 0o644))
	random := rand.New(rand.NewPCG(3, 4))
	rooms := []int{0, 1, size - 1}
	for range 30 {
		rooms = append(rooms, random.IntN(3000), size-1-random.IntN(3000), random.IntN(size))
	}
	for _, room := range rooms {
		w := must.Get(Create(path, table.Schema))(t)
		limited := &limitedTarget{target: w.target, room: room}
		redirect(w, limited)
		if err := writeAll(w, table); err == nil {
			t.Fatalf("room for %d of %d bytes: no error", room, size)
		}
		if !limited.aborted {
			t.Errorf("room for %d of %d bytes: the file is not given up", room, size)
		}
		onlyOld(t, path)
	}
}

// A stream gets the bytes of the file.
func TestStream(t *testing.T) {
	table := sample(100_000)
	want := mustWrite(t, filepath.Join(t.TempDir(), "t.arrow"), table)
	var got bytes.Buffer
	w := must.Get(Stream(&got, "a buffer", table.Schema))(t)
	if err := writeAll(w, table); err != nil || !bytes.Equal(got.Bytes(), want) {
		t.Errorf("other bytes, %v", err)
	}
	w = must.Get(Stream(&limitedTarget{target: stream{io.Discard}, room: 1000}, "a pipe",
		table.Schema))(t)
	if err := writeAll(w, table); !errors.Is(err, errFault) || !strings.Contains(err.Error(), "a pipe") {
		t.Errorf("error %v", err)
	}
	if _, err := Stream(&got, "a buffer", Schema{}); err == nil {
		t.Error("a table without columns is no error")
	}
}

func TestRealDiskFull(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("there is no /dev/full here")
	}
	w, path := begin(t)
	w.output.buffer.Reset(full)
	if err := writeAll(w, sample(10)); err == nil || !strings.Contains(err.Error(), "no space left") {
		t.Errorf("error %v", err)
	}
	onlyOld(t, path)
}

// faultAt has the n-th operation on files fail, counted from 1; it returns which one that was, nothing where
// there are fewer.
func faultAt(t *testing.T, n int, action func()) (failed string) {
	t.Helper()
	t.Cleanup(func() { durable.Inject(nil) })
	count := 0
	durable.Inject(func(operation, path string) error {
		if count++; count != n {
			return nil
		}
		failed = operation + " " + filepath.Base(path)
		return errFault
	})
	action()
	durable.Inject(nil)
	return failed
}

// Whatever operation fails, the writer says so, and there is the older file, or the new one where only what
// comes after the last name failed.
func TestEveryOperationFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.arrow")
	whole := mustWrite(t, path, sample(10))
	after := false // whether the file has its name
	for n := 1; ; n++ {
		must.Do(t, os.WriteFile(path, []byte("old"), 0o644))
		var err error
		failed := faultAt(t, n, func() { err = WriteFile(path, sample(10)) })
		if failed == "" {
			if err != nil || !after {
				t.Errorf("no fault, error %v", err)
			}
			t.Logf("%d operations", n-1)
			return
		}
		if !errors.Is(err, errFault) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s fails: error %v", failed, err)
		}
		content, err := os.ReadFile(path)
		after = after || strings.HasPrefix(failed, "sync ") && !strings.Contains(failed, ".writing")
		if want := map[bool]string{false: "old", true: string(whole)}[after]; err != nil ||
			string(content) != want {
			t.Errorf("%s fails: the file is %.10q, %v", failed, content, err)
		}
		files := 1
		if strings.HasPrefix(failed, "stat ") { // nobody knows whose the temporary file is
			files = 2
		}
		if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) > files {
			t.Errorf("%s fails: files %v, %v", failed, entries, err)
		}
	}
}

func TestCannotRename(t *testing.T) {
	w, path := begin(t)
	must.Do(t, os.Remove(path))
	must.Do(t, os.MkdirAll(filepath.Join(path, "in the way"), 0o755))
	if err := writeAll(w, sample(10)); err == nil {
		t.Error("no error")
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Errorf("files %v, %v", entries, err)
	}
}

func TestFolderVanishes(t *testing.T) {
	w, path := begin(t)
	must.Do(t, os.RemoveAll(filepath.Dir(path)))
	err := writeAll(w, sample(10))
	if !errors.Is(err, fs.ErrNotExist) || strings.Contains(err.Error(), "\n") {
		t.Errorf("error %v", err)
	}
}

func TestWriteFileErrors(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.arrow")
	table := sample(3)
	table.Columns = table.Columns[1:]
	if err := WriteFile(path, table); err == nil {
		t.Error("a column is missing, and there is no error")
	}
	table.Schema.Columns = nil
	if err := WriteFile(path, table); err == nil {
		t.Error("all columns are missing, and there is no error")
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 0 {
		t.Errorf("files %v, %v", entries, err)
	}
}

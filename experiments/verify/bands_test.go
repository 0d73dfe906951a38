package verify

import (
	"bytes"
	"flag"
	"fmt"
	"math"
	"os"
	"strings"
	"sync"
	"testing"

	"antipode/internal/longtest"
)

var update = flag.Bool("update", false, "write the file of bands again")

// bandsFile has one line for each comparison of all claims but those on training: the claim, the comparison,
// the predicted number, how far below and above it the comparison detects a wrong number, and the number that
// is measured with the fewest samples; and one for each wrong number that a comparison is asserted to refute.
const bandsFile = "testdata/bands.txt"

// samplesFile has one line for each claim but those on training: the claim, and the sum of the usual numbers
// of samples of all its simulations.
const samplesFile = "testdata/samples.txt"

// Every comparison detects what the file says. So the test notices if a claim is weakened, by a larger
// allowance, by a smaller power, by fewer samples, or by leaving out a comparison. It measures with the
// fewest samples. Comparisons of numbers that are not random hold.
func TestBandsOfComparisons(t *testing.T) {
	longtest.Only(t)
	lines, samples := make([][]string, len(Claims())), make([]string, len(Claims()))
	var measuring sync.WaitGroup
	for k, c := range Claims() {
		if c.Set == Training {
			continue
		}
		measuring.Go(func() {
			var r report
			f := &fixture{context: t.Context(), seed: 2, subject: genuine}
			if err := c.look(f, &r); err != nil {
				t.Error(err)
			}
			samples[k] = fmt.Sprintf("%s\t%d\n", c.ID, f.usual)
			for _, x := range r.comparisons {
				if random := x.falseAlarm > 0; !random && x.verdict == fails {
					t.Errorf("%s: %s: predicted %v, measured %v", c.ID, x.what, x.predicted, x.measured)
				}
				lines[k] = append(lines[k],
					fmt.Sprintf("%s\t%s\t%.5g\t%.4g\t%.4g\t%.5g", c.ID, x.what, x.predicted,
						x.predicted-x.low, x.high-x.predicted, x.measured))
				for _, value := range x.refuted {
					lines[k] = append(lines[k],
						fmt.Sprintf("%s\t%s, refuted\t%.5g\t0\t0\t0", c.ID, x.what, value))
				}
			}
		})
	}
	measuring.Wait()
	var got []string
	for _, of := range lines {
		got = append(got, of...)
	}
	drawn := strings.Join(samples, "")
	if *update {
		if err := os.WriteFile(samplesFile, []byte(drawn), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(bandsFile, []byte(strings.Join(got, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	file, err := os.ReadFile(bandsFile)
	if err != nil {
		t.Fatal(err)
	}
	if usual, err := os.ReadFile(samplesFile); err != nil || drawn != string(usual) {
		t.Errorf("samples, error %v:\n%s", err, drawn)
	}
	want := strings.Split(string(bytes.TrimSuffix(file, []byte("\n"))), "\n")
	if len(got) != len(want) {
		t.Fatalf("%d comparisons, not %d", len(got), len(want))
	}
	for k, line := range got {
		if !sameBand(line, want[k]) {
			t.Errorf("%s\nnot %s", line, want[k])
		}
	}
}

// sameBand reports whether two lines agree up to the last digits, in which machines may differ.
func sameBand(a, b string) bool {
	x, y := strings.Split(a, "\t"), strings.Split(b, "\t")
	if len(x) != 6 || len(y) != 6 || x[0] != y[0] || x[1] != y[1] {
		return false
	}
	for k := 2; k < 6; k++ {
		var p, q float64
		if _, err := fmt.Sscan(x[k]+" "+y[k], &p, &q); err != nil {
			return false
		}
		if p != q && !(math.Abs(p-q) <= 1e-3*math.Abs(q)) &&
			!(k == 2 && max(math.Abs(p), math.Abs(q)) < 1e-12) &&
			!(k == 5 && max(math.Abs(p), math.Abs(q)) < 1e-9) {
			return false
		}
	}
	return true
}

// A band contains the predicted number, and is finite on one side at least.
func TestBandsAreBands(t *testing.T) {
	file, err := os.ReadFile(bandsFile)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(file)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		var predicted, below, above float64
		if _, err := fmt.Sscan(strings.Join(fields[2:5], " "), &predicted, &below, &above); err != nil {
			t.Fatal(line, err)
		}
		if !(below >= 0 && above >= 0) || math.IsInf(min(below, above), 1) {
			t.Errorf("%s", line)
		}
	}
}

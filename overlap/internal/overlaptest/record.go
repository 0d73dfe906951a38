package overlaptest

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/cpu"
)

var update = flag.Bool("update", false, "write recorded values again")

// Linear draws a number between low and high with three decimals.
func Linear(random *rand.Rand, low, high float64) float64 {
	return math.Round(1000*(low+float64((high-low)*random.Float64()))) / 1000
}

// Logarithmic draws a positive number between low and high with three significant digits; the logarithm of
// the number is uniform.
func Logarithmic(random *rand.Rand, low, high float64) float64 {
	return ThreeDigits(low * math.Pow(high/low, random.Float64()))
}

// ThreeDigits rounds a positive number to three significant digits.
func ThreeDigits(x float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(x))-2)
	return math.Round(x/unit) * unit
}

// A Record holds what a package computes for some parameters, which Cell describes: values, and the stated
// errors of some of the values.
type Record struct {
	Cell           string
	Values, Errors []float64
}

// Add appends values to the record.
func (r *Record) Add(values ...float64) { r.Values = append(r.Values, values...) }

// AddKnown appends a value and its stated error to the record.
func (r *Record) AddKnown(value, err float64) {
	r.Values, r.Errors = append(r.Values, value), append(r.Errors, err)
}

// AddBool appends the value 1 for true or 0 for false to the record.
func (r *Record) AddBool(yes bool) {
	if yes {
		r.Add(1)
	} else {
		r.Add(0)
	}
}

// CompareRecords fails the test unless the records agree with those in a file of testdata. On amd64 with
// fused multiplication and addition they must agree to the bit, so that a change of any tolerance or stop
// rule is noticed whose effect is within the stated errors. The exponential of package math has other bits on
// other processors; there values must agree to a relative 2e-9, stated errors to a hundredth, and both to an
// absolute 1e-13. With the flag -update, CompareRecords writes the file.
func CompareRecords(t *testing.T, path string, records []Record) {
	t.Helper()
	if *update {
		var text strings.Builder
		for _, r := range records {
			fmt.Fprintf(&text, "%s\t%s\t%s\n", r.Cell, numbersText(r.Values), numbersText(r.Errors))
		}
		if err := os.WriteFile(path, []byte(text.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if len(lines) != len(records) {
		t.Fatalf("%d cells, want %d", len(records), len(lines))
	}
	for k, r := range records {
		fields := strings.Split(lines[k], "\t")
		if len(fields) != 3 || fields[0] != r.Cell {
			t.Errorf("cell %q, want that of %q", r.Cell, lines[k])
			continue
		}
		compareNumbers(t, r.Cell+": value", r.Values, fields[1], 2e-9)
		compareNumbers(t, r.Cell+": error", r.Errors, fields[2], 0.01)
	}
}

// numbersText writes numbers with the digits that distinguish them from all others.
func numbersText(numbers []float64) string {
	text := make([]string, len(numbers))
	for k, x := range numbers {
		text[k] = strconv.FormatFloat(x, 'g', -1, 64)
	}
	return strings.Join(text, " ")
}

func compareNumbers(t *testing.T, what string, got []float64, text string, relative float64) {
	t.Helper()
	want := strings.Fields(text)
	if len(got) != len(want) {
		t.Errorf("%s: %d numbers, want %d", what, len(got), len(want))
		return
	}
	for k, x := range got {
		y, err := strconv.ParseFloat(want[k], 64)
		if err != nil {
			t.Fatal(err)
		}
		same := x == y || math.IsNaN(x) && math.IsNaN(y)
		if runtime.GOARCH != "amd64" || !cpu.X86.HasFMA {
			same = same || math.Abs(x-y) <= float64(relative*math.Abs(y))+1e-13
		}
		if !same {
			t.Errorf("%s %d is %v, want %s", what, k, x, want[k])
		}
	}
}

package parameter

import (
	"math"
	"strings"
	"testing"
)

func TestParseNumber(t *testing.T) {
	for text, want := range map[string]float64{
		"12": 12, "-0.5": -0.5, " 1e6 ": 1e6, "+.25E-1": 0.025, "1.": 1,
		"1e400": math.Inf(1), "-1e400": math.Inf(-1), "inf": math.Inf(1), "-Infinity": math.Inf(-1),
		"1e-400": 0,
	} {
		if got, err := ParseNumber(text); err != nil || got != want {
			t.Errorf("%q: %v, %v; want %v", text, got, err, want)
		}
	}
	if zero, _ := ParseNumber("-0"); math.Signbit(zero) {
		t.Error("-0 keeps its sign")
	}
	for _, text := range []string{
		"", " ", "x", "nan", "-NaN", "0x10", "0x1p4", "0x1p99999", "1_0", "1_000.5",
		"1e", "1e1_0", "--1", "1 2", "1inf", "infe", "e5", "−1",
	} {
		if x, err := ParseNumber(text); err == nil || !strings.HasSuffix(err.Error(), "is not a number") {
			t.Errorf("%q: %v, error %v", text, x, err)
		}
	}
}

func TestParseWhole(t *testing.T) {
	for text, want := range map[string]string{
		"0": "0", "-0": "0", "0e999999999": "0", "007": "7", "3.0": "3",
		"1e6": "1000000", "-1E3": "-1000", "2.5e3": "2500", "1200e-2": "12",
		"9007199254740993":         "9007199254740993", // not a float64
		"1.8446744073709551615e19": "18446744073709551615",
	} {
		if got, err := ParseWhole(text); err != nil || got.String() != want {
			t.Errorf("%q: %v, %v; want %s", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"2.5": "not whole", "2.00000000000000000000001": "not whole",
		"0.99999999999999999999999": "not whole",
		"1e-3":                      "not whole", "1e-400": "not whole", "1e-999999999": "not whole",
		"1e400": "out of bounds", "-1e999999999": "out of bounds", "inf": "out of bounds",
		"x": "not a number", "0x10": "not a number", "1_0": "not a number",
	} {
		if n, err := ParseWhole(text); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%q: %v, error %v; want %q", text, n, err, want)
		}
	}
}

func TestParseWithin(t *testing.T) {
	for text, allowed := range map[string]bool{
		"1": true, "1e3": true, "1001": false, "0": false, "1e19": false, "1e40": false, "1.5": false,
	} {
		if n, err := ParseWithin(text, 1, 1000); (err == nil) != allowed || !allowed && n != 0 {
			t.Errorf("%q: %d, %v", text, n, err)
		}
	}
}

// Whole and real numbers are read in the same way, alone and in a list.
func TestEveryValueReadsTheSameNumbers(t *testing.T) {
	wide := Range{Low: -1e9, High: 1e9}
	for text, want := range map[string]string{
		"1e6": "1000000", " 25e1 ": "250", "1e400": "", "inf": "", "nan": "", "0x10": "", "1_0": "",
	} {
		var n int64
		var x float64
		var counts []int
		var numbers []float64
		values := []Value{Whole(&n, wide), Wholes(&counts, wide), Real(&x, wide), Reals(&numbers, wide)}
		for _, v := range values {
			err := v.Set(text)
			if (err == nil) != (want != "") {
				t.Errorf("%s %q: %v", v.Placeholder(), text, err)
			}
			if err == nil && strings.Replace(v.String(), "1e+06", "1000000", 1) != want {
				t.Errorf("%s %q is %s, want %s", v.Placeholder(), text, v, want)
			}
		}
	}
}

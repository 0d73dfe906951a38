package parameter

import (
	"slices"
	"strings"
	"testing"

	"antipode/sphere/must"
)

func TestParseGrid(t *testing.T) {
	wide := Range{Low: -1e300, High: 1e300}
	for _, c := range []struct {
		text  string
		whole bool
		want  []float64
	}{
		{"1.5", false, []float64{1.5}},
		{"0.3,1.5", false, []float64{0.3, 1.5}},
		{" 2 , 1 ", false, []float64{2, 1}},
		{"0:1:0.25", false, []float64{0, 0.25, 0.5, 0.75, 1}},
		// Multiples of the float64 nearest to 0.1 would be 0.30000000000000004.
		{"0:0.5:0.1", false, []float64{0, 0.1, 0.2, 0.3, 0.4, 0.5}},
		{"-1:1:1", false, []float64{-1, 0, 1}},
		{"-0", false, []float64{0}},
		{"2:2:5", false, []float64{2}},
		{"4..7", true, []float64{4, 5, 6, 7}},
		{"4..4", true, []float64{4}},
		{"1e1..1.2e1,1e3", true, []float64{10, 11, 12, 1000}},
		{"0:2e2:1e2", true, []float64{0, 100, 200}},
		{"2,4..6,10:20:5", true, []float64{2, 4, 5, 6, 10, 15, 20}},
		{"1e-300:3e-300:1e-300", false, []float64{1e-300, 2e-300, 3e-300}},
	} {
		got, err := parseGrid(c.text, wide, c.whole)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%q: %v, %v; want %v", c.text, got, err, c.want)
		}
	}
}

func TestParseGridRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                    `"" is not a number`,
		"x":                   `"x" is not a number`,
		"nan":                 `"nan" is not a number`,
		"1,inf":               "inf is out of bounds",
		"1e999":               "1e999 is out of bounds",
		"-1e999":              "-1e999 is out of bounds",
		"0:inf:1":             `inf is out of bounds in "0:inf:1"`,
		"1,":                  `"" is not a number`,
		"0:1":                 `"0:1" is not start:stop:step`,
		"0:1:2:3":             "is not start:stop:step",
		"0:1:0":               "step of \"0:1:0\" is not above 0",
		"0:1:-1":              "is not above 0",
		"1:0:0.5":             "is reversed",
		"7..4":                "is reversed",
		"0:1:0.3":             "does not end at its stop",
		"0:1:x":               `"x" is not a number in "0:1:x"`,
		"0:1:1e-9":            "more than 100000 values",
		"0:1e300:1e-300":      "more than 100000 values",
		"0:60000:1,0:60000:1": "more than 100000 values",
		"1,2,1":               "1 is there twice",
		"0,-0":                "0 is there twice",
		"11":                  "11 is out of bounds",
		"5:12:1":              "11 is out of bounds",
		"0x1p1":               `"0x1p1" is not a number`,
		"1_0":                 `"1_0" is not a number`,
		"0:0x4:1":             `"0x4" is not a number in "0:0x4:1"`,
	} {
		allowed := Range{Low: 0, High: 10}
		if strings.Contains(text, "60000") || strings.Contains(text, "1e") {
			allowed.High = 1e300
		}
		if values, err := parseGrid(text, allowed, false); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: %d values, error %v; want %q", text, len(values), err, want)
		}
	}
	for text, want := range map[string]string{
		"2.5": "2.5 is not whole", "1,2.00000000000000000000001": "2.00000000000000000000001 is not whole",
		"0.5..3": `0.5 is not whole in "0.5..3"`, "0:1:0.5": "0.5 is not whole",
		"1e400": "1e400 is out of bounds", "11": "11 is out of bounds",
	} {
		values, err := parseGrid(text, Range{Low: 0, High: 10}, true)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q among whole numbers: %v, error %v; want %q", text, values, err, want)
		}
	}
}

func FuzzParseGrid(f *testing.F) {
	for _, text := range []string{"0:3:0.1", "4..10", "1,2,3", "1e-300:1:1e-3", "::", "..", "0x1p-1074"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		allowed := Range{Low: -5, High: 1e6}
		values, err := parseGrid(text, allowed, false)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r") {
				t.Errorf("error of several lines: %q", err)
			}
			return
		}
		again, err := parseGrid(FormatList(values), allowed, false)
		if err != nil || !slices.Equal(again, values) {
			t.Errorf("%q does not read back: %v", text, err)
		}
	})
}

// Equidistant values are written as a grid, and every text is read back as the same values.
func TestGridsAreWrittenShort(t *testing.T) {
	var field []float64
	value := Reals(&field, Range{Low: -10, High: 10})
	for given, want := range map[string]string{
		"0:2:0.1": "0:2:0.1", "0,0.05,0.1,0.15": "0:0.15:0.05", "1,2,3": "1,2,3",
		"-1,-0.5,0,0.5,1": "-1:1:0.5",
		"0,1,2,3.5":       "0,1,2,3.5", "0.1,0.2,0.30000000000000004,0.4": "0.1,0.2,0.30000000000000004,0.4",
		"3,2,1,0": "3,2,1,0",
	} {
		must.Do(t, value.Set(given))
		if got := value.String(); got != want {
			t.Errorf("%s is written %s, want %s", given, got, want)
		}
		before := slices.Clone(field)
		if err := value.Set(value.String()); err != nil || !slices.Equal(field, before) {
			t.Errorf("%s: %v, %v", given, field, err)
		}
	}
}

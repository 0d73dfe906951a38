package parameter

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

// Both ends of a range are in it, unless the lower one is open; NaN is in none. The values of a range read
// and check the same.
func TestEndsOfRanges(t *testing.T) {
	below, above := math.Nextafter(-2, -3), math.Nextafter(5, 6)
	for _, open := range []bool{false, true} {
		r := Range{Low: -2, High: 5, Open: open}
		for x, want := range map[float64]bool{below: false, -2: !open, 0: true, 5: true, above: false} {
			field, list, given := x, []float64{x}, 1.0
			if r.Contains(x) != want || (Real(&field, r).Check() == nil) != want ||
				(Reals(&list, r).Check() == nil) != want ||
				(Real(&given, r).Set(FormatReal(x)) == nil) != want || (given == x) != want && x != 1 {
				t.Errorf("%v, %v: not %v", r, x, want)
			}
			whole, wholes := int64(x), []int{int(x)}
			if x == math.Trunc(x) && ((Whole(&whole, r).Check() == nil) != want ||
				(Wholes(&wholes, r).Check() == nil) != want) {
				t.Errorf("%v, %v: not %v as a whole number", r, x, want)
			}
		}
		if r.Contains(math.NaN()) {
			t.Errorf("NaN is in %v", r)
		}
	}
	open, closed := Range{Low: 0, High: 2.5, Open: true}, Range{Low: -1, High: 1e6}
	if open.String() != "above 0, up to 2.5" || closed.String() != "from -1 to 1e+06" ||
		closed.Bounds() != closed {
		t.Errorf("%v, %v", open, closed)
	}
}

// A list may have 100,000 values, in one element or several.
func TestLargestLists(t *testing.T) {
	wide := Range{Low: 0, High: 1e9}
	for text, want := range map[string]int{
		"1..100000": 100_000, "1..100001": 0, "0:100000:1": 0,
		"1..99999,200000": 100_000, "1..100000,200000": 0, "200000,1..100000": 0,
	} {
		var counts []int
		err := Wholes(&counts, wide).Set(text)
		if (err == nil) != (want > 0) || len(counts) != want ||
			err != nil && !strings.Contains(err.Error(), "more than 100000 values") {
			t.Errorf("%s: %d values, %v", text, len(counts), err)
		}
	}
}

// Three numbers are written as a list, and four equidistant ones as a grid.
func TestShortestGrid(t *testing.T) {
	for want, values := range map[string][]float64{
		"1,2,3": {1, 2, 3}, "1:4:1": {1, 2, 3, 4}, "1,2,3,5": {1, 2, 3, 5},
	} {
		if got := Reals(&values, Range{Low: 0, High: 9}).String(); got != want {
			t.Errorf("%v is written %s", values, got)
		}
	}
}

// Whole numbers are read exactly up to 2^65, whatever their form, and none below ½ is whole but 0.
func TestLargestWholeNumbers(t *testing.T) {
	for text, want := range map[string]string{
		"36893488147419103232": "36893488147419103232", "-36893488147419103232": "-36893488147419103232",
		"36893488147419110000": "", "1e20": "", "0.5": "", "0.5e1": "5", "5e-1": "", "-0.0": "0",
	} {
		n, err := ParseWhole(text)
		if (err == nil) != (want != "") || err == nil && n.String() != want {
			t.Errorf("%s: %v, %v", text, n, err)
		}
	}
	for text, want := range map[string]int64{"-3": -3, "3": 3, "0": 0, "4": 9, "-4": 9} {
		if n, err := ParseWithin(text, -3, 3); (err == nil) != (want != 9) || err == nil && n != want {
			t.Errorf("%s from -3 to 3: %d, %v", text, n, err)
		}
	}
}

// A value that may be absent is absent, or present and in its range. After an error it is as before.
func TestOptionalValues(t *testing.T) {
	r := Range{Low: 1, High: 5}
	var real *float64
	var whole *int64
	var list []float64
	for _, v := range []Value{OptionalReal(&real, "none", r), OptionalWhole(&whole, "none", r),
		OptionalReals(&list, "none", r)} {
		for _, text := range []string{"none", "1", "5", "none", "3"} {
			if err := v.Set(text); err != nil || v.String() != text || v.Check() != nil {
				t.Errorf("%s: %s, %v, %v", text, v, err, v.Check())
			}
		}
		for _, text := range []string{"0", "6", "x", ""} {
			if err := v.Set(text); err == nil || v.String() != "3" ||
				!strings.Contains(err.Error(), "none or ") {
				t.Errorf("%q: %s, %v", text, v, err)
			}
		}
		if o := v.(Optional); o.Absent() != "none" || v.(Bounded).Bounds() != r {
			t.Errorf("%s, %v", o.Absent(), v.(Bounded).Bounds())
		}
	}
	*real, *whole, list[0] = 7, 7, 7
	for _, v := range []Value{OptionalReal(&real, "none", r), OptionalWhole(&whole, "none", r),
		OptionalReals(&list, "none", r)} {
		if v.Check() == nil {
			t.Errorf("%s is accepted", v)
		}
	}
}

// A parameter calls Then after its value has changed; names that are not allowed change nothing. Choices are
// different names, at least one.
func TestChoices(t *testing.T) {
	field, called := "a", []string(nil)
	v := Choice{Field: &field, Names: []string{"a", "b", "c"}}
	p := Parameter{Value: v, Then: func() { called = append(called, field) }}
	if p.Set("b") != nil || p.Set("x") == nil || (Parameter{Value: v}).Set("b") != nil ||
		field != "b" || v.Index() != 1 || v.Check() != nil ||
		!slices.Equal(called, []string{"b"}) || v.Allowed() != "a, b or c" ||
		(Choice{Names: []string{"a"}}).Allowed() != "a" ||
		(Choice{Names: []string{"a", "b"}}).Allowed() != "a or b" {
		t.Errorf("%s, %v, %s", field, called, v.Allowed())
	}
	if field = "x"; v.Check() == nil {
		t.Error("x is accepted")
	}
	empty := Choice{Field: &field, Names: []string{"none", "a"}, Empty: "none"}
	if empty.Set("none") != nil || field != "" || empty.String() != "none" || empty.Check() != nil ||
		empty.Set("") == nil || empty.Index() != 0 || empty.Set("a") != nil || field != "a" {
		t.Errorf("%q, %s", field, empty)
	}
	several := []string{"a"}
	c := Choices{&several, []string{"a", "b", "c"}}
	for text, allowed := range map[string]bool{"c,a": true, "b": true, "": false, "a,a": false,
		"a,x": false} {
		before := slices.Clone(several)
		err := c.Set(text)
		if (err == nil) != allowed || allowed && c.String() != text ||
			!allowed && !slices.Equal(several, before) {
			t.Errorf("%q: %v, %v", text, several, err)
		}
	}
	for _, several := range [][]string{nil, {"a", "a"}, {"x"}} {
		if (Choices{&several, c.Names}).Check() == nil {
			t.Errorf("%v are accepted", several)
		}
	}
	on := false
	for text, want := range map[string]bool{"true": true, "false": false, "1": true, "0": false} {
		if s := (Switch{&on}); s.Set(text) != nil || on != want {
			t.Errorf("%s: %v", text, on)
		}
	}
	if on = true; (Switch{&on}).Set("x") == nil || !on || (Switch{&on}).String() != "true" {
		t.Errorf("a switch is %v", on)
	}
}

// Checks end at the first error.
func TestFirstErrors(t *testing.T) {
	one, two, calls := errors.New("one"), errors.New("two"), 0
	check := func(err error) func() error { return func() error { calls++; return err } }
	if err := FirstError(check(nil), check(one), check(two)); err != one || calls != 2 {
		t.Errorf("%v after %d", err, calls)
	}
	if err := FirstError(check(nil)); err != nil {
		t.Error(err)
	}
	bad, good := 9.0, 1.0
	r := Range{Low: 0, High: 2}
	err := Check([]Parameter{{Name: "good", Value: Real(&good, r)}, {Name: "bad", Value: Real(&bad, r)}})
	var problem *Error
	if !errors.As(err, &problem) || *problem != (Error{"bad", "9", "must be a number from 0 to 2"}) {
		t.Errorf("%v", err)
	}
	if Unless(true, "why") != "" || Unless(false, "why") != "why" ||
		(Parameter{}).Where(false, "why").Inapplicable != "why" {
		t.Error("the reason is given where a condition holds")
	}
}
